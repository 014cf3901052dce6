// The current MRR comes first, even where the machine is the limit: while the lists of a first import that it needs are long
// or of unknown length, only two windows of each list of the history are read beside them. Otherwise all lists are read at
// full pace from the first second.

import { inOrganization } from '../../store/postgres/database.ts'
import {
  countOpenSlices,
  type OpenSlices,
  releaseSlices,
  renewLeases,
  takeSlices,
} from '../../store/runs/slice-leases.ts'
import { type ImportContext, write } from '../runs/run-context.ts'
import { createFlight } from '../runs/task-group.ts'
import {
  historyKinds,
  importSliceOf,
  isWindow,
  leaseOf,
  readSliceState,
  renewEveryMs,
  type WindowSlice,
} from './import-slice.ts'
import { importWindow, type WindowReading } from './import-window.ts'
import { createPageWriter } from './save-pages.ts'
import { createCuts } from './window-splitting.ts'

/** One process reads at most this number of windows at once; the account's rate limit is the real bound. */
const windowsInFlight = 16
/**
 * While one of these lists has `pagesMin` pages left or an unknown number, it precedes the history. Then at
 * most `historyMost` windows of each history kind are read.
 */
const current = {
  kinds: ['current_subscriptions', 'customers'],
  pagesMin: 100,
  historyMost: 2,
} as const
/**
 * Each kind gets this number of readers before any kind gets more, since each list has its own rate limit.
 */
const readBeside = 4
/** How often a process checks for windows that others cut, and for progress of each kind. */
const lookEveryMs = 1_000

export type ReadingEvents = BesideReading & { onSaved: () => void }

export type BesideReading = {
  /** Receives the open windows of each kind once per look; the returned work runs beside the reading. */
  onLook: (open: ReadonlyMap<string, OpenSlices>) => WorkBeside | undefined
  /**
   * Decides at each look whether history lists wait. `isCurrentLong`: whether a current list still has many
   * pages; null if unknown.
   */
  isHistoryHeldBack: (isCurrentLong: boolean | null) => boolean
}

/** Work that runs beside the lists; it may request an immediate next look. */
export type WorkBeside = (context: ImportContext, lookAgain: () => void) => Promise<void>

/**
 * Reads windows of the run, beside any number of other processes, until none is left. Only the holder of a
 * lease reads a window. When a dead holder's lease ends, another reader continues from the saved cursor.
 */
export async function readWindows(context: ImportContext, events: ReadingEvents): Promise<void> {
  const { deps } = context
  const holder = deps.newId()
  const flight = createFlight(context.signal)
  const inFlight = { ...context, signal: flight.signal }
  const cuts = createCuts()
  const reading: WindowReading = {
    holder,
    writer: createPageWriter(inFlight, holder),
    keptShareOf: ({ slice, state: { kind } }, pagesLeft) => cuts.keptShareOf({ slice, kind, pagesLeft }),
    onCut: (kind, parts) => {
      cuts.noteCut(kind, parts)
      flight.wake()
    },
    onSaved: events.onSaved,
    onListed: flight.wake,
  }
  let windowCount = 0
  const read = (slice: WindowSlice): Promise<void> => {
    windowCount += 1
    return importWindow(inFlight, slice, reading).finally(() => {
      windowCount -= 1
      cuts.forget(slice.slice)
    })
  }
  /**
   * Notes the open windows, and returns how many windows of each history kind may be read; null means no
   * limit.
   */
  const historyMost = (open: ReadonlyMap<string, OpenSlices>): number | null => {
    cuts.noteOpen(new Map([...open].map(([kind, { unlisted }]) => [kind, unlisted])))
    const areLong = current.kinds.map((kind) => cuts.isLong(kind, current.pagesMin))
    const isAnyLong = areLong.includes(true) || (areLong.includes(null) ? null : false)
    return events.isHistoryHeldBack(isAnyLong) ? current.historyMost : null
  }
  const renewing = setInterval(() => void keepLeases(context, holder), renewEveryMs)
  const looking = setInterval(flight.wake, lookEveryMs)
  try {
    while (!flight.signal.aborted) {
      const changed = flight.changed()
      const wasReading = flight.size > 0
      const { taken, open } = await look(inFlight, holder, windowsInFlight - windowCount, historyMost)
      const more = events.onLook(open)
      if (more) flight.start(() => more(inFlight, flight.wake))
      for (const slice of longestFirst(taken)) flight.start(() => read(slice))
      if (flight.size > 0) await changed
      else if (open.size === 0) break
      // The look still counted a window that ended during it.
      else if (!wasReading) await deps.sleep(lookEveryMs, context.signal)
    }
  } catch (error) {
    flight.fail(error)
  } finally {
    clearInterval(renewing)
    clearInterval(looking)
    await flight.land().finally(() => release(context, holder))
  }
}

/**
 * History lists first: their first page decides how they are cut, and an uncut list can only be read page by
 * page.
 */
function longestFirst(slices: readonly WindowSlice[]): WindowSlice[] {
  const isHistory = ({ state }: WindowSlice) => historyKinds.includes(state.kind)
  return [...slices.filter(isHistory), ...slices.filter((slice) => !isHistory(slice))]
}

/**
 * Counts the open windows and takes leases on up to `limit` of them, and on as many history windows as
 * `historyMost` allows.
 */
async function look(
  context: ImportContext,
  holder: string,
  limit: number,
  historyMost: (open: ReadonlyMap<string, OpenSlices>) => number | null,
): Promise<{ taken: WindowSlice[]; open: Map<string, OpenSlices> }> {
  const { runId } = context.claim
  return write(context, async (tenant) => {
    const open = await countOpenSlices(tenant, runId)
    const most = historyMost(open)
    if (limit === 0) return { taken: [], open }
    const history = { kinds: historyKinds, most }
    const want = { lease: leaseOf(holder), limit, readBeside, history }
    const taken = await takeSlices(tenant, runId, want, readSliceState)
    return { taken: taken.map(importSliceOf).filter(isWindow), open }
  })
}

/**
 * Renews the leases while pages take long, for instance while the provider limits requests. A failure shows
 * at the next write.
 */
async function keepLeases({ deps, claim }: ImportContext, holder: string): Promise<void> {
  await inOrganization(deps.database, claim.organizationId, (tenant) =>
    renewLeases(tenant, claim.runId, leaseOf(holder)),
  ).catch(() => {})
}

/** Releases the leases early, so that others need not wait. If this fails, they wait until the leases end. */
async function release({ deps, claim }: ImportContext, holder: string): Promise<void> {
  await inOrganization(deps.database, claim.organizationId, (tenant) =>
    releaseSlices(tenant, claim.runId, holder),
  ).catch(() => {})
}
