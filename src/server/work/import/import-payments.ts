// 1. Plan: recount if rules changed, then save lists and ids to read, or resume one.
// 2. Read lists with other workers; first imports meanwhile rebuild complete customers.
// 3. Fetch changed objects, then stored objects missing from complete lists.
// 4. Refetch subscriptions whose invoices are newer; fetch missing references.
// 5. Rebuild changed customers, verify the ledger, end the run.

import { decimalOfCents } from '#domain/currency.ts'
import { type Instant, instantOfDate } from '#domain/instant.ts'
import { type BillingV2Totals, billedByBillingV2 } from '#domain/mrr/bills/billing-v2.ts'
import type { Deps } from '../../deps.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import {
  noteConnectionDetails,
  setConnectionWarning,
  type TriedSecret,
} from '../../store/connections/connections.ts'
import { eraseAttachedInvoices } from '../../store/erasure/erase-rows.ts'
import { countUnsupported } from '../../store/ledger/dashboard.ts'
import { reopenCustomersWithOlderObjects } from '../../store/ledger/reopen-customers.ts'
import { packLists } from '../../store/lists/pack-lists.ts'
import { captureBillingV2, getBillingV2 } from '../../store/payments/billing-v2.ts'
import { hasSettledCustomers } from '../../store/payments/customers.ts'
import { attachInvoices } from '../../store/payments/invoices.ts'
import { deleteObservations } from '../../store/payments/observations.ts'
import { findPaymentAccount, markRefreshed } from '../../store/payments/payment-account.ts'
import { settleChanges } from '../../store/payments/payment-changes.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { manyRows, refreshStatistics } from '../../store/postgres/statistics.ts'
import { findLeftOut } from '../../store/runs/run-details.ts'
import { deleteEmptyImports } from '../../store/runs/run-slices.ts'
import { type Claim, endRun, type Run } from '../../store/runs/runs.ts'
import { countRecords, type RecordCounts } from '../../store/setup/setup-facts.ts'
import { findPayments, openPayments } from '../connections/payments-connection.ts'
import { captureSnapshots } from '../ledger/capture-snapshots.ts'
import { knownAtOf, rebuildEvents, rebuildingPhase, rebuildReady } from '../ledger/rebuild-events.ts'
import { recountBeforeImport } from '../ledger/recount-ledger.ts'
import { verifyLedger } from '../ledger/verify-ledger.ts'
import { type ImportContext, type PlanningContext, write } from '../runs/run-context.ts'
import { pauseAfter } from '../runs/scheduled-run.ts'
import { beside } from '../runs/task-group.ts'
import { completeReferences } from './complete-references.ts'
import { leftOut } from './import-changed.ts'
import { readImportOptions } from './import-options.ts'
import { askedAfterOf, changesTakenUntil, isChanged, planOf } from './import-slice.ts'
import { openSlices } from './open-slices.ts'
import { createProgress, type ImportProgress } from './progress.ts'
import { readSlices } from './read-slices.ts'
import type { BesideReading } from './read-windows.ts'
import { createRebuildWhileReading, type RebuiltSoFar } from './rebuild-while-reading.ts'

/**
 * Runs an import, or continues an interrupted one after its last saved page. If the provider refuses, ends
 * the run as failed, or throws if the run must wait. Throws RunLost without the claim. Continues with a new key.
 */
