import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** What fails on its own: an import reads the payments, and a push writes to the CRM. */
export type FailingKind = 'import' | 'push'

/** A push that waited for the CRM until the next import took its place is tried again each hour, and never fails. */
const failed = sql<boolean>`(status = 'failed' or options ->> 'displaced' = 'waiting')`

/**
 * When runs of a kind began to fail without one that succeeded since; undefined if the newest of them did not fail. Imports
 * say nothing about pushes, canceled runs nothing at all, and neither do runs created up to `after`.
 */
export async function findFailingSince(
  tenant: Tenant,
  kind: FailingKind,
  after: Date | null,
): Promise<Date | undefined> {
  const found = await tenant.sql
    .selectFrom('runs')
    .select(sql<Date | null>`min(completed_at)`.as('since'))
    .where('organization_id', '=', tenant.organizationId)
    .where(failed)
    .where('kind', '=', kind)
    .$if(after !== null, (query) => query.where('created_at', '>', after))
    .where('created_at', '>', (of) =>
      of
        .selectFrom('runs as good')
        .select(sql<Date>`coalesce(max(good.created_at), '-infinity')`.as('at'))
        .where('good.organization_id', '=', tenant.organizationId)
        .where('good.status', '=', 'completed')
        .where('good.kind', '=', kind),
    )
    .executeTakeFirst()
  return found?.since ?? undefined
}
