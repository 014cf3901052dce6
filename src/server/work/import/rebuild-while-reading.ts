import { type Instant, instantOfDate } from '#domain/instant.ts'
import type { PaymentsKind } from '../../providers/payments.ts'
import type { DueCustomer } from '../../store/ledger/due-customers.ts'
import { reopenCustomersWithOlderObjects } from '../../store/ledger/reopen-customers.ts'
import { packCustomerTexts } from '../../store/lists/customer-texts.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { findHistoryWatermark, type OpenSlices } from '../../store/runs/slice-leases.ts'
import { createBatchSize } from '../ledger/batch-size.ts'
import { further, lanesMax, previewFigures, rebuildAhead } from '../ledger/rebuild-events.ts'
import { type ImportContext, write } from '../runs/run-context.ts'
import { completeCustomers } from './complete-references.ts'
import { currentKinds, historyKinds } from './import-slice.ts'
import type { BesideReading, WorkBeside } from './read-windows.ts'

/** What figures are computed with. */
const catalogKinds: readonly PaymentsKind[] = ['products', 'prices_active', 'prices_archived', 'coupons']
/** What tells which customers there were. */
const customerKinds: readonly PaymentsKind[] = [
  'customers',
  'subscriptions',
  'current_subscriptions',
  'ended_subscriptions',
]
/** What is read sooner than that is rebuilt as a whole instead; where the lists are long, it is known before that it is not. */
const previewAfterMs = { any: 10_000, long: 2_000 }
/** From then on the current figures follow what comes in this often, and at once when all of it is in. */
const previewEveryMs = 1_000
const rebuildEveryMs = 1_000

type Open = ReadonlyMap<string, OpenSlices>

/** What the end of an import need not do any more. */
export type RebuiltSoFar = {
  /** Customers that no list holds are asked for, or known as deleted. */
  areCustomersComplete: boolean
  /**
   * When all pages were in, whoever had been rebuilt too early was marked again; since then more has come of these customers
   * alone. Null where that has not been.
   */
  unfinishedAtCheck: string[] | null
}

type WorkAhead = BesideReading & { done: RebuiltSoFar }

/**
 * What a first import works out while its lists are still being read: the current figures long before there is a history;
 * then, as the lists go back in time, the ledger of customers whose history is in; and some of what its end would do.
 * Before most of them `refresh` lets the planner know how large the tables have become. From when current figures are worked
 * out until all of them stand, the history is held back. `customersSince` as in `completeReferences`.
 */
export function createRebuildWhileReading(
  { deps, claim }: ImportContext,
  { knownAt, customersSince }: { knownAt: Instant; customersSince: Instant },
  refresh: () => Promise<void>,
): WorkAhead {
  const done: RebuiltSoFar = { areCustomersComplete: false, unfinishedAtCheck: null }
  const previews = createPreviews(deps.now, claim.attempt > 1)
  const rebuilds = createRebuilds(deps.now)
  const completing = once(async (context) => {
    await refresh()
    await completeCustomers(context, customersSince)
    done.areCustomersComplete = true
  })
  // Who the customers are is known by then, so that hardly any of the texts they are searched by are left for the end.
  const packing = once((context) => write(context, packCustomerTexts))
  const checking = once(async (context) => {
    done.unfinishedAtCheck = await write(context, async (tenant) => {
      // Before the mark: what comes while that looks is looked at again.
      const read = await findHistoryWatermark(tenant, context.claim.runId, historyKinds)
      await reopenCustomersWithOlderObjects(tenant)
      return read?.unfinished ?? []
    })
  })
  let [busy, isAnyRebuilt, isCurrentLong] = [0, false, false]
  const onLook = (open: Open): WorkBeside | undefined => {
    if (!isAnyOpen(open, historyKinds) || isAnyOpen(open, catalogKinds)) return undefined
    const isCurrent = !isAnyOpen(open, currentKinds)
    const areAllListed = [...open.values()].every(({ unlisted }) => unlisted === 0)
    const first =
      (isAnyOpen(open, customerKinds) ? undefined : completing()) ??
      (done.areCustomersComplete && !areAllListed && !previews.areUnderWay() ? packing() : undefined) ??
      (areAllListed && isAnyRebuilt ? checking() : undefined)
    if (first) return first
    if (busy === lanesMax) return undefined
    const rebuild = () => {
      const work = rebuilds(open)
      isAnyRebuilt ||= work !== undefined
      return work
    }
    const mayRebuild = isCurrent && !previews.areUnderWay()
    const work = previews.next({ isCurrent, isCurrentLong }) ?? (mayRebuild ? rebuild() : undefined)
    if (!work) return undefined
    busy += 1
    return async (context, lookAgain) => {
      await refresh()
      await work(context, knownAt, lookAgain)
      busy -= 1
    }
  }
  const isHistoryHeldBack = (isLong: boolean | null) => {
    isCurrentLong = isLong === true
    return isLong !== false || previews.areUnderWay()
  }
  return { onLook, isHistoryHeldBack, done }
}

