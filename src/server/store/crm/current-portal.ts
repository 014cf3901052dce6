import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/**
 * The portal whose matches count: the connected one, else the last one set up, so that companies keep their names
 * while disconnected. As a subquery it runs once per statement.
 */
export function currentPortal({ organizationId }: Tenant): RawBuilder<string | null> {
  return sql<string | null>`(select current_portal(${organizationId}))`
}

/** The id of that portal; null where none was ever set up. */
export async function findCurrentPortal(tenant: Tenant): Promise<string | null> {
  const { rows } = await sql<{ portalId: string | null }>`
    select ${currentPortal(tenant)} as "portalId"`.execute(tenant.sql)
  return rows[0]?.portalId ?? null
}
