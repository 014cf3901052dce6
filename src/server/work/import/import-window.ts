// A page does not wait for lists that are nested in its objects. It is saved with what it holds whole; its window names the
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
import {
  cutHeldWindow,
  type ImportWindow,
  saveWindows,
  updateHeldWindows,
} from '../../store/runs/import-windows.ts'
import { addRunLog } from '../../store/runs/run-lines.ts'
import { type ImportContext, write } from '../runs/run-context.ts'
import { batchMax, fetchBatch, leftOut } from './fetch-objects.ts'
import { rowsOf } from './save-objects.ts'
import type { PageOfRows, PageWriter } from './save-pages.ts'
import { advance, type KeptShare } from './window-splitting.ts'
import { cursorOf, leaseOf } from './windows.ts'

export type WindowReading = {
  holder: string
  writer: PageWriter
  /** Returns the share of a window with about `pagesLeft` pages that stays after each cut (`advance`). */
  keptShareOf: (window: ImportWindow, pagesLeft: number) => KeptShare
  /** The parts that were cut off are saved and wait for a reader. */
  onCut: (kind: PaymentsKind, parts: number) => void
  onSaved: () => void
  /** All pages of a window are saved, though lists inside their objects may continue. */
  onAllPagesRead: () => void
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
  first: ImportWindow,
  reading: WindowReading,
): Promise<void> {
  const seen = new Set<string>()
  const pagesLeft = createEstimate(first)
  const saving = createSaving(first, reading)
  try {
    if (!(await saving.saveRests(fetchRests(context, first)))) return
    for (let window = first; !window.allPagesRead; ) {
      const page = await fetchPage(context, window).catch((error: unknown) => nullOfForbidden(window, error))
      if (page === null)
        return await leaveOut(context, { ...window, doneCount: await saving.end() }, reading.holder)
      const { next } = page
      if (page.isRepeating) seen.clear()
      if (next && seen.has(next.id))
        throw new ProviderError(
          'unavailable',
          `${context.deps.payments.name} repeats pages of a list over and over.`,
        )
      if (next) seen.add(next.id)
      const left = pagesLeft(window, page)
      const advanced = advance(window, next, left, reading.keptShareOf(window, left))
      window = advanced.window
      if (!(await cutOff(context, window, advanced.older, reading))) return
      if (!(await saving.add(page, window))) return
    }
  } finally {
    await saving.end()
  }
}

/**
 * Saves the cut-off parts as windows, so that others read them at once. This precedes the next cut and the
 * window's last save: every part always has a row. Returns false if another reader holds the window.
 */
async function cutOff(
  context: ImportContext,
  window: ImportWindow,
  older: readonly ImportWindow[],
  { holder, onCut }: WindowReading,
): Promise<boolean> {
  if (older.length === 0) return true
  const { runId } = context.claim
  const isHeld = await write(context, async (tenant) => {
    const held = await cutHeldWindow(tenant, runId, leaseOf(holder), window)
    if (held) await saveWindows(tenant, runId, older)
    return held
  })
  if (isHeld) onCut(window.kind, older.length)
  return isHeld
}

type FetchedPage = PageOfRows & {
  next: PageCursor | null
  newestAt: Instant | null
  isRepeating: boolean
  rest: FetchedRest | null
}
type FetchedRest = { objects: readonly IncompleteObject[]; whole: Promise<PageOfRows> }

