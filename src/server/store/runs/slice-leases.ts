import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '#domain/instant.ts'
import { readAfter } from '../payments/payment-lists.ts'
import type { Tenant } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'
import { prepared } from '../postgres/prepared.ts'
import type { RunSlice } from './run-slices.ts'

/**
 * Who reads a slice and how long it excludes others, by the database's clock, because machine clocks differ.
 */
export type Lease = { holder: string; ms: number }

/**
 * Leases up to `limit` open lists. Each kind first gets `readBeside` readers; fully listed lists come last.
 * Kinds in `history` start with their newest list and have at most `most` readers (null: no limit).
 */
export async function takeSlices<State>(
  tenant: Tenant,
  runId: string,
  want: {
    lease: Lease
    limit: number
    readBeside: number
    history: { kinds: readonly string[]; most: number | null }
  },
  readState: (state: unknown) => State,
): Promise<RunSlice<State>[]> {
  const { rows } = await sql<RunSlice<unknown>>`${prepared}
    with open as (
      select *, ${isFree(want)} as is_free, state ->> 'kind' = any(${want.history.kinds}::text[]) as is_history
        from run_slices
       where organization_id = ${tenant.organizationId} and run_id = ${runId} and not is_done and state ? 'from'),
    ranked as (
      select slice, age, is_history, row_number() over (
               partition by state ->> 'kind'
               order by state ->> 'isListed' is not distinct from 'true', is_free, position, age) as place
        from open cross join lateral (
          select case when is_history then -1 else 1 end
                 * coalesce((state ->> 'until')::float8, 'infinity') as age) as ordered
       where state ->> 'kind' <> ${readAfter.list}
          or not exists (select from open as before where before.state ->> 'kind' = ${readAfter.before})),
    free as materialized (
      select known.slice from run_slices as known join ranked on ranked.slice = known.slice
       where known.organization_id = ${tenant.organizationId} and known.run_id = ${runId} and not known.is_done
         and ${isFree(want, 'known')}
         and (not ranked.is_history or ranked.place <= coalesce(${want.history.most}::integer, ranked.place))
       order by ranked.place > ${want.readBeside}, known.position, ranked.age, known.slice
       limit ${want.limit} for update of known skip locked)
    update run_slices as taken set holder = ${want.lease.holder}, lease_until = ${endOf(want.lease)}
      from free
     where taken.organization_id = ${tenant.organizationId} and taken.run_id = ${runId}
       and taken.slice = free.slice
    returning taken.slice, taken.position, taken.cursor, taken.done_count as "doneCount", taken.is_done as "isDone",
              taken.state`.execute(tenant.sql)
  return rows
    .map((row) => ({ ...row, state: readState(row.state) }))
    .sort((a, b) => a.position - b.position || (a.slice < b.slice ? -1 : 1))
}

/** The holder still reads a slice it holds itself, even if the renewal is late. */
function isFree({ lease }: { lease: Lease }, table = 'run_slices'): RawBuilder<boolean> {
  const [holder, until] = [sql.ref(`${table}.holder`), sql.ref(`${table}.lease_until`)]
  return sql`(${holder} is null or (${until} <= statement_timestamp() and ${holder} <> ${lease.holder}))`
}

function endOf({ ms }: Lease): RawBuilder<Date> {
  return sql`statement_timestamp() + ${ms}::integer * interval '1 ms'`
}

/**
 * Saves the progress and changed state of slices and renews their leases. Returns the slices that are still
 * held; the caller must write nothing for others, because another reader has them.
 */
export async function updateHeldSlices(
  tenant: Tenant,
  runId: string,
  lease: Lease,
  slices: readonly RunSlice<object>[],
): Promise<Set<string>> {
  const { rows } = await sql<{ slice: string }>`${prepared}
    update run_slices as known set
      cursor = given.cursor, done_count = given."doneCount", is_done = given."isDone",
      state = known.state || given.state,
      lease_until = ${endOf(lease)}, holder = case when given."isDone" then null else known.holder end
      from jsonb_to_recordset(${storableJson(slices)}::jsonb) as given (
        slice text, cursor text, "doneCount" integer, "isDone" boolean, state jsonb)
     where known.organization_id = ${tenant.organizationId} and known.run_id = ${runId}
       and known.slice = given.slice and known.holder = ${lease.holder}
    returning known.slice`.execute(tenant.sql)
  return new Set(rows.map(({ slice }) => slice))
}

