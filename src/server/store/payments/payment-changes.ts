import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'

/** A provider's event by id, with its time by the provider's clock. */
export type StoredChangeMark = { id: string; happenedAt: Date }

/**
 * Changes this much older than the newest one, or than now where that is dated ahead, are deleted; the provider repeats
 * a webhook for less time.
 */
const keptDays = 4

/**
 * Their objects may be named some seconds before the provider lets them be read. Objects of other kinds are fetched when
 * something refers to them.
 */
const lateTables = ['customers', 'subscriptions', 'invoices'] as const

/** Events since then that an import has already brought into the ledger. */
export async function listSettledChanges(tenant: Tenant, since: Date): Promise<Set<string>> {
  const rows = await tenant.sql
    .selectFrom('payment_changes')
    .select('id')
    .where('organization_id', '=', tenant.organizationId)
    .where('happened_at', '>=', since)
    .where('settled_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Saves a change that a webhook reported. False if it is already known from any source. */
export async function addReceivedChange(
  tenant: Tenant,
  change: StoredChangeMark & { objects: readonly object[] },
  receivedAt: Date,
): Promise<boolean> {
  const added = await tenant.sql
    .insertInto('payment_changes')
    .values({
      organization_id: tenant.organizationId,
      id: change.id,
      happened_at: change.happenedAt,
      received_at: receivedAt,
      objects: storableJson(change.objects),
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doNothing())
    .executeTakeFirst()
  return Number(added.numInsertedOrUpdatedRows) > 0
}

/** Changes from webhooks that no import has handled yet, oldest first, with the objects they contained. */
export async function listPendingChanges(
  tenant: Tenant,
  limit: number,
): Promise<(StoredChangeMark & { objects: unknown[] })[]> {
  const rows = await pending(tenant)
    .select(['id', 'happened_at', 'objects'])
    .orderBy('received_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    happenedAt: row.happened_at,
    objects: Array.isArray(row.objects) ? row.objects : [],
  }))
}

/** Whether the provider announced changes that no import has read yet. */
export async function hasPendingChanges(tenant: Tenant): Promise<boolean> {
  return (await pending(tenant).select('id').limit(1).executeTakeFirst()) !== undefined
}

function pending(tenant: Tenant) {
  return tenant.sql
    .selectFrom('payment_changes')
    .where('organization_id', '=', tenant.organizationId)
    .where('settled_at', 'is', null)
    .where('received_at', 'is not', null)
}

/** Records that a run handles these changes, and what they name; does not touch settled ones. */
export async function takeChanges(
  tenant: Tenant,
  runId: string,
  changes: readonly (StoredChangeMark & { objects?: readonly unknown[] })[],
): Promise<void> {
  if (changes.length === 0) return
  const rows = storableJson(
    changes.map(({ id, happenedAt, objects }) => ({ id, happenedAt: happenedAt.toISOString(), objects })),
  )
  await sql`
    insert into payment_changes as known (organization_id, id, happened_at, run_id, objects)
    select distinct on (id) ${tenant.organizationId}, id, "happenedAt", ${runId}, objects
      from jsonb_to_recordset(${rows}::jsonb) as given (id text, "happenedAt" timestamptz, objects jsonb)
     order by id
    on conflict (organization_id, id) do update set
      run_id = excluded.run_id, objects = coalesce(known.objects, excluded.objects)
    where known.settled_at is null`.execute(tenant.sql)
}

/** How long an object that cannot be read yet is asked for again. The provider's clock may be ahead of ours by as much. */
const waitedMs = 10 * 60_000

const moved = (at: Date, byMs: number): Date => new Date(at.getTime() + byMs)

/**
 * Records that the run's changes are in the ledger, except young ones since `since` whose object cannot be read yet. Deletes
 * those too old to be repeated, but no delivery that no import has read.
 */
export async function settleChanges(
  tenant: Tenant,
  runId: string,
  { since, at }: { since: Date; at: Date },
): Promise<void> {
  const { organizationId } = tenant
  const ofRun = sql`organization_id = ${organizationId} and run_id = ${runId} and settled_at is null`
  await sql`
    update payment_changes c set settled_at = ${at}
     where ${ofRun}
       and not (happened_at >= ${since} and happened_at between ${moved(at, -waitedMs)} and ${moved(at, waitedMs)} and exists (
             select from jsonb_array_elements(c.objects) as o
              where (${sql.join(
                lateTables.map((table) => isMissing(tenant, table)),
                sql` or `,
              )})
                and not exists (
                      select from payment_changes g
                       where g.organization_id = ${organizationId} and g.happened_at >= ${since}
                         and g.objects @> jsonb_build_array(
                               jsonb_build_object('kind', o -> 'kind', 'id', o -> 'id', 'isGone', true)))))`.execute(
    tenant.sql,
  )
  // The provider's record names them again to the next look, so that nothing needs to start at once.
  await sql`update payment_changes set received_at = null where ${ofRun}`.execute(tenant.sql)
  await sql`
    delete from payment_changes
     where organization_id = ${organizationId}
       and (settled_at is not null or received_at is null)
       and least(happened_at, settled_at) < (
             select least(max(happened_at), ${at}) - make_interval(days => ${keptDays})
               from payment_changes where organization_id = ${organizationId})`.execute(tenant.sql)
}

/** Whether `o`, an object that a change names, belongs in this table and is not there. */
function isMissing({ organizationId }: Tenant, table: (typeof lateTables)[number]) {
  return sql`o ->> 'kind' = ${table} and not exists (
    select from ${sql.table(table)} t where t.organization_id = ${organizationId} and t.id = o ->> 'id')`
}

/** Deletes all changes, when their account is no longer connected. */
export async function deleteChanges(tenant: Tenant): Promise<void> {
  await tenant.sql
    .deleteFrom('payment_changes')
    .where('organization_id', '=', tenant.organizationId)
    .execute()
}

/** How long changes took from the provider to the ledger, in seconds. */
export type Delays = { count: number; median: number; p95: number; newestAt: Date }

/**
 * The delays of what reached the ledger since then; undefined if nothing did. Changes from before the connection are
 * history and do not count, nor does what is dated after its arrival, by a clock that is ahead.
 */
export async function findDelays(tenant: Tenant, since: Date): Promise<Delays | undefined> {
  const { rows } = await sql<{ count: number; median: number; p95: number; newest_at: Date | null }>`
    select count(*) as count, max(happened_at) as newest_at,
           percentile_cont(0.5) within group (order by delay) as median,
           percentile_cont(0.95) within group (order by delay) as p95
      from (select c.happened_at, greatest(extract(epoch from c.settled_at - c.happened_at), 0)::float8 as delay
              from payment_changes c
              join connections n on n.organization_id = c.organization_id and n.provider = 'payments'
             where c.organization_id = ${tenant.organizationId} and c.settled_at >= ${since}
               and c.happened_at >= n.connected_at
               and c.happened_at < c.settled_at + interval '1 minute') as measured`.execute(tenant.sql)
  const [row] = rows
  if (!row || row.newest_at === null) return undefined
  return { count: Number(row.count), median: row.median, p95: row.p95, newestAt: row.newest_at }
}
