// A page does not wait for lists that are nested in its objects. It is saved with what it holds whole; its slice names the
// objects whose lists go on, and is done when those are complete. Another worker asks for them by their ids.

import type { Instant } from '#domain/instant.ts'
import {
  type IncompleteObject,
  type ObjectsRead,
  optionalKinds,
  type PageCursor,
  type PaymentsKind,
  type PaymentsObjects,
} from '../../providers/payments.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { tableOf } from '../../store/payments/payment-lists.ts'
import { saveSlices } from '../../store/runs/run-slices.ts'
import { addRunLog } from '../../store/runs/runs.ts'
import { changeHeldSlice, updateHeldSlices } from '../../store/runs/slice-leases.ts'
import { type ImportContext, write } from '../runs/run-context.ts'
import { batchMax, fetchBatch, leftOut } from './import-changed.ts'
import { advance, cursorOf, type KeptShare, leaseOf, type WindowSlice } from './import-slice.ts'
import { rowsOf } from './save-objects.ts'
import type { PageOfRows, PageWriter } from './save-pages.ts'

export type WindowReading = {
  holder: string
  writer: PageWriter
  /** Returns the share of a window with about `pagesLeft` pages that stays after each cut (`advance`). */
  keptShareOf: (slice: WindowSlice, pagesLeft: number) => KeptShare
  /** The parts that were cut off are saved and wait for a reader. */
  onCut: (kind: PaymentsKind, parts: number) => void
  onSaved: () => void
  /** All pages of a window are saved, though lists inside their objects may continue. */
  onListed: () => void
}

/**
 * Limits the unsaved pages of a window. The limit is lower while nested lists are open, because they can take
 * long.
 */
const pagesAhead = { whole: 8, unfinished: 4 }

/**
 * Reads a window to its end. It saves each page with its cursor in one transaction, in order, while it
 * fetches the next pages. Stops if another reader holds the window. Skips optional lists that the key may not
 * read.
 */
export async function importWindow(
  context: ImportContext,
  first: WindowSlice,
  reading: WindowReading,
): Promise<void> {
  const seen = new Set<string>()
  const pagesLeft = createEstimate(first)
  const saving = createSaving(first, reading)
  try {
    if (!(await saving.saveRests(fetchRests(context, first)))) return
    for (let slice = first; !slice.state.isListed; ) {
      const page = await fetchPage(context, slice).catch((error: unknown) => nullOfForbidden(slice, error))
      if (page === null)
        return await leaveOut(context, { ...slice, doneCount: await saving.end() }, reading.holder)
      const { next } = page
      if (next && seen.has(next.id))
        throw new ProviderError(
          'unavailable',
          `${context.deps.payments.name} repeats pages of a list over and over.`,
        )
      if (next) seen.add(next.id)
      const left = pagesLeft(slice, page)
      const advanced = advance(slice, next, left, reading.keptShareOf(slice, left))
      slice = advanced.slice
      if (!(await cutOff(context, slice, advanced.older, reading))) return
      if (!(await saving.add(page, slice))) return
    }
  } finally {
    await saving.end()
  }
}

/**
 * Saves the cut-off parts as slices, so that others read them at once. This precedes the next cut and the
 * window's last save: every part always has a slice. Returns false if another reader holds the window.
 */
async function cutOff(
  context: ImportContext,
  { slice, state }: WindowSlice,
  older: readonly WindowSlice[],
  { holder, onCut }: WindowReading,
): Promise<boolean> {
  if (older.length === 0) return true
  const { runId } = context.claim
  const isHeld = await write(context, async (tenant) => {
    const held = await changeHeldSlice(tenant, runId, leaseOf(holder), { slice, state: { from: state.from } })
    if (held) await saveSlices(tenant, runId, older)
    return held
  })
  if (isHeld) onCut(state.kind, older.length)
  return isHeld
}

type FetchedPage = PageOfRows & {
  next: PageCursor | null
  newestAt: Instant | null
  rest: FetchedRest | null
}
type FetchedRest = { objects: readonly IncompleteObject[]; whole: Promise<PageOfRows> }

