// Invoices, payments and ended subscriptions are read newest first, so the newest customers have their whole history first. A
// first import rebuilds those while it still reads the rest. An older object that arrives later reopens its customer.

import { instantOfDate } from '#domain/instant.ts'
import type { PaymentsKind } from '../../providers/payments.ts'
import type { DueCustomer } from '../../store/ledger/due-customers.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { noteFiguresStand } from '../../store/runs/import-plans.ts'
import { listOpenWindows, type OpenWindow } from '../../store/runs/import-windows.ts'
import { createBatchSize } from '../ledger/batch-size.ts'
import { previewFigures } from '../ledger/preview-figures.ts'
import { further, rebuildAhead } from '../ledger/rebuild-events.ts'
import { type ImportContext, write } from '../runs/run-context.ts'
import type { Checkpoint } from './checkpoint.ts'
import { completeCustomers } from './complete.ts'
import { historyWatermark } from './next-windows.ts'
import { currentKinds, historyKinds } from './windows.ts'

/** Figures depend on these kinds. */
const catalogKinds: readonly PaymentsKind[] = ['products', 'prices_active', 'prices_archived', 'coupons']
/** These kinds show which customers existed. */
const customerKinds: readonly PaymentsKind[] = [
  'customers',
  'subscriptions',
  'current_subscriptions',
  'ended_subscriptions',
]
/** Current figures are shown from this time on, and before it if their lists are complete. */
const previewAfterMs = 2_000
const pauseMs = 1_000

/**
 * Computes a first import's results `until` its lists are read: first the current figures, again and again until
 * their lists end; then the ledger of customers whose history is complete. `refresh` updates the planner's
 * statistics.
 */
export async function rebuildReady(
  context: ImportContext,
  checkpoint: Checkpoint,
  { refresh, until }: { refresh: () => Promise<void>; until: AbortSignal },
): Promise<void> {
  const { deps } = context
  const step = createStep(context, checkpoint)
  const paused = AbortSignal.any([context.signal, until])
  while (!until.aborted) {
    context.signal.throwIfAborted()
    await refresh()
    const isMore = await step(await listOpen(context))
    if (!isMore) await deps.sleep(pauseMs, paused).catch(() => {})
  }
}

function listOpen({ deps, claim }: ImportContext): Promise<OpenWindow[]> {
  return inOrganization(deps.database, claim.organizationId, (tenant) =>
    listOpenWindows(tenant, claim.runId, ''),
  )
}

/** Returns a function that does the next thing the open windows allow. It returns whether it can do more at once. */
function createStep(context: ImportContext, { plan, knownAt, newSince }: Checkpoint) {
  const { deps, claim } = context
  const startedAt = deps.now().getTime()
  const batchSize = createBatchSize()
  let { figuresStand } = plan
  let areCustomersComplete = false
  let after: DueCustomer | null = null
  return async (open: readonly OpenWindow[]): Promise<boolean> => {
    const isOpen = (kinds: readonly PaymentsKind[]) => open.some(({ kind }) => kinds.includes(kind))
    if (!isOpen(historyKinds) || isOpen(catalogKinds)) return false
    const isCurrent = !isOpen(currentKinds)
    if (!figuresStand) {
      if (!isCurrent && deps.now().getTime() - startedAt < previewAfterMs) return false
      await previewFigures(context, instantOfDate(deps.now()))
      if (!isCurrent) return false
      await write(context, (tenant) => noteFiguresStand(tenant, claim.runId))
      figuresStand = true
      return true
    }
    if (!areCustomersComplete && !isOpen(customerKinds)) {
      await completeCustomers(context, newSince)
      areCustomersComplete = true
      return true
    }
    const watermark = isCurrent ? historyWatermark(open) : null
    if (!watermark) return false
    const last = await rebuildAhead(context, knownAt, { ...watermark, after, batchSize })
    if (last) after = further(last, after)
    return last !== undefined
  }
}
