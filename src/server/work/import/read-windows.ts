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

/** Windows that one process reads beside each other; the rate limit of the account is what bounds them. */
const windowsInFlight = 16
/**
 * While one of these lists has many pages left, or it is not known how many, it goes before the history, of which then no
 * more than so many windows of each kind are taken up.
 */
const current = {
  kinds: ['current_subscriptions', 'customers'],
  pagesMin: 100,
  historyMost: 2,
} as const
/** So many of each kind are taken up before any kind has more: each list has a rate limit of its own. */
const readBeside = 4
/** How often a process looks whether others have cut a window, and how far the kinds are. */
const lookEveryMs = 1_000

export type ReadingEvents = BesideReading & { onSaved: () => void }

export type BesideReading = {
  /** Told of the open windows of each kind at every look; what it gives back is done meanwhile. */
  onLook: (open: ReadonlyMap<string, OpenSlices>) => WorkBeside | undefined
  /** Asked at every look, and told whether a list that goes before the history is still long; null where that is not known. */
  isHistoryHeldBack: (isCurrentLong: boolean | null) => boolean
}

/** What is done beside the lists; it may ask for the next look to be at once. */
export type WorkBeside = (context: ImportContext, lookAgain: () => void) => Promise<void>

/**
 * Reads windows of the run, beside any number of other processes, until none is left. A window is read by who holds its
 * lease; one whose holder died is taken up where it stands when the lease ends.
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
    keptShareOf: ({ slice, state: { kind, from } }, pagesLeft) =>
      cuts.keptShareOf({ slice, kind, pagesLeft, isOldest: from === null }),
    onCut: (kind, parts) => {
      cuts.noteCut(kind, parts)
      flight.wake()
    },
    onSaved: events.onSaved,
    onEnded: ({ slice, state: { kind } }) => cuts.noteEnded(slice, kind),
    onListed: (slice) => {
      cuts.noteListed(slice)
      flight.wake()
    },
  }
  let windowCount = 0
  const read = (slice: WindowSlice): Promise<void> => {
    windowCount += 1
    return importWindow(inFlight, slice, reading).finally(() => {
      windowCount -= 1
      cuts.forget(slice.slice)
    })
  }
  /** Notes what is open, and says how many windows of each kind of the history may be read: null for any number. */
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
      // What came to its end during the look still counted as open in it.
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

/** The first page says how a list is cut, and what is not cut is read one page after the other. */
function longestFirst(slices: readonly WindowSlice[]): WindowSlice[] {
  const isHistory = ({ state }: WindowSlice) => historyKinds.includes(state.kind)
  return [...slices.filter(isHistory), ...slices.filter((slice) => !isHistory(slice))]
}

/** What is open, and what of it is taken up: up to so many windows, of the history no more than is said of what is open. */
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

/** While pages are long in coming, as when the provider asks for patience. A failure shows at the next write. */
async function keepLeases({ deps, claim }: ImportContext, holder: string): Promise<void> {
  await inOrganization(deps.database, claim.organizationId, (tenant) =>
    renewLeases(tenant, claim.runId, leaseOf(holder)),
  ).catch(() => {})
}

/** So that others need not wait for the leases of who stops early; where that fails, they do. */
async function release({ deps, claim }: ImportContext, holder: string): Promise<void> {
  await inOrganization(deps.database, claim.organizationId, (tenant) =>
    releaseSlices(tenant, claim.runId, holder),
  ).catch(() => {})
}
