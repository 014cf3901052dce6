import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/**
 * The portal whose matches count: the connected one, else the one that was set up last, so that companies keep their
 * names while the connection is away. As a subquery of its own it is found once for a whole statement.
 */
export function currentPortal({ organizationId }: Tenant): RawBuilder<string | null> {
  return sql<string | null>`(select current_portal(${organizationId}))`
}

export async function findCurrentPortal(tenant: Tenant): Promise<string | null> {
  const { rows } = await sql<{ portalId: string | null }>`
    select ${currentPortal(tenant)} as "portalId"`.execute(tenant.sql)
  return rows[0]?.portalId ?? null
}
