import { sql } from 'kysely'
import type { Tenant } from './database.ts'
import { jsonRows, storableJson } from './json-rows.ts'

/** A part of a run with a cursor of its own. `state` is for the work that reads it. */
export type RunSlice<State> = {
  slice: string
  /** Lower ones are worked on first. */
  position: number
  cursor: string | null
  doneCount: number
  isDone: boolean
  state: State
}

/** The slices of a run in their order; the caller vouches for the shape it once saved. */
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

/** Adds or updates slices, in the transaction of what they stand for. */
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

/** Notes how far one slice has come. */
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

/** How many objects of each kind a run has taken over; the total is null while parts of the kind are open. */
export async function countSlices(
  tenant: Tenant,
  runId: string,
): Promise<{ kind: string; done: number; total: number | null }[]> {
  const { rows } = await sql<{ kind: string; done: number; is_done: boolean }>`
    select state ->> 'kind' as kind, sum(done_count)::bigint as done, bool_and(is_done) as is_done
      from run_slices
     where organization_id = ${tenant.organizationId} and run_id = ${runId} and state ->> 'kind' is not null
     group by 1 order by min(position), 1`.execute(tenant.sql)
  return rows.map((row) => ({ kind: row.kind, done: row.done, total: row.is_done ? row.done : null }))
}

/** Forgets the slices of runs that ended, but for the newest: their cursors lead nowhere any more. */
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
