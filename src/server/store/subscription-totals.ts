import { sql } from 'kysely'
import type { Tenant } from './database.ts'

/** How many subscriptions there are, or how many of a status. */
export async function countSubscriptions(tenant: Tenant, status: string | undefined): Promise<number> {
  const ofStatus = status === undefined ? sql`` : sql` and status = ${status}`
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(subscriptions), 0)::bigint as count from subscription_totals
     where organization_id = ${tenant.organizationId}${ofStatus}`.execute(tenant.sql)
  return rows[0]?.count ?? 0
}