export async function importPayments(deps: Deps, claim: Claim, run: Run, signal: AbortSignal): Promise<void> {
  const connection = await findPayments(deps, claim.organizationId)
  try {
    if (!connection) throw new ProviderError('unauthorized', 'Stripe is not connected any more.')
    const reader = openPayments(deps, connection, signal)
    const planning: PlanningContext = { deps, claim, connection, reader, signal }
    await recountBeforeImport(planning)
    const slices = await openSlices(planning, run)
    const plan = planOf(slices)
    const context: ImportContext = { ...planning, askedAfter: askedAfterOf(plan) }
    const progress = createProgress(deps, claim)
    try {
      const refresh = createRefresh(context, progress)
      const isFirst = await isFirstOf(context)
      const knownAt = knownAtOf(run, plan)
      const changesUntil = changesTakenUntil(plan, run.created_at)
      const since = Math.min(instantOfDate(run.created_at), changesUntil) - lookBackSeconds
      const customersSince = plan.isFull ? since : 0
      const mayWorkAhead = isFirst && !slices.some(isChanged)
      const ahead = mayWorkAhead
        ? createRebuildWhileReading(context, { knownAt, customersSince }, seldom(refresh, deps.now))
        : null
      await readSlices(context, slices, progress, ahead ?? withoutWorkAhead)
      await refresh()
      await complete(context, { isFirst, knownAt, ahead: ahead?.done ?? null, since, customersSince })
      await rebuildAndEnd(context, run, progress, { knownAt, changesUntil, ...plan })
    } finally {
      await progress.settle()
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'unauthorized' && (await isKeyReplaced(deps, claim, connection)))
      return importPayments(deps, claim, run, signal)
    if (pauseAfter(run, error, deps.now()) !== undefined) throw error
    await failImport(deps, claim, error, connection)
  }
}

/** For an import that may not rebuild early: a later one, or a first one that also fetches changes. */
const withoutWorkAhead: BesideReading = { onLook: () => undefined, isHistoryHeldBack: () => false }

type Completion = {
  isFirst: boolean
  knownAt: Instant
  /** What the import finished while it read its lists; null if it could not rebuild customers early. */
  ahead: RebuiltSoFar | null
  since: Instant
  customersSince: Instant
}

/** Rebuild complete customers for 2 s first: fewer are left to search for objects that no list contained. */
const rebuiltFirstMs = 2_000

/**
 * Fetches objects that no list contained. First it rebuilds customers that need none of these objects; it
 * runs both at once if that takes long.
 */
async function complete(
  context: ImportContext,
  { isFirst, knownAt, ahead, since, customersSince }: Completion,
): Promise<void> {
  const mayRebuild = ahead !== null
  const unfinished = ahead?.unfinishedAtCheck ?? undefined
  const fewLeft = new AbortController()
  let isComplete = false
  // No rebuild is running here. Observations made without these invoices are wrong, so we delete them.
  await write(context, async (tenant) => {
    const attached = await attachInvoices(tenant)
    await eraseAttachedInvoices(tenant)
    if (isFirst) await deleteObservations(tenant, attached)
  })
  await beside(context, [
    async (own) => {
      const isOver = () => isComplete
      if (mayRebuild) await rebuildReady(own, knownAt, { isOver, onAllTaken: () => fewLeft.abort() })
    },
    async (own) => {
      if (isFirst) await write(own, (tenant) => markIfAny(tenant, unfinished))
      const first = AbortSignal.any([own.signal, fewLeft.signal])
      if (mayRebuild) await own.deps.sleep(rebuiltFirstMs, first).catch(() => own.signal.throwIfAborted())
      const areCustomersComplete = ahead?.areCustomersComplete === true
      await completeReferences(own, { since, customersSince: areCustomersComplete ? null : customersSince })
      isComplete = true
    },
  ])
}

/** Reopens customers that were rebuilt too early: among the `unfinished` after a check, else among all. */
async function markIfAny(tenant: Tenant, unfinished?: readonly string[]): Promise<void> {
  const isAny = unfinished === undefined ? await hasSettledCustomers(tenant) : unfinished.length > 0
  if (isAny) await reopenCustomersWithOlderObjects(tenant, unfinished)
}

/** An object can first appear this long after its creation, and the two clocks can differ by this much. */
const lookBackSeconds = 10 * 60

/** Whether a user entered another key after we opened this one. */
async function isKeyReplaced(deps: Deps, claim: Claim, tried: TriedSecret | undefined): Promise<boolean> {
  const connection = await findPayments(deps, claim.organizationId)
  return connection !== undefined && tried !== undefined && connection.secret_version !== tried.secret_version
}

/** Whether no import of this account has completed yet. */
async function isFirstOf({ deps, claim }: ImportContext): Promise<boolean> {
  const mirror = await inOrganization(deps.database, claim.organizationId, findPaymentAccount)
  return mirror?.refreshed_at === null
}

const importedTables = ['customers', 'subscriptions', 'invoices', 'invoice_payments', 'events'] as const

