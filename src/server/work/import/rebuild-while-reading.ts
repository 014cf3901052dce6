// Invoices, payments and ended subscriptions are read newest first, so the newest customers have their whole history first. A
// first import rebuilds those while it still reads the rest. An older object that arrives later reopens its customer.

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

/** Figures depend on these kinds. */
const catalogKinds: readonly PaymentsKind[] = ['products', 'prices_active', 'prices_archived', 'coupons']
/** These kinds show which customers existed. */
const customerKinds: readonly PaymentsKind[] = [
  'customers',
  'subscriptions',
  'current_subscriptions',
  'ended_subscriptions',
]
/**
 * An import that ends sooner rebuilds everything at its end. If its lists are long, we know after 2 s that it
 * takes longer.
 */
const previewAfterMs = { any: 10_000, long: 2_000 }
/**
 * After the first preview, current figures update this often, and once more when all current lists are
 * complete.
 */
const previewEveryMs = 1_000
const rebuildEveryMs = 1_000

type Open = ReadonlyMap<string, OpenSlices>

/** Work that the end of an import can skip. */
export type RebuiltSoFar = {
  /** Every customer that no list contained is fetched or known as deleted. */
  areCustomersComplete: boolean
  /**
   * After all pages were saved, a check reopened customers that were rebuilt too early. Since then only these
   * customers received more objects. Null if no check ran.
   */
  unfinishedAtCheck: string[] | null
}

type WorkAhead = BesideReading & { done: RebuiltSoFar }

/**
 * Computes a first import's results while its lists are still being read: current figures first, then ledgers
 * of customers with complete history. History lists wait while current figures are incomplete. `refresh`
 * updates planner statistics beforehand; `customersSince` as in `completeReferences`.
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
  // The customers are known by now, so hardly any search texts are left for the end of the import.
  const packing = once((context) => write(context, packCustomerTexts))
  const checking = once(async (context) => {
    done.unfinishedAtCheck = await write(context, async (tenant) => {
      // Before the check: objects that arrive during the check must be checked again.
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

/** Runs the work at the first call only, and lets the next work start at once. */
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
 * Current figures are under way from the first preview until one covers all current lists. After a takeover
 * the previous attempt may have begun them, so they start at once.
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

/**
 * Wants a rebuild at once while customers are left; otherwise after a list ended or was cut, or after a
 * pause.
 */
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
