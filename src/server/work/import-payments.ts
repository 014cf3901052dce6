import { instantOfDate } from '#domain/instant.ts'
import type { Deps } from '../deps.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { setConnectionWarning } from '../store/connections.ts'
import { countCustomers } from '../store/customers.ts'
import { inOrganization } from '../store/database.ts'
import { countEvents } from '../store/events.ts'
import { findPaymentMirror, markRefreshed } from '../store/payment-mirror.ts'
import { type Claim, endRun, type Run } from '../store/runs.ts'
import { manyRows, refreshStatistics } from '../store/statistics.ts'
import { captureSnapshots } from './capture-snapshots.ts'
import { completeCustomers, completePrices } from './import/complete-references.ts'
import type { ImportContext } from './import/import-context.ts'
import { isPlan } from './import/import-slice.ts'
import { openSlices } from './import/open-slices.ts'
import { createProgress, type Progress } from './import/progress.ts'
import { readSlices } from './import/read-slices.ts'
import { openPayments } from './payments-connection.ts'
import { previewFigures, rebuildEvents } from './rebuild-events.ts'
import { pauseAfter } from './scheduled-run.ts'
import { verifyLedger } from './verify-ledger.ts'

/**
 * Does an import, or what is left of it: reads what its slices name, then rebuilds the ledger of every customer that
 * changed. Whatever ends it in the middle, the next attempt goes on from the last page that was saved. Ends the run as
 * failed when the provider will not answer, but throws that when the run is to wait for it; throws RunLost when it is
 * cancelled or taken over.
 */
export async function importPayments(deps: Deps, claim: Claim, run: Run, signal: AbortSignal): Promise<void> {
  try {
    const opened = await openPayments(deps, claim.organizationId, signal)
    if (!opened) throw new ProviderError('unauthorized', 'Stripe is not connected any more.')
    const context: ImportContext = { deps, claim, reader: opened.reader, signal }
    const slices = await openSlices(context, run, opened.connection)
    const begun = slices.reduce((sum, slice) => sum + slice.doneCount, 0)
    const progress = createProgress(deps, claim, { done: begun, failed: run.failed_records })
    try {
      await readSlices(context, slices, progress, previewOnce)
      await refreshIfMany(context, progress, ['customers', 'subscriptions', 'invoices', 'invoice_payments'])
      await completePrices(context)
      const plan = slices.find(isPlan)?.state.plan
      await completeCustomers(context, plan?.isFull ?? false)
      await rebuildAndEnd(context, run, progress, plan?.eventsUntil ?? null)
    } finally {
      await progress.settle()
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ProviderError)) throw error
    if (pauseAfter(run, error, deps.now()) !== undefined) throw error
    await failImport(deps, claim, error)
  }
}

/** Current figures ahead of the history, the first time only: afterwards there are better ones. */
async function previewOnce(context: ImportContext): Promise<void> {
  const { deps, claim } = context
  const mirror = await inOrganization(deps.database, claim.organizationId, findPaymentMirror)
  if (mirror?.refreshed_at === null) await previewFigures(context, instantOfDate(deps.now()))
}

/** After little was written, what the planner knows is still good. */
async function refreshIfMany(
  { deps }: ImportContext,
  progress: Progress,
  tables: Parameters<typeof refreshStatistics>[1],
): Promise<void> {
  if (progress.totals().done >= manyRows) await refreshStatistics(deps.database, tables)
}

async function rebuildAndEnd(
  context: ImportContext,
  run: Run,
  progress: Progress,
  eventsUntil: number | null,
): Promise<void> {
  const { deps, claim } = context
  const { done } = progress.totals()
  await progress.enter('rebuilding', { total: done + progress.totals().failed })
  // The provider's clock may be ahead of ours, as a simulated one can be.
  await rebuildEvents(context, Math.max(instantOfDate(deps.now()), eventsUntil ?? 0))
  const capturedAt = await captureSnapshots(context)
  const faultCount = await verifyLedger(context, capturedAt)
  const failed = progress.totals().failed + faultCount
  const counts = await inOrganization(deps.database, claim.organizationId, async (tenant) => ({
    customers: await countCustomers(tenant),
    events: await countEvents(tenant),
  }))
  await progress.settle()
  await endRun(
    deps.database,
    claim,
    {
      status: 'completed',
      message: messageOf({ ...counts, faults: faultCount }, done),
      at: deps.now(),
      totalRecords: done + failed,
      processedRecords: done + failed,
      failedRecords: failed,
    },
    (tenant) =>
      markRefreshed(tenant, {
        refreshedAt: run.created_at,
        eventsUntil: new Date((eventsUntil ?? instantOfDate(run.created_at)) * 1000),
      }),
  )
}

function messageOf(counts: { customers: number; events: number; faults: number }, done: number): string {
  if (counts.customers === 0 && done === 0)
    return 'Stripe returned no customers, subscriptions or invoices. Check that the key belongs to the right account and mode.'
  const number = new Intl.NumberFormat('en-US')
  const imported = `Imported ${number.format(counts.customers)} customers and ${number.format(counts.events)} events.`
  if (counts.faults === 0) return imported
  const faults = counts.faults === 1 ? '1 figure does' : `${number.format(counts.faults)} figures do`
  return `${imported} ${faults} not add up; the errors name them.`
}

async function failImport(deps: Deps, claim: Claim, error: ProviderError): Promise<void> {
  deps.log.warn({ runId: claim.runId, kind: error.kind, requestId: error.requestId }, 'import failed')
  await endRun(
    deps.database,
    claim,
    { status: 'failed', message: 'The import failed.', error: error.message, at: deps.now() },
    async (tenant) => {
      if (error.kind === 'unauthorized') await setConnectionWarning(tenant, 'payments', error.message)
    },
  )
}
