import { type Instant, instantOfDate } from '#domain/instant.ts'
import type { Deps } from '../../deps.ts'
import { packLists } from '../../store/lists/pack-lists.ts'
import { findPaymentAccount } from '../../store/payments/payment-account.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { endRecount } from '../../store/recount/end-recount.ts'
import { holdMrrPolicy } from '../../store/recount/mrr-policy.ts'
import { beginRecount, countRebuildDue, isRecountDue, type RecountRow } from '../../store/recount/recounts.ts'
import { addRunLog } from '../../store/runs/run-lines.ts'
import { type Claim, endRun, type Run, reportProgress } from '../../store/runs/runs.ts'
import { type RunContext, totalsAfter, write } from '../runs/run-context.ts'
import { deriveReportedSnapshots } from './derive-snapshots.ts'
import { knownAtOf, rebuildEvents } from './rebuild-events.ts'
import { verifyLedger } from './verify-ledger.ts'

/** The phase of a run in which the process that claimed it rebuilds the whole ledger. */
const recountingPhase = 'recounting'

const number = new Intl.NumberFormat('en-US')

/**
 * Rebuilds the whole ledger from the stored objects, by the rules and policy in force. After an interruption,
 * the next attempt continues with the remaining customers.
 */
export async function recountLedger(deps: Deps, claim: Claim, run: Run, signal: AbortSignal): Promise<void> {
  const context = { deps, claim, signal }
  const due = await begin(context)
  // Customers that an earlier attempt rebuilt are no longer due.
  const total = Math.max(run.total_records, due)
  let done = total - due
  const report = (rebuilt: number) => {
    done = Math.min(done + rebuilt, total)
    return reportProgress(deps.database, claim, { totalRecords: total, processedRecords: done })
  }
  await report(0)
  await recount(context, report)
  const [faults] = await Promise.all([
    verifyLedger(context, deps.now()),
    write(context, (tenant) => packLists(tenant, totalsAfter(claim))),
  ])
  await endRun(deps.database, claim, {
    status: 'completed',
    message: `Recounted ${number.format(total)} customers.`,
    at: deps.now(),
    totalRecords: total + faults,
    processedRecords: total + faults,
    failedRecords: faults,
  })
}

/**
 * Recounts before an import reads anything, so that the report shows only what the rules changed and nothing
 * that the provider changed.
 */
export async function recountBeforeImport(context: RunContext): Promise<void> {
  const isDue = await inOrganization(context.deps.database, context.claim.organizationId, isRecountDue)
  if (!isDue) return
  await begin(context)
  await recount(context)
}

/** Returns how many customers are still to be rebuilt. */
async function begin(context: RunContext): Promise<number> {
  const due = await write(context, async (tenant) => {
    await holdMrrPolicy(tenant)
    await beginRecount(tenant, context.deps.now())
    await deriveReportedSnapshots(tenant, context.deps.now(), context.deps.now())
    return countRebuildDue(tenant)
  })
  await reportProgress(context.deps.database, context.claim, {
    phase: recountingPhase,
    message: 'The rules of MRR have changed: every customer is recounted.',
  })
  return due
}

async function recount(context: RunContext, onRebuilt?: (customers: number) => Promise<void>): Promise<void> {
  const end = (tenant: Tenant) => endAndTell(tenant, context)
  do await rebuildEvents(context, await readKnownAt(context), onRebuilt)
  while ((await write(context, end)) === 'waiting')
}

async function endAndTell(
  tenant: Tenant,
  { deps, claim }: RunContext,
): Promise<RecountRow | 'waiting' | undefined> {
  await holdMrrPolicy(tenant)
  const ended = await endRecount(tenant, deps.now())
  await deriveReportedSnapshots(tenant, deps.now(), deps.now())
  if (ended && ended !== 'waiting') await addRunLog(tenant, claim.runId, summaryOf(ended), deps.now())
  return ended
}

function summaryOf(recount: RecountRow): string {
  const { month_count: months, customer_count: customers, record_count: records } = recount
  const counts = [countText(months, 'month'), countText(customers, 'customer'), countText(records, 'record')]
  return months + customers + records === 0
    ? 'Recounted by the current rules: no figure changed.'
    : `Recounted by the current rules: figures of ${counts[0]}, ${counts[1]} and ${counts[2]} changed. Rule Changes lists them.`
}

function countText(count: number, noun: string): string {
  return `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** The stored objects were true at the last import, because a recount reads nothing from the provider. */
async function readKnownAt({ deps, claim }: RunContext): Promise<Instant> {
  const mirror = await inOrganization(deps.database, claim.organizationId, findPaymentAccount)
  const clockAt = mirror?.events_until ? instantOfDate(mirror.events_until) : null
  return knownAtOf({ created_at: mirror?.refreshed_at ?? deps.now() }, { clockAt })
}
