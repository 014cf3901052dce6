import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '#domain/instant.ts'
import { type ListOfObjects, listOf } from '../payments/payment-lists.ts'
import type { Tenant } from '../postgres/database.ts'
import { jsonRows } from '../postgres/json-rows.ts'
import { prepared } from '../postgres/prepared.ts'

/** An object whose nested lists are still to be read. */
type Incomplete = { id: string; customerId: string | null }

/** A list between two instants of creation, half open; null means no bound. */
export type ImportWindow = {
  id: string
  kind: ListOfObjects
  from: Instant | null
  until: Instant | null
  /** Known lower bound of the creation times in this list; null if unknown. */
  oldestAt: Instant | null
  /** Reading continues after this object, which was created at `cursorAt`. */
  cursorId: string | null
  cursorAt: Instant | null
  /** Whether the last page is saved. The window is done once `incomplete` is empty as well. */
  allPagesRead: boolean
  incomplete: readonly Incomplete[]
  doneCount: number
  isDone: boolean
}

/** A window that is not done. */
export type OpenWindow = ImportWindow & {
  /** Nobody holds it, or its holder's lease has ended. */
  isFree: boolean
}

/**
 * Who reads a window and how long it excludes others, by the database's clock, because machine clocks differ.
 */
export type Lease = { holder: string; ms: number }

/** Adds windows; a window of the same id is overwritten. */
export async function saveWindows(
  tenant: Tenant,
  runId: string,
  windows: readonly ImportWindow[],
): Promise<void> {
  if (windows.length === 0) return
  await sql`
    insert into import_windows (organization_id, run_id, id, kind, created_from, created_until, oldest_at, cursor_id, cursor_at,
                                all_pages_read, incomplete_ids, incomplete_customer_ids, done_count, is_done)
    select ${tenant.organizationId}, ${runId}, id, kind, "from", until, "oldestAt", "cursorId", "cursorAt",
           "allPagesRead", "incompleteIds", "incompleteCustomerIds", "doneCount", "isDone"
      from ${givenWindows(windows)}
    on conflict (organization_id, run_id, id) do update set
      created_from = excluded.created_from, cursor_id = excluded.cursor_id, cursor_at = excluded.cursor_at,
      all_pages_read = excluded.all_pages_read, incomplete_ids = excluded.incomplete_ids,
      incomplete_customer_ids = excluded.incomplete_customer_ids, done_count = excluded.done_count,
      is_done = excluded.is_done`.execute(tenant.sql)
}

function givenWindows(windows: readonly ImportWindow[]): RawBuilder<unknown> {
  const rows = windows.map(({ incomplete, ...window }) => ({
    ...window,
    incompleteIds: incomplete.map(({ id }) => id),
    incompleteCustomerIds: incomplete.map(({ customerId }) => customerId),
  }))
  return sql`jsonb_to_recordset(${jsonRows(rows)}::jsonb) as given (
    id text, kind text, "from" bigint, until bigint, "oldestAt" bigint, "cursorId" text, "cursorAt" bigint,
    "allPagesRead" boolean, "incompleteIds" text[], "incompleteCustomerIds" text[], "doneCount" integer, "isDone" boolean)`
}

const columns = sql.raw(`
  id, kind, created_from as "from", created_until as until, oldest_at as "oldestAt", cursor_id as "cursorId",
  cursor_at as "cursorAt", all_pages_read as "allPagesRead", incomplete_ids as "incompleteIds",
  incomplete_customer_ids as "incompleteCustomerIds", done_count as "doneCount", is_done as "isDone"`)

type WindowRow = Omit<ImportWindow, 'kind' | 'incomplete'> & {
  kind: string
  incompleteIds: string[]
  incompleteCustomerIds: (string | null)[]
}

function windowOf<Row extends WindowRow>({ kind, incompleteIds, incompleteCustomerIds, ...row }: Row) {
  const incomplete = incompleteIds.map((id, index) => ({
    id,
    customerId: incompleteCustomerIds[index] ?? null,
  }))
  return { ...row, kind: listOf(kind), incomplete }
}