/** Done at the first call and never again; whatever else is to be done comes at once. */
function once(work: (context: ImportContext) => Promise<void>): () => WorkBeside | undefined {
  let isBegun = false
  return () => {
    if (isBegun) return undefined
    isBegun = true
    return (context, lookAgain) => {
      lookAgain()
      return work(context)
    }
  }
}

type Work = (context: ImportContext, knownAt: Instant, lookAgain: () => void) => Promise<void>

function isAnyOpen(open: Open, kinds: readonly PaymentsKind[]): boolean {
  return kinds.some((kind) => open.has(kind))
}

/**
 * The current figures: under way from when they are first worked out until that is done with all that is current. Where the
 * work is taken over, they may have been, and are at once.
 */
function createPreviews(now: () => Date, isTakenOver: boolean) {
  let [isBegun, isBusy, isLast] = [isTakenOver, false, false]
  const startedAt = now().getTime()
  let wantedAt = startedAt + (isTakenOver ? 0 : previewAfterMs.any)
  return {
    areUnderWay: (): boolean => isBegun && (isBusy || !isLast),
    next({ isCurrent, isCurrentLong }: { isCurrent: boolean; isCurrentLong: boolean }): Work | undefined {
      const at = now().getTime()
      const isLongEnough = isCurrentLong && !isBegun && at >= startedAt + previewAfterMs.long
      const isWanted = at >= wantedAt || isLongEnough || (isCurrent && isBegun)
      if (isBusy || isLast || !isWanted) return undefined
      isBegun = true
      isBusy = true
      isLast = isCurrent
      wantedAt = at + previewEveryMs
      return async (context) => {
        await previewFigures(context, instantOfDate(now()))
        isBusy = false
      }
    },
  }
}

/** Wanted again at once while there is more, else once a list has come to its end or been cut, and after a while. */
function createRebuilds(now: () => Date): (open: Open) => Work | undefined {
  const portion = createBatchSize()
  let after: DueCustomer | null = null
  let isMore = false
  let openBefore = ''
  let doneAt = 0
  return (open) => {
    const openNow = JSON.stringify([...open].sort())
    if (!isMore && openNow === openBefore && now().getTime() - doneAt < rebuildEveryMs) return undefined
    openBefore = openNow
    return async (context, knownAt, lookAgain) => {
      const { claim } = context
      const read = await inOrganization(context.deps.database, claim.organizationId, (tenant) =>
        findHistoryWatermark(tenant, claim.runId, historyKinds),
      )
      const onFull = () => {
        isMore = true
        lookAgain()
      }
      const last =
        read === null ? undefined : await rebuildAhead(context, knownAt, { ...read, after, portion, onFull })
      after = last ? further(last, after) : after
      isMore = last !== undefined
      doneAt = now().getTime()
    }
  }
}
