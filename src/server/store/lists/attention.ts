import { sql } from 'kysely'
import { currentPortal } from '../crm/current-portal.ts'
import { countPendingMatches } from '../matches/matches.ts'
import type { Tenant } from '../postgres/database.ts'

/** The rows of a list, and their MRR in the reporting currency. */
export type ListSum = { count: number; mrrCents: number }

/** The customers that wait in the match review, with their MRR. Reads indexes alone, at any size. */
export async function sumToMatch(tenant: Tenant): Promise<ListSum> {
  const count = await countPendingMatches(tenant)
  if (count === 0) return { count, mrrCents: 0 }
  const { rows } = await sql<{ mrrCents: number }>`
    select coalesce(sum(c.reporting_mrr_cents), 0)::bigint as "mrrCents"
      from customers c
      join matches m on m.organization_id = c.organization_id and m.customer_id = c.id
     where c.organization_id = ${tenant.organizationId} and c.reporting_mrr_cents > 0
       and m.organization_id = ${tenant.organizationId} and m.portal_id = ${currentPortal(tenant)}
       and m.state = 'pending'`.execute(tenant.sql)
  return { count, mrrCents: rows[0]?.mrrCents ?? 0 }
}

/** The subscriptions of a status in each currency: how many there are, and their MRR in it and converted. */
export function sumOfStatus(
  tenant: Tenant,
  status: string,
): Promise<{ currency: string; count: number; ownCents: number; reportingCents: number }[]> {
  return tenant.sql
    .selectFrom('list_totals')
    .select([
      'part as currency',
      sql<number>`sum(row_count)::bigint`.as('count'),
      sql<number>`sum(mrr_cents)::bigint`.as('ownCents'),
      sql<number>`sum(reporting_cents)::bigint`.as('reportingCents'),
    ])
    .where('organization_id', '=', tenant.organizationId)
    .where('list', '=', 'subscriptions')
    .where('status', '=', status)
    .groupBy('part')
    .execute()
}