/** Saves the pages of a window in order, and their nested lists in between. */
function createSaving(first: WindowSlice, { writer, onSaved, onListed }: WindowReading) {
  let saved = first
  let last = Promise.resolve(true)
  /** Pages that are not completely saved, or that failed to save. */
  const unsaved = new Set<Promise<boolean>>()
  /** `move` computes the window's state after this page from its state after every earlier save. */
  const save = (page: PageOfRows, move: (before: WindowSlice) => WindowSlice): Promise<boolean> => {
    const before = last
    const saving = async (): Promise<boolean> => {
      if (!(await before)) return false
      const wasListed = saved.state.isListed
      const moved = move(saved)
      const { isListed, rest } = moved.state
      const doneCount = saved.doneCount + page.items.length
      saved = { ...moved, doneCount, isDone: isListed && rest.length === 0 }
      if (!(await writer.save({ page, slice: saved }))) return false
      onSaved()
      if (isListed && !wasListed) onListed()
      return true
    }
    last = saving()
    return handled(last)
  }
  const saveRest = async ({ objects, whole }: FetchedRest): Promise<boolean> => {
    const ids = new Set(objects.map(({ id }) => id))
    return save(await whole, (before) =>
      withRest(
        before,
        before.state.rest.filter(({ id }) => !ids.has(id)),
      ),
    )
  }
  return {
    /** Waits while too many pages are unsaved. Returns false if another reader holds the window. */
    async add(page: FetchedPage, slice: WindowSlice): Promise<boolean> {
      const more = page.rest?.objects ?? []
      const isSaved = save(page, (before) => withRest(slice, [...before.state.rest, ...more]))
      const all = page.rest ? bothOf(isSaved, saveRest(page.rest)) : isSaved
      unsaved.add(all)
      handled(all.then((isHeld) => isHeld && unsaved.delete(all)))
      const most = page.rest ? pagesAhead.unfinished : pagesAhead.whole
      while (unsaved.size >= most) if (!(await Promise.race(unsaved))) return false
      return true
    },
    /** Saves the nested lists that an earlier reader of the window did not finish. */
    async saveRests(rests: AsyncIterable<FetchedRest>): Promise<boolean> {
      for await (const rest of rests) if (!(await saveRest(rest))) return false
      return true
    },
    /** Waits for every save and returns how many objects were saved; throws the first error. */
    async end(): Promise<number> {
      const ended = await Promise.allSettled(unsaved)
      for (const one of ended) if (one.status === 'rejected') throw one.reason
      return saved.doneCount
    },
  }
}

function withRest(slice: WindowSlice, rest: IncompleteObject[]): WindowSlice {
  return { ...slice, state: { ...slice.state, rest } }
}

/** Awaited later; this stops an early rejection from being reported as unhandled. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

async function bothOf(one: Promise<boolean>, other: Promise<boolean>): Promise<boolean> {
  return !(await Promise.all([one, other])).includes(false)
}

/** Estimates the pages left, on the assumption that the window stays as dense as before. */
function createEstimate(first: WindowSlice): (slice: WindowSlice, page: FetchedPage) => number {
  let top: Instant | null = first.state.cursorAt ?? first.state.until
  let pages = 0
  return ({ state }, { next, newestAt }) => {
    pages += 1
    top ??= newestAt
    const bottom = state.from ?? state.oldestAt
    if (next === null || top === null || bottom === null) return 0
    return (pages * (next.createdAt - bottom)) / Math.max(1, top - next.createdAt)
  }
}

/** Fetches the next page. It keeps only the rows of the objects, so that waiting pages need little memory. */
async function fetchPage(context: ImportContext, slice: WindowSlice): Promise<FetchedPage> {
  const { kind, from, until } = slice.state
  const askedAt = context.deps.now()
  const inRows = (read: ObjectsRead<PaymentsObjects[PaymentsKind]>): PageOfRows => ({
    items: rowsOf(kind, read.items),
    unreadable: read.unreadable,
    askedAt,
  })
  const query = { created: { from, until }, after: cursorOf(slice) }
  const { next, newestAt, rest, ...read } = await context.reader.listPage(kind, query)
  const whole = rest && handled(rest.whole.then(inRows))
  return { ...inRows(read), next, newestAt, rest: rest && whole && { objects: rest.objects, whole } }
}

/** Fetches by id the objects whose nested lists an earlier reader did not finish. */
async function* fetchRests(context: ImportContext, { state }: WindowSlice): AsyncGenerator<FetchedRest> {
  for (let at = 0; at < state.rest.length; at += batchMax) {
    const objects = state.rest.slice(at, at + batchMax)
    const kind = tableOf(state.kind)
    const ids = objects.map(({ id }) => id)
    const { items, refused, askedAt } = await fetchBatch(context, kind, ids)
    const unreadable = refused.map(({ sourceId, message }) => ({ id: sourceId, message }))
    yield { objects, whole: Promise.resolve({ items: rowsOf(kind, items), unreadable, askedAt }) }
  }
}

function nullOfForbidden(slice: WindowSlice, error: unknown): null {
  const isOptional = optionalKinds.includes(slice.state.kind)
  if (isOptional && error instanceof ProviderError && error.kind === 'forbidden') return null
  throw error
}

async function leaveOut(context: ImportContext, slice: WindowSlice, holder: string): Promise<void> {
  const { runId } = context.claim
  await write(context, async (tenant) => {
    const held = await updateHeldSlices(tenant, runId, leaseOf(holder), [{ ...slice, isDone: true }])
    if (held.size === 0) return
    await addRunLog(tenant, runId, leftOut, context.deps.now())
  })
}
