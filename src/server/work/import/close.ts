import { moneyText } from '#domain/currency.ts'
import { type BillingV2Totals, billedByBillingV2 } from '#domain/mrr/bills/billing-v2.ts'
import type { ObservedLags } from '../../deps.ts'
import { noteConnectionDetails, setConnectionWarning } from '../../store/connections/connections.ts'
import { countUnsupported } from '../../store/ledger/dashboard.ts'
import { packLists } from '../../store/lists/pack-lists.ts'
import { captureBillingV2, getBillingV2 } from '../../store/payments/billing-v2.ts'
import { markRefreshed } from '../../store/payments/payment-account.ts'
import { settleChanges } from '../../store/payments/payment-changes.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { noteInLedger } from '../../store/runs/freshness.ts'
import { deleteEmptyImports, type ImportPlan } from '../../store/runs/import-plans.ts'
import { countChangedSubscriptions } from '../../store/runs/run-changes.ts'
import { findLeftOut } from '../../store/runs/run-details.ts'
import { endRun } from '../../store/runs/runs.ts'
import { countRecords, type RecordCounts } from '../../store/setup/setup-facts.ts'
import { captureSnapshots } from '../ledger/capture-snapshots.ts'
import { decideReporting } from '../ledger/decide-reporting.ts'
import { verifyLedger } from '../ledger/verify-ledger.ts'
import { lagsOf } from '../runs/lags-of.ts'
import { type ImportContext, type PlanningContext, totalsAfter, write } from '../runs/run-context.ts'
import { recordFrom } from './changes-since.ts'
import type { Checkpoint } from './checkpoint.ts'
import { leftOut } from './fetch-objects.ts'
import { readImportOptions } from './import-options.ts'
import type { Unchanged } from './plan.ts'
import type { ImportProgress } from './progress.ts'

/** Ends a look that found nothing changed. It has to cost next to nothing, because there is one every few minutes. */
export function closeUnchanged(
  { deps, claim, connection }: PlanningContext,
  { run, changesUntil }: Unchanged,
): Promise<void> {
  const end = { status: 'completed' as const, message: 'Nothing changed.', at: deps.now() }
  return endRun(deps.database, claim, end, async (tenant) => {
    await markRefreshed(tenant, {
      refreshedAt: run.created_at,
      eventsUntil: new Date(changesUntil * 1000),
      areCustomersRead: false,
    })
    if (connection.warning !== null) await setConnectionWarning(tenant, connection, null)
    await deleteEmptyImports(tenant, run.id)
  })
}

/** Phase 5: verifies the ledger, says what the import found, and ends the run. */
export async function close(
  context: ImportContext,
  { run, plan, knownAt, changesUntil }: Checkpoint,
  progress: ImportProgress,
): Promise<void> {
  const { deps, claim, connection } = context
  const { done, failed: unreadable } = await progress.totals()
  // A hint that found nothing changed nothing, so there is nothing to verify.
  const isIdle = done === 0 && readImportOptions(run.options).isHint
  if (!isIdle) await decideReporting(context, knownAt)
  const faults = isIdle ? 0 : await verify(context, plan)
  const counts = await inOrganization(deps.database, claim.organizationId, countImported)
  const failed = unreadable + faults
  await progress.settle()
  await write(context, (tenant) => countChangedSubscriptions(tenant, claim.runId))
  let lags: ObservedLags | undefined
  await endRun(
    deps.database,
    claim,
    {
      status: 'completed',
      message: messageOf({ ...counts, faults }, done, deps.payments.name),
      at: deps.now(),
      totalRecords: done + failed,
      processedRecords: done + failed,
      failedRecords: failed,
    },
    async (tenant) => {
      await markRefreshed(tenant, {
        refreshedAt: run.created_at,
        eventsUntil: new Date(changesUntil * 1000),
        areCustomersRead: plan.areCustomersRead,
      })
      // This import succeeded, so any earlier warning about the key is obsolete.
      await setConnectionWarning(tenant, connection, null)
      const leftOutList = await findLeftOut(tenant, run.id, 'invoice_payments', leftOut)
      await noteConnectionDetails(tenant, connection, {
        unreadList: null,
        ...(leftOutList !== undefined && { leftOutList }),
      })
      if (plan.mode === 'again')
        lags = await lagsOf(tenant, 'ledger', await noteInLedger(tenant, run.id), deps)
      await settleChanges(tenant, run.id, { since: recordFrom(changesUntil), at: deps.now() })
      await deleteEmptyImports(tenant, run.id)
    },
  )
  if (lags) deps.observeLags(lags)
}

async function verify(context: ImportContext, { mode }: ImportPlan): Promise<number> {
  await write(context, captureBillingV2)
  const until = await captureSnapshots(context)
  const totals = mode === 'first' ? 'recount' : totalsAfter(context.claim)
  const [faults] = await Promise.all([
    verifyLedger(context, until),
    write(context, (tenant) => packLists(tenant, totals)),
  ])
  return faults
}

type Counts = RecordCounts & { uncounted: number; billingV2: BillingV2Totals; faults: number }

async function countImported(tenant: Tenant): Promise<Omit<Counts, 'faults'>> {
  return {
    ...(await countRecords(tenant)),
    uncounted: await countUnsupported(tenant),
    billingV2: await getBillingV2(tenant),
  }
}

function messageOf(counts: Counts, done: number, name: string): string {
  if (counts.customers + counts.subscriptions === 0 && done === 0)
    return `${name} returned no customers, subscriptions or invoices. Check that the key belongs to the right account and mode.`
  const number = new Intl.NumberFormat('en-US')
  const uncounted =
    counts.uncounted === 0
      ? ''
      : counts.uncounted === 1
        ? ' 1 subscription could not be counted and says why.'
        : ` ${number.format(counts.uncounted)} subscriptions could not be counted; each says why.`
  const imported = `Imported ${number.format(counts.customers)} customers and ${number.format(counts.events)} events.${uncounted}${billingV2Text(counts.billingV2)}`
  if (counts.faults === 0) return imported
  const faults = counts.faults === 1 ? '1 figure does' : `${number.format(counts.faults)} figures do`
  return `${imported} ${faults} not add up; the errors name them.`
}

function billingV2Text({ invoices, amounts }: BillingV2Totals): string {
  if (invoices === 0) return ''
  const count = invoices === 1 ? '1 invoice' : `${invoices.toLocaleString('en-US')} invoices`
  const texts = amounts.map(({ amountCents, currency }) => moneyText(amountCents, currency))
  return ` ${billedByBillingV2}: ${count}, ${texts.join(', ')}.`
}