/** Saves the pages of a window in order, and their nested lists in between. */
function createSaving(first: ImportWindow, { writer, onSaved, onAllPagesRead }: WindowReading) {
  let saved = first
  let last = Promise.resolve(true)
  /** Pages that are not completely saved, or that failed to save. */
  const unsaved = new Set<Promise<boolean>>()
  /** `move` computes the window after this page from the window after every earlier save. */
  const save = (page: PageOfRows, move: (before: ImportWindow) => ImportWindow): Promise<boolean> => {
    const earlier = last
    const saving = async (): Promise<boolean> => {
      if (!(await earlier)) return false
      const before = saved
      const moved = move(before)
      const isDone = moved.allPagesRead && moved.incomplete.length === 0
      saved = { ...moved, doneCount: before.doneCount + page.items.length, isDone }
      if (!(await writer.save({ page, window: saved }))) return false
      onSaved()
      if (saved.allPagesRead && !before.allPagesRead) onAllPagesRead()
      return true
    }
    last = saving()
    return handled(last)
  }
  const saveRest = async ({ objects, whole }: FetchedRest): Promise<boolean> => {
    const ids = new Set(objects.map(({ id }) => id))
    return save(await whole, (before) => ({
      ...before,
      incomplete: before.incomplete.filter(({ id }) => !ids.has(id)),
    }))
  }
  return {
    /** Waits while too many pages are unsaved. Returns false if another reader holds the window. */
    async add(page: FetchedPage, window: ImportWindow): Promise<boolean> {
      const more = page.rest?.objects ?? []
      const isSaved = save(page, (before) => ({
        ...window,
        incomplete: [...before.incomplete, ...more],
      }))
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

/** Awaited later; this stops an early rejection from being reported as unhandled. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

async function bothOf(one: Promise<boolean>, other: Promise<boolean>): Promise<boolean> {
  return !(await Promise.all([one, other])).includes(false)
}

/** Estimates the pages left, on the assumption that the window stays as dense as before. */
function createEstimate(first: ImportWindow): (window: ImportWindow, page: FetchedPage) => number {
  let top: Instant | null = first.cursorAt ?? first.until
  let pages = 0
  return ({ from, oldestAt }, { next, newestAt }) => {
    pages += 1
    top ??= newestAt
    const bottom = from ?? oldestAt
    if (next === null || top === null || bottom === null) return 0
    return (pages * (next.createdAt - bottom)) / Math.max(1, top - next.createdAt)
  }
}

/** Fetches the next page. It keeps only the rows of the objects, so that waiting pages need little memory. */
async function fetchPage(context: ImportContext, window: ImportWindow): Promise<FetchedPage> {
  const { kind, from, until } = window
  const askedAt = context.deps.now()
  const inRows = (read: ObjectsRead<PaymentsObjects[PaymentsKind]>): PageOfRows => ({
    items: rowsOf(kind, read.items),
    unreadable: read.unreadable,
    askedAt,
  })
  const query = { created: { from, until }, after: cursorOf(window) }
  const { next, newestAt, isRepeating, rest, ...read } = await context.reader.listPage(kind, query)
  const whole = rest && handled(rest.whole.then(inRows))
  return {
    ...inRows(read),
    next,
    newestAt,
    isRepeating,
    rest: rest && whole && { objects: rest.objects, whole },
  }
}

/** Fetches by id the objects whose nested lists an earlier reader did not finish. */
async function* fetchRests(context: ImportContext, window: ImportWindow): AsyncGenerator<FetchedRest> {
  for (let at = 0; at < window.incomplete.length; at += batchMax) {
    const objects = window.incomplete.slice(at, at + batchMax)
    const kind = tableOf(window.kind)
    const ids = objects.map(({ id }) => id)
    const { items, refused, askedAt } = await fetchBatch(context, kind, ids)
    const unreadable = refused.map(({ sourceId, message }) => ({ id: sourceId, message }))
    yield { objects, whole: Promise.resolve({ items: rowsOf(kind, items), unreadable, askedAt }) }
  }
}

function nullOfForbidden({ kind }: ImportWindow, error: unknown): null {
  const isOptional = optionalKinds.includes(kind)
  if (isOptional && error instanceof ProviderError && error.kind === 'forbidden') return null
  throw error
}

async function leaveOut(context: ImportContext, window: ImportWindow, holder: string): Promise<void> {
  const { runId } = context.claim
  await write(context, async (tenant) => {
    const done = { ...window, allPagesRead: true, isDone: true }
    const held = await updateHeldWindows(tenant, runId, leaseOf(holder), [done])
    if (held.size === 0) return
    await addRunLog(tenant, runId, leftOut, context.deps.now())
  })
}