/** Changes a part of a slice's state. Returns false if the lease is lost. */
export async function changeHeldSlice(
  tenant: Tenant,
  runId: string,
  lease: Lease,
  { slice, state }: { slice: string; state: object },
): Promise<boolean> {
  const changed = await tenant.sql
    .updateTable('run_slices')
    .set({ state: sql`state || ${storableJson(state)}::jsonb`, lease_until: endOf(lease) })
    .where('organization_id', '=', tenant.organizationId)
    .where('run_id', '=', runId)
    .where('slice', '=', slice)
    .where('holder', '=', lease.holder)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/**
 * Renews a holder's leases and skips locked rows: their writer renews them, or the next renewal does. Waiting
 * for a row while holding others could deadlock with a write of several pages.
 */
export async function renewLeases(tenant: Tenant, runId: string, lease: Lease): Promise<void> {
  await sql`
    with held as materialized (
      select slice from run_slices
       where organization_id = ${tenant.organizationId} and run_id = ${runId} and holder = ${lease.holder}
         for no key update skip locked)
    update run_slices as known set lease_until = ${endOf(lease)}
      from held
     where known.organization_id = ${tenant.organizationId} and known.run_id = ${runId}
       and known.slice = held.slice`.execute(tenant.sql)
}

/** Releases the windows of one holder, or of all when another worker takes over the run. */
export async function releaseSlices(tenant: Tenant, runId: string, holder?: string): Promise<void> {
  await tenant.sql
    .updateTable('run_slices')
    .set({ holder: null, lease_until: null })
    .where('organization_id', '=', tenant.organizationId)
    .where('run_id', '=', runId)
    .where('holder', 'is not', null)
    .$if(holder !== undefined, (query) => query.where('holder', '=', holder ?? ''))
    .execute()
}

/** Open lists of one kind; `unlisted` counts those with pages still to come. */
export type OpenSlices = { open: number; unlisted: number }

/** The number of open lists of each kind. */
export async function countOpenSlices(tenant: Tenant, runId: string): Promise<Map<string, OpenSlices>> {
  const { rows } = await sql<OpenSlices & { kind: string }>`${prepared}
    select state ->> 'kind' as kind, count(*) as open,
           count(*) filter (where state ->> 'isListed' is distinct from 'true') as unlisted
      from run_slices
     where organization_id = ${tenant.organizationId} and run_id = ${runId} and not is_done and state ? 'from'
     group by 1`.execute(tenant.sql)
  return new Map(rows.map(({ kind, open, unlisted }) => [kind, { open, unlisted }]))
}

export type HistoryWatermark = {
  /** Every object created at this time or later has been listed. */
  since: Instant
  /** Customers with a listed object whose nested lists are still open. */
  unfinished: string[]
}

/** How far back the lists of these kinds reach; null if one has not begun or none is open. */
export async function findHistoryWatermark(
  tenant: Tenant,
  runId: string,
  kinds: readonly string[],
): Promise<HistoryWatermark | null> {
  // More objects of the cursor's second may follow, so it does not count as listed.
  const { rows } = await sql<{
    isBegun: boolean
    since: Instant | null
    unfinished: string[] | null
  }>`${prepared}
    with open as (
      select state, state ->> 'isListed' is not distinct from 'true' as is_listed,
             coalesce((state ->> 'cursorAt')::bigint + 1, (state ->> 'until')::bigint) as since
        from run_slices
       where organization_id = ${tenant.organizationId} and run_id = ${runId} and not is_done
         and state ->> 'kind' = any(${kinds}::text[]))
    select coalesce(bool_and(is_listed or since is not null), false) as "isBegun",
           max(since) filter (where not is_listed) as since,
           (select array_agg(distinct object ->> 'customerId') filter (where object ->> 'customerId' is not null)
              from open cross join jsonb_array_elements(state -> 'rest') as object) as unfinished
      from open`.execute(tenant.sql)
  const [found] = rows
  return found?.isBegun ? { since: found.since ?? 0, unfinished: found.unfinished ?? [] } : null
}
