import { inOrganization } from '../../store/database.ts'
import {
  countOpenSlices,
  type OpenSlices,
  releaseSlices,
  renewLeases,
  takeSlices,
} from '../../store/slice-leases.ts'
import { createFlight } from './flight.ts'
import { type ImportContext, write } from './import-context.ts'
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
import { createPageWriter } from './page-writer.ts'

/** Windows that one process reads beside each other; the rate limit of the account is what bounds them. */
const windowsInFlight = 16
/** So that the history does not hold them up: while one of these lists has many pages left, or it is not known how many. */
const whileCurrent = { kinds: ['subscriptions', 'customers'], windowsInFlight: 12, pagesMin: 100 }
/** So many of each kind are taken up before any kind has more: each list has a rate limit of its own. */
const readBeside = 4
/** How often a process looks whether others have cut a window, and how far the kinds are. */
const lookEveryMs = 1_000
/**
 * What is left of the longest window of a kind is cut for others to read while fewer are open than these, and about so many
 * pages are left. Each cut costs about half a request more.
 */
const cuts = { whileOpen: 4, pagesMin: 3 }
/**
 * Of a long window of the history only the newest pages stay, and the rest is cut again: so all that read it are near each
 * other, and what is in reaches back without a gap. Of any other equal parts are made, so that they end together.
 */
const kept = { pagesMin: 24, share: 1 / 9 }

export type ReadingEvents = {
  onSaved: () => void
  /** Told of the open windows of each kind at every look; what it gives back is done meanwhile. */
  onLook: (open: ReadonlyMap<string, OpenSlices>) => ((context: ImportContext) => Promise<void>) | undefined
}

/**
 * Reads windows of the run, beside any number of other processes, until none is left. A window is read by who holds its
 * lease; one whose holder died is taken up where it stands when the lease ends.
 */
export async function readWindows(context: ImportContext, events: ReadingEvents): Promise<void> {
  const { deps } = context
  const holder = deps.newId()
  const flight = createFlight(context.signal)
  const inFlight = { ...context, signal: flight.signal }
  const openOf = new Map<string, number>()
  const left = new Map<string, { kind: string; pages: number }>()
  const pagesOf = (kind: string) => [...left.values()].flatMap((one) => (one.kind === kind ? one.pages : []))
  const isLong = (kind: string) => {
    const pages = pagesOf(kind)
    const isOpen = (openOf.get(kind) ?? 0) > 0
    return isOpen && (pages.length === 0 || Math.max(...pages) >= whileCurrent.pagesMin)
  }
  const reading: WindowReading = {
    holder,
    writer: createPageWriter(inFlight, holder),
    keptShareOf: ({ slice, state: { kind } }, pagesLeft) => {
      left.set(slice, { kind, pages: pagesLeft })
      const isLongest = pagesOf(kind).every((pages) => pagesLeft >= pages / 2)
      const open = openOf.get(kind) ?? 1
      return (pages, partsBefore) => {
        const isWanted = isLongest && open + partsBefore < cuts.whileOpen && pages >= cuts.pagesMin
        if (!isWanted) return null
        const equal = 1 / (1 + cuts.whileOpen - open - partsBefore)
        const newest = Math.min(1 / 2, Math.max(kept.share, kept.pagesMin / pages))
        const share = historyKinds.includes(kind) ? newest : equal
        if (partsBefore === 0) left.set(slice, { kind, pages: pages * share })
        return share
      }
    },
    onCut: (kind, parts) => {
      openOf.set(kind, (openOf.get(kind) ?? 1) + parts)
      flight.wake()
    },
    onSaved: events.onSaved,
  }
  const renewing = setInterval(() => void keepLeases(context, holder), renewEveryMs)
  const looking = setInterval(flight.wake, lookEveryMs)
  try {
    while (!flight.signal.aborted) {
      const changed = flight.changed()
      const wasReading = flight.size > 0
      const most = whileCurrent.kinds.some(isLong) ? whileCurrent.windowsInFlight : windowsInFlight
      const { taken, open } = await look(inFlight, holder, most - flight.size)
      openOf.clear()
      for (const [kind, { unlisted }] of open) openOf.set(kind, unlisted)
      const more = events.onLook(open)
      if (more) flight.start(() => more(inFlight))
      for (const slice of taken)
        flight.start(() => importWindow(inFlight, slice, reading).finally(() => left.delete(slice.slice)))
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

async function look(
  context: ImportContext,
  holder: string,
  room: number,
): Promise<{ taken: WindowSlice[]; open: Map<string, OpenSlices> }> {
  const at = context.deps.now()
  const { runId } = context.claim
  return write(context, async (tenant) => {
    const want = { lease: leaseOf(holder, at), at, limit: room, readBeside, newestFirst: historyKinds }
    const taken = room > 0 ? await takeSlices(tenant, runId, want, readSliceState) : []
    return { taken: taken.map(importSliceOf).filter(isWindow), open: await countOpenSlices(tenant, runId) }
  })
}

/** While pages are long in coming, as when the provider asks for patience. A failure shows at the next write. */
async function keepLeases({ deps, claim }: ImportContext, holder: string): Promise<void> {
  await inOrganization(deps.database, claim.organizationId, (tenant) =>
    renewLeases(tenant, claim.runId, leaseOf(holder, deps.now())),
  ).catch(() => {})
}

/** So that others need not wait for the leases of who stops early; where that fails, they do. */
async function release({ deps, claim }: ImportContext, holder: string): Promise<void> {
  await inOrganization(deps.database, claim.organizationId, (tenant) =>
    releaseSlices(tenant, claim.runId, holder),
  ).catch(() => {})
}
