import { type Instant, instantOfDate } from '#domain/instant.ts'
import type { PaymentsKind } from '../providers/payments.ts'
import { inOrganization } from '../store/database.ts'
import type { DueCustomer } from '../store/rebuild-evidence.ts'
import { findReadSoFar, type OpenSlices } from '../store/slice-leases.ts'
import type { ImportContext } from './import/import-context.ts'
import { currentKinds, historyKinds } from './import/import-slice.ts'
import type { ReadingEvents } from './import/read-windows.ts'
import { further, lanesMax, previewFigures, rebuildAhead } from './rebuild-events.ts'

/** What figures are computed with. */
const catalogKinds: readonly PaymentsKind[] = ['products', 'prices_active', 'prices_archived', 'coupons']
/** What is read sooner than that is rebuilt as a whole instead. */
const previewAfterMs = 10_000
/** From then on the current figures follow what comes in this often, and at once when all of it is in. */
const previewEveryMs = 1_000
const rebuildEveryMs = 1_000

type Open = ReadonlyMap<string, OpenSlices>

/**
 * What a first import works out while its lists are still being read: the current figures long before there is a history;
 * then, as the lists go back in time, the ledger of customers whose history is in. Before each of them `refresh` lets the
 * planner know how large the tables have become.
 */
export function createWorkAhead(
  { deps }: ImportContext,
  knownAt: Instant,
  refresh: () => Promise<void>,
): ReadingEvents['onLook'] {
  const previews = createPreviews(deps.now)
  const rebuilds = createRebuilds(deps.now)
  let busy = 0
  return (open) => {
    if (!isAnyOpen(open, historyKinds) || isAnyOpen(open, catalogKinds)) return undefined
    const isCurrent = !isAnyOpen(open, currentKinds)
    const work =
      busy < lanesMax ? (previews(isCurrent) ?? (isCurrent ? rebuilds(open) : undefined)) : undefined
    if (!work) return undefined
    busy += 1
    return async (context) => {
      await refresh()
      await work(context, knownAt)
      busy -= 1
    }
  }
}

type Work = (context: ImportContext, knownAt: Instant) => Promise<void>

function isAnyOpen(open: Open, kinds: readonly PaymentsKind[]): boolean {
  return kinds.some((kind) => open.has(kind))
}

function createPreviews(now: () => Date): (isCurrent: boolean) => Work | undefined {
  let [isBegun, isBusy, isLast] = [false, false, false]
  let wantedAt = now().getTime() + previewAfterMs
  return (isCurrent) => {
    const isWanted = now().getTime() >= wantedAt || (isCurrent && isBegun)
    if (isBusy || isLast || !isWanted) return undefined
    isBegun = true
    isBusy = true
    isLast = isCurrent
    return async (context) => {
      await previewFigures(context, instantOfDate(now()))
      isBusy = false
      wantedAt = now().getTime() + previewEveryMs
    }
  }
}

/** Wanted again at once while there is more, else once a list has come to its end or been cut, and after a while. */
function createRebuilds(now: () => Date): (open: Open) => Work | undefined {
  let after: DueCustomer | null = null
  let isMore = false
  let openBefore = ''
  let doneAt = 0
  return (open) => {
    const openNow = JSON.stringify([...open].sort())
    if (!isMore && openNow === openBefore && now().getTime() - doneAt < rebuildEveryMs) return undefined
    openBefore = openNow
    return async (context, knownAt) => {
      const { claim } = context
      const read = await inOrganization(context.deps.database, claim.organizationId, (tenant) =>
        findReadSoFar(tenant, claim.runId, historyKinds),
      )
      const last = read === null ? undefined : await rebuildAhead(context, knownAt, { ...read, after })
      after = last ? further(last, after) : after
      isMore = last !== undefined
      doneAt = now().getTime()
    }
  }
}
