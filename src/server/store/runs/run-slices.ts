import { sql } from 'kysely'
import { readAfter } from '../payments/payment-lists.ts'
import type { Tenant } from '../postgres/database.ts'
import { jsonRows, storableJson } from '../postgres/json-rows.ts'
import { prepared } from '../postgres/prepared.ts'

/** A part of a run with its own cursor. Only the work that reads it knows the shape of `state`. */
export type RunSlice<State> = {
  slice: string
  /** Slices with a lower position run first. */
  position: number
  cursor: string | null
  doneCount: number
  isDone: boolean
  state: State
}

/** The slices of a run in order; `readState` checks the shape that was saved. */
export async function listSlices<State>(
  tenant: Tenant,
  runId: string,
  readState: (state: unknown) => State,
): Promise<RunSlice<State>[]> {
  const rows = await tenant.sql
    .selectFrom('run_slices')
    .selectAll()
    .where('organization_id', '=', tenant.organizationId)
    .where('run_id', '=', runId)
    .orderBy('position')
    .orderBy('slice')
    .execute()
  return rows.map((row) => ({
    slice: row.slice,
    position: row.position,
    cursor: row.cursor,
    doneCount: row.done_count,
    isDone: row.is_done,
    state: readState(row.state),
  }))
}

/** Adds or updates slices in the transaction that saves their data. */
export async function saveSlices(
  tenant: Tenant,
  runId: string,
  slices: readonly RunSlice<object>[],
): Promise<void> {
  if (slices.length === 0) return
  const rows = jsonRows(slices.map((slice) => ({ ...slice, id: slice.slice })))
  await sql`
    insert into run_slices (organization_id, run_id, slice, position, cursor, done_count, is_done, state)
    select ${tenant.organizationId}, ${runId}, slice, position, cursor, "doneCount", "isDone", state
      from jsonb_to_recordset(${rows}::jsonb) as given (
        slice text, position integer, cursor text, "doneCount" integer, "isDone" boolean, state jsonb)
    on conflict (organization_id, run_id, slice) do update set
      cursor = excluded.cursor, done_count = excluded.done_count, is_done = excluded.is_done,
      state = excluded.state`.execute(tenant.sql)
}

/** Saves the progress of one slice. */
export async function updateSlice(tenant: Tenant, runId: string, slice: RunSlice<object>): Promise<void> {
  await tenant.sql
    .updateTable('run_slices')
    .set({
      cursor: slice.cursor,
      done_count: slice.doneCount,
      is_done: slice.isDone,
      state: storableJson(slice.state),
    })
    .where('organization_id', '=', tenant.organizationId)
    .where('run_id', '=', runId)
    .where('slice', '=', slice.slice)
    .execute()
}

/** Below this share of the time that the lists cover, an estimate is too uncertain. */
const guessFromShare = 0.05

/**
 * How many objects of each kind a run has imported. The total is exact for a complete kind; before that it is
 * extrapolated from the time read so far, or null if uncertain. Lists count once their turn comes.
 */
export async function countSlices(
  tenant: Tenant,
  runId: string,
): Promise<{ kind: string; done: number; total: number | null }[]> {
  const { rows } = await sql<Counted>`${prepared}
    with parts as (
      select s.state ->> 'kind' as kind, s.position, s.done_count, s.is_done, s.state,
             jsonb_array_length(s.state -> 'ids') as ids,
             coalesce((s.state ->> 'from')::bigint, (s.state ->> 'oldestAt')::bigint) as bottom,
             coalesce((s.state ->> 'until')::bigint,
                      greatest(extract(epoch from r.created_at)::bigint, (s.state ->> 'cursorAt')::bigint)) as top
        from run_slices s join runs r on r.organization_id = s.organization_id and r.id = s.run_id
       where s.organization_id = ${tenant.organizationId} and s.run_id = ${runId} and s.state ->> 'kind' is not null
         and not (s.state ->> 'kind' = ${readAfter.list} and not s.is_done and s.state ->> 'cursorAt' is null
                  and exists (select from run_slices as before
                               where before.organization_id = s.organization_id and before.run_id = s.run_id
                                 and before.state ->> 'kind' = ${readAfter.before} and not before.is_done)))
    select kind, sum(done_count)::bigint as done, bool_and(is_done) as "isDone",
           coalesce(sum(ids), 0)::bigint as named,
           coalesce(sum(done_count) filter (where ids is null), 0)::bigint as listed,
           coalesce(bool_or(bottom is null) filter (where ids is null), false) as "isOpenEnded",
           coalesce(sum(greatest(top - bottom, 1)) filter (where ids is null), 0)::float8 as span,
           coalesce(sum(case when is_done or state ->> 'isListed' = 'true' then greatest(top - bottom, 1)
                             else least(coalesce(top - (state ->> 'cursorAt')::bigint, 0), greatest(top - bottom, 1))
                        end) filter (where ids is null), 0)::float8 as read
      from parts group by kind order by min(position), kind`.execute(tenant.sql)
  return rows.map((row) => ({ kind: row.kind, done: row.done, total: totalOf(row) }))
}

