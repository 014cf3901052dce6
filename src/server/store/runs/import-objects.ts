import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/**
 * Adds objects that the run fetches by id. One that is named again is fetched again, because it may have changed
 * since.
 */
export async function addObjects(
  tenant: Tenant,
  runId: string,
  objects: readonly { kind: string; id: string }[],
): Promise<void> {
  if (objects.length === 0) return
  await sql`
    insert into import_objects (organization_id, run_id, kind, id)
    select ${tenant.organizationId}, ${runId}, kind, id
      from unnest(${objects.map(({ kind }) => kind)}::text[], ${objects.map(({ id }) => id)}::text[]) as given (kind, id)
    on conflict (organization_id, run_id, kind, id) do update set is_found = null`.execute(tenant.sql)
}

/** The next ids of this kind that the run has not fetched yet, in ascending order. */
export async function listObjectsToFetch(
  tenant: Tenant,
  runId: string,
  kind: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from import_objects
     where organization_id = ${tenant.organizationId} and run_id = ${runId} and kind = ${kind} and is_found is null
     order by id limit ${limit}`.execute(tenant.sql)
  return rows.map(({ id }) => id)
}

/** Notes which of the requested objects exist, in the transaction that saves them. */
export async function noteFetched(
  tenant: Tenant,
  runId: string,
  kind: string,
  { ids, foundIds }: { ids: readonly string[]; foundIds: readonly string[] },
): Promise<void> {
  await sql`
    update import_objects set is_found = id = any(${foundIds}::text[])
     where organization_id = ${tenant.organizationId} and run_id = ${runId} and kind = ${kind}
       and id = any(${ids}::text[])`.execute(tenant.sql)
}

/** Whether the run fetches any object by id, fetched or not. */
export async function hasObjects(tenant: Tenant, runId: string): Promise<boolean> {
  const one = await tenant.sql
    .selectFrom('import_objects')
    .select('id')
    .where('organization_id', '=', tenant.organizationId)
    .where('run_id', '=', runId)
    .limit(1)
    .executeTakeFirst()
  return one !== undefined
}
