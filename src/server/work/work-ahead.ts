import { type Instant, instantOfDate } from '#domain/instant.ts'
import type { PaymentsKind } from '../providers/payments.ts'
import { inOrganization } from '../store/database.ts'
import type { DueCustomer } from '../store/rebuild-evidence.ts'
import { findReadSince } from '../store/slice-leases.ts'
import type { ImportContext } from './import/import-context.ts'
import type { ReadingEvents } from './import/read-windows.ts'
import { previewFigures, rebuildAhead } from './rebuild-events.ts'

/** What figures are computed with, and what they are figures of. */
const catalogKinds: PaymentsKind[] = ['products', 'prices_active', 'prices_archived', 'coupons']
const currentKinds: PaymentsKind[] = [...catalogKinds, 'subscriptions', 'customers']
/** What the history of a customer is made of besides. */
const historyKinds: PaymentsKind[] = ['invoices', 'invoice_payments']
/**
 * The current figures follow what comes in this often, and at once when all of it is in; what is read sooner than that is
 * rebuilt as a whole instead.
 */
const previewEveryMs = 5_000
const rebuildEveryMs = 1_000

type Open = ReadonlyMap<string, number>

/**
 * What a first import works out while its lists are still being read, one thing at a time: the current figures long before
 * there is a history; then, as the lists go back in time, the ledger of customers whose history is in.
 */
export function createWorkAhead({ deps }: ImportContext, knownAt: Instant): ReadingEvents['onLook'] {
  const previews = createPreviews(deps.now)
  const rebuilds = createRebuilds(deps.now)
  let isBusy = false
  return (open) => {
    if (isBusy || isAnyOpen(open, catalogKinds)) return undefined
    const isCurrent = !isAnyOpen(open, currentKinds)
    const work = previews(isCurrent) ?? (isCurrent ? rebuilds(open) : undefined)
    if (!work) return undefined
    isBusy = true
    return async (context) => {
      await work(context, knownAt)
      isBusy = false
    }
  }
}

type Work = (context: ImportContext, knownAt: Instant) => Promise<void>

function isAnyOpen(open: Open, kinds: readonly PaymentsKind[]): boolean {
  return kinds.some((kind) => open.has(kind))
}

function createPreviews(now: () => Date): (isCurrent: boolean) => Work | undefined {
  let isBegun = false
  let isLast = false
  let doneAt = now().getTime()
  return (isCurrent) => {
    const isWanted = now().getTime() - doneAt >= previewEveryMs || (isCurrent && isBegun)
    if (isLast || !isWanted) return undefined
    isBegun = true
    isLast = isCurrent
    return async (context) => {
      await previewFigures(context, instantOfDate(now()))
      doneAt = now().getTime()
    }
  }
}

/** Wanted again once a list has come to its end or been cut, and after a while. */
function createRebuilds(now: () => Date): (open: Open) => Work | undefined {
  let after: DueCustomer | null = null
  let openBefore = ''
  let doneAt = 0
  return (open) => {
    const openNow = JSON.stringify([...open].sort())
    if (openNow === openBefore && now().getTime() - doneAt < rebuildEveryMs) return undefined
    openBefore = openNow
    return async (context, knownAt) => {
      const { claim } = context
      const since = await inOrganization(context.deps.database, claim.organizationId, (tenant) =>
        findReadSince(tenant, claim.runId, historyKinds),
      )
      if (since !== null) after = await rebuildAhead(context, knownAt, { since, after })
      doneAt = now().getTime()
    }
  }
}