type Counted = {
  kind: string
  done: number
  isDone: boolean
  /** Objects that are requested by id. */
  named: number
  /**
   * Objects from lists; `span` is the seconds of creation that the lists cover, `read` those that were read.
   */
  listed: number
  span: number
  read: number
  isOpenEnded: boolean
}

function totalOf({ done, isDone, named, listed, span, read, isOpenEnded }: Counted): number | null {
  if (isDone) return done
  if (isOpenEnded || (span > 0 && read < span * guessFromShare)) return null
  const guess = named + (span > 0 ? (listed * span) / read : 0)
  return Math.max(done, roundUp(guess))
}

/** Rounds up to two digits, since more digits would suggest false precision. */
function roundUp(guess: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(guess, 1))) - 1)
  return Math.ceil(guess / unit) * unit
}

/**
 * The newest import before this one that failed after `since` and left slices, unless a later import did not
 * fail.
 */
export async function findFailedImport(
  tenant: Tenant,
  runId: string,
  since: Date,
): Promise<{ id: string; createdAt: Date } | undefined> {
  const { organizationId } = tenant
  const { rows } = await sql<{ id: string; createdAt: Date }>`
    select id, created_at as "createdAt" from runs failed
     where organization_id = ${organizationId} and kind = 'import' and id <> ${runId}
       and status = 'failed' and completed_at >= ${since}
       and exists (select from run_slices
                    where organization_id = ${organizationId} and run_id = failed.id)
       and not exists (select from runs later
                        where organization_id = ${organizationId} and kind = 'import' and id <> ${runId}
                          and status <> 'failed' and (created_at, id) > (failed.created_at, failed.id))
     order by created_at desc, id desc
     limit 1`.execute(tenant.sql)
  return rows[0]
}

/** Moves slices from one run to another. */
export async function moveSlices(
  tenant: Tenant,
  from: string,
  to: string,
  slices: readonly RunSlice<object>[],
): Promise<void> {
  if (slices.length === 0) return
  await tenant.sql
    .updateTable('run_slices')
    .set({ run_id: to, holder: null, lease_until: null })
    .where('organization_id', '=', tenant.organizationId)
    .where('run_id', '=', from)
    .where(
      'slice',
      'in',
      slices.map(({ slice }) => slice),
    )
    .execute()
}

/** Deletes the slices of ended imports except this run, because no import uses their cursors any more. */
export async function deleteOldSlices(tenant: Tenant, runId: string): Promise<void> {
  await tenant.sql
    .deleteFrom('run_slices')
    .where('organization_id', '=', tenant.organizationId)
    .where('run_id', '<>', runId)
    .where('run_id', 'in', (query) =>
      query
        .selectFrom('runs')
        .select('id')
        .where('organization_id', '=', tenant.organizationId)
        .where('kind', '=', 'import')
        .where('status', '<>', 'in_progress'),
    )
    .execute()
}

/**
 * Deletes earlier hints that found nothing: one every few minutes would fill the history with empty lines.
 */
export async function deleteEmptyImports(tenant: Tenant, runId: string): Promise<void> {
  await sql`
    delete from runs
     where organization_id = ${tenant.organizationId} and id <> ${runId} and kind = 'import' and status = 'completed'
       and processed_records = 0 and options ->> 'isHint' = 'true'`.execute(tenant.sql)
}