/** Refreshes the planner's statistics each time the tables may have grown fourfold since the last refresh. */
function createRefresh({ deps }: ImportContext, progress: ImportProgress): () => Promise<void> {
  let refreshedAt = 0
  return async () => {
    const { done } = await progress.totals()
    if (done < Math.max(manyRows, 4 * refreshedAt)) return
    refreshedAt = done
    await refreshStatistics(deps.database, importedTables)
  }
}

const refreshEveryMs = 200

/** Limits `refresh` to once per `refreshEveryMs`, since each call costs as much as a small write. */
function seldom(refresh: () => Promise<void>, now: () => Date): () => Promise<void> {
  let lookedAt = Number.NEGATIVE_INFINITY
  return async () => {
    const at = now().getTime()
    if (at >= lookedAt && at - lookedAt < refreshEveryMs) return
    lookedAt = at
    await refresh()
  }
}

async function rebuildAndEnd(
  context: ImportContext,
  run: Run,
  progress: ImportProgress,
  {
    knownAt,
    changesUntil,
    areCustomersRead,
  }: { knownAt: Instant; changesUntil: Instant; areCustomersRead: boolean },
): Promise<void> {
  const { deps, claim, connection } = context
  const { done, failed: unreadable } = await progress.totals()
  await progress.enter(rebuildingPhase, { total: done + unreadable })
  await rebuildEvents(context, knownAt)
  // A hint that found nothing changed nothing, so there is nothing to verify.
  const isIdle = done === 0 && readImportOptions(run.options).isHint
  const verify = () => verifyLedger(context, captureSnapshots(context))
  if (!isIdle) await write(context, captureBillingV2)
  const [faultCount, counts] = await Promise.all([
    isIdle ? 0 : verify(),
    inOrganization(deps.database, claim.organizationId, countImported),
    isIdle ? undefined : write(context, packLists),
  ])
  const failed = unreadable + faultCount
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
    async (tenant) => {
      await markRefreshed(tenant, {
        refreshedAt: run.created_at,
        eventsUntil: new Date(changesUntil * 1000),
        areCustomersRead,
      })
      // This import succeeded, so any earlier warning about the key is obsolete.
      await setConnectionWarning(tenant, connection, null)
      const leftOutList = await findLeftOut(tenant, run.id, 'invoice_payments', leftOut)
      await noteConnectionDetails(tenant, connection, {
        unreadList: null,
        ...(leftOutList !== undefined && { leftOutList }),
      })
      await settleChanges(tenant, run.id, deps.now())
      await deleteEmptyImports(tenant, run.id)
    },
  )
}

type Counts = RecordCounts & { uncounted: number; billingV2: BillingV2Totals; faults: number }

async function countImported(tenant: Tenant): Promise<Omit<Counts, 'faults'>> {
  return {
    ...(await countRecords(tenant)),
    uncounted: await countUnsupported(tenant),
    billingV2: await getBillingV2(tenant),
  }
}

function messageOf(counts: Counts, done: number): string {
  if (counts.customers + counts.subscriptions === 0 && done === 0)
    return 'Stripe returned no customers, subscriptions or invoices. Check that the key belongs to the right account and mode.'
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
  const texts = amounts.map(
    ({ amountCents, currency }) => `${decimalOfCents(amountCents, currency)} ${currency.toUpperCase()}`,
  )
  return ` ${billedByBillingV2}: ${count}, ${texts.join(', ')}.`
}

async function failImport(
  deps: Deps,
  claim: Claim,
  error: ProviderError,
  tried: TriedSecret | undefined,
): Promise<void> {
  deps.log.warn({ runId: claim.runId, kind: error.kind, requestId: error.requestId }, 'import failed')
  await endRun(
    deps.database,
    claim,
    { status: 'failed', message: 'The import failed.', error: error.message, at: deps.now() },
    async (tenant) => {
      if (error.kind === 'unauthorized' && tried) await setConnectionWarning(tenant, tried, error.message)
      if (error.kind === 'forbidden' && tried)
        await noteConnectionDetails(tenant, tried, { unreadList: error.message })
    },
  )
}