/** The windows of a run that are not done, as `holder` finds them: it is never free of its own windows. */
export async function listOpenWindows(tenant: Tenant, runId: string, holder: string): Promise<OpenWindow[]> {
  const { rows } = await sql<WindowRow & { isFree: boolean }>`${prepared}
    select ${columns}, ${isFree(holder)} as "isFree"
      from import_windows
     where organization_id = ${tenant.organizationId} and run_id = ${runId} and not is_done`.execute(
    tenant.sql,
  )
  return rows.map(windowOf)
}

/** The holder still reads a window it holds itself, even if the renewal is late. */
function isFree(holder: string): RawBuilder<boolean> {
  return sql`(holder is null or (lease_until <= statement_timestamp() and holder <> ${holder}))`
}

function endOf({ ms }: Lease): RawBuilder<Date> {
  return sql`statement_timestamp() + ${ms}::integer * interval '1 ms'`
}

/**
 * Leases these windows, except those that another reader has taken since. Returns the leased ones as they are now: their
 * last reader may have moved their cursors after the caller chose them.
 */
export async function takeWindows(
  tenant: Tenant,
  runId: string,
  lease: Lease,
  ids: readonly string[],
): Promise<ImportWindow[]> {
  const { rows } = await sql<WindowRow>`${prepared}
    with free as materialized (
      select id as free_id from import_windows
       where organization_id = ${tenant.organizationId} and run_id = ${runId} and id = any(${ids}::text[])
         and not is_done and ${isFree(lease.holder)}
         for update skip locked)
    update import_windows as taken set holder = ${lease.holder}, lease_until = ${endOf(lease)}
      from free
     where taken.organization_id = ${tenant.organizationId} and taken.run_id = ${runId} and taken.id = free.free_id
    returning ${columns}`.execute(tenant.sql)
  return rows.map(windowOf).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

/**
 * Saves the progress of windows and renews their leases. Returns the windows that are still held; the caller
 * must write nothing for others, because another reader has them.
 */
export async function updateHeldWindows(
  tenant: Tenant,
  runId: string,
  lease: Lease,
  windows: readonly ImportWindow[],
): Promise<Set<string>> {
  // Bounds stay as they are, because a cut may have changed them since.
  const { rows } = await sql<{ id: string }>`${prepared}
    update import_windows as known set
      cursor_id = given."cursorId", cursor_at = given."cursorAt", all_pages_read = given."allPagesRead",
      incomplete_ids = given."incompleteIds", incomplete_customer_ids = given."incompleteCustomerIds",
      done_count = given."doneCount", is_done = given."isDone", lease_until = ${endOf(lease)},
      holder = case when given."isDone" then null else known.holder end
      from ${givenWindows(windows)}
     where known.organization_id = ${tenant.organizationId} and known.run_id = ${runId}
       and known.id = given.id and known.holder = ${lease.holder}
    returning known.id`.execute(tenant.sql)
  return new Set(rows.map(({ id }) => id))
}

/** Moves the older bound of a window that was cut. Returns false if the lease is lost. */
export async function cutHeldWindow(
  tenant: Tenant,
  runId: string,
  lease: Lease,
  { id, from }: Pick<ImportWindow, 'id' | 'from'>,
): Promise<boolean> {
  const changed = await tenant.sql
    .updateTable('import_windows')
    .set({ created_from: from, lease_until: endOf(lease) })
    .where('organization_id', '=', tenant.organizationId)
    .where('run_id', '=', runId)
    .where('id', '=', id)
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
      select id from import_windows
       where organization_id = ${tenant.organizationId} and run_id = ${runId} and holder = ${lease.holder}
         for no key update skip locked)
    update import_windows as known set lease_until = ${endOf(lease)}
      from held
     where known.organization_id = ${tenant.organizationId} and known.run_id = ${runId}
       and known.id = held.id`.execute(tenant.sql)
}

/** Releases the windows of one holder, or of all when another worker takes over the run. */
export async function releaseWindows(tenant: Tenant, runId: string, holder?: string): Promise<void> {
  await tenant.sql
    .updateTable('import_windows')
    .set({ holder: null, lease_until: null })
    .where('organization_id', '=', tenant.organizationId)
    .where('run_id', '=', runId)
    .where('holder', 'is not', null)
    .$if(holder !== undefined, (query) => query.where('holder', '=', holder ?? ''))
    .execute()
}
