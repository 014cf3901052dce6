import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/**
 * When imports and pushes began to fail without one that succeeded since; undefined if the newest of them did not fail.
 * Cancelled runs and recounts say nothing about it, nor do runs created up to `after`.
 */
export async function findFailingSince(tenant: Tenant, after: Date | null): Promise<Date | undefined> {
  const found = await tenant.sql
    .selectFrom('runs')
    .select(sql<Date | null>`min(completed_at)`.as('since'))
    .where('organization_id', '=', tenant.organizationId)
    .where('status', '=', 'failed')
    .where('kind', 'in', ['import', 'push'])
    .$if(after !== null, (query) => query.where('created_at', '>', after))
    .where('created_at', '>', (of) =>
      of
        .selectFrom('runs as good')
        .select(sql<Date>`coalesce(max(good.created_at), '-infinity')`.as('at'))
        .where('good.organization_id', '=', tenant.organizationId)
        .where('good.status', '=', 'completed')
        .where('good.kind', 'in', ['import', 'push']),
    )
    .executeTakeFirst()
  return found?.since ?? undefined
}
