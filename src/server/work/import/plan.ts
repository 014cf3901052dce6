// A full import reads the subscriptions in two lists, first those that are not canceled and then those that have ended, so
// that the current MRR does not wait for what is worth nothing any more. The second list begins when the first is complete: a
// subscription that is canceled in between is in it. A window of time is read from the one list of all.

import type { Instant } from '#domain/instant.ts'
import { noteConnectionDetails, type TriedSecret } from '../../store/connections/connections.ts'
import { isAnyCustomerDue } from '../../store/ledger/due-customers.ts'
import { markAllRebuildDue } from '../../store/payments/customers.ts'
import {
  clearPaymentAccount,
  findPaymentAccount,
  namePaymentAccount,
} from '../../store/payments/payment-account.ts'
import { expectCustomers, expectObjects, forgetExpected } from '../../store/payments/unlisted-objects.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { addObjects } from '../../store/runs/import-objects.ts'
import {
  deleteOldPlans,
  findFailedImport,
  findPlan,
  type ImportPlan,
  savePlan,
  takeOverPlan,
} from '../../store/runs/import-plans.ts'
import { releaseWindows, saveWindows } from '../../store/runs/import-windows.ts'
import { addRunLog } from '../../store/runs/run-lines.ts'
import type { Run } from '../../store/runs/runs.ts'
import { isOther, readDetails } from '../connections/payments-connection.ts'
import { recountBeforeImport } from '../ledger/recount-ledger.ts'
import { type PlanningContext, write } from '../runs/run-context.ts'
import { type Checkpoint, changesTakenUntil, checkpointOf } from './checkpoint.ts'
import { readImportOptions } from './import-options.ts'
import { type PlannedImport, planImport } from './plan-import.ts'

/** What a look found out that has nothing to read. */
export type Unchanged = { run: Run; changesUntil: Instant }

/**
 * Phase 1: returns the plan of an earlier attempt, or saves a new one; a look without changes gets none. A full plan
 * continues one that failed within a day. For another account, the same transaction empties the data.
 */
export async function plan(context: PlanningContext, run: Run): Promise<Checkpoint | Unchanged> {
  await recountBeforeImport(context)
  const { deps, claim, connection } = context
  const known = await inOrganization(deps.database, claim.organizationId, async (tenant) => ({
    plan: await findPlan(tenant, run.id),
    account: await findPaymentAccount(tenant),
    isAnyDue: await isAnyCustomerDue(tenant),
  }))
  if (known.plan) return goOn(context, run, known.plan)
  const account = { accountId: connection.account_id, isLive: connection.is_live ?? false }
  const details = readDetails(connection.details)
  const isFromOther = known.account !== undefined && isOther(known.account, account, details.isMirrorKnown)
  const options = readImportOptions(run.options)
  const mirror = isFromOther ? undefined : known.account
  const times = { startedAt: run.created_at, accountCreatedAt: details.accountCreatedAt }
  const planned = await planImport(context, options, { ...times, mirror })
  const mode = mirror?.refreshed_at ? 'again' : 'first'
  if (planned.isUnchanged && options.isHint && mode === 'again' && !known.isAnyDue)
    return { run, changesUntil: changesTakenUntil(planned, run.created_at) }
  const isRestart = options.mode === 'historical' && options.restart
  // Without stored data of this account, leftovers belong to an account that was reset since.
  const leftOver =
    mirror === undefined || isRestart || !planned.isFull ? undefined : await findLeftOver(context)
  const rest = leftOver && (await planRest(context, leftOver, times))
  const { windows, objects, ...found } = rest ?? planned
  const made: ImportPlan = { ...found, mode, figuresStand: mode === 'again' || rest !== undefined }
  await write(context, async (tenant) => {
    if (isFromOther) await startMirrorAnew(tenant, connection)
    else if (isRestart || mode === 'first') await markAllRebuildDue(tenant)
    if (leftOver && rest) {
      await takeOverPlan(tenant, leftOver.runId, run.id)
      await addRunLog(tenant, run.id, 'Goes on where the import before it failed.', deps.now())
    } else {
      await namePaymentAccount(tenant, account)
      await expect(tenant, made)
    }
    await savePlan(tenant, run.id, made)
    await saveWindows(tenant, run.id, windows)
    await addObjects(tenant, run.id, objects)
    await deleteOldPlans(tenant, run.id)
    await share(context, tenant, made)
  })
  return checkpointOf(run, made)
}

/** Notes which stored objects the lists of this plan must contain, unless they were deleted. */
async function expect(tenant: Tenant, { isFull, areCustomersRead }: ImportPlan): Promise<void> {
  if (isFull) await expectObjects(tenant)
  else if (areCustomersRead) await expectCustomers(tenant)
  else await forgetExpected(tenant)
}

/** Deletes what another account left. Afterwards the stored data belongs to the account of this key. */
async function startMirrorAnew(tenant: Tenant, connection: TriedSecret): Promise<void> {
  await clearPaymentAccount(tenant)
  await noteConnectionDetails(tenant, connection, { isMirrorKnown: null })
}

/**
 * Continues the plan of an earlier attempt. Readers of that attempt cannot write any more, so we release
 * their windows.
 */
async function goOn(context: PlanningContext, run: Run, made: ImportPlan): Promise<Checkpoint> {
  await write(context, async (tenant) => {
    await releaseWindows(tenant, run.id)
    await share(context, tenant, made)
  })
  return checkpointOf(run, made)
}

/** Only a full import asks other workers for help; a change since the last import is small. */
async function share({ deps, claim }: PlanningContext, tenant: Tenant, made: ImportPlan): Promise<void> {
  if (made.isFull) await deps.enlist(tenant, claim.runId)
}

/** A new import continues one that failed at most this long ago. */
const leftOverMaxMs = 24 * 3600 * 1000

type LeftOver = { runId: string; startedAt: Date; plan: ImportPlan }

/** The full import that failed and whose windows a new full import continues. */
async function findLeftOver({ deps, claim }: PlanningContext): Promise<LeftOver | undefined> {
  const since = new Date(deps.now().getTime() - leftOverMaxMs)
  return inOrganization(deps.database, claim.organizationId, async (tenant) => {
    const failed = await findFailedImport(tenant, claim.runId, since)
    const made = failed && (await findPlan(tenant, failed.id))
    return failed && made?.isFull ? { runId: failed.id, startedAt: failed.createdAt, plan: made } : undefined
  })
}

/**
 * Plans what was created or changed after the failed import's plan; undefined if no record of changes covers
 * that time.
 */
async function planRest(
  context: PlanningContext,
  left: LeftOver,
  times: { startedAt: Date; accountCreatedAt: number | null },
): Promise<PlannedImport | undefined> {
  const { startedAt } = left
  const options = {
    mode: 'window' as const,
    from: startedAt.toISOString(),
    until: startedAt.toISOString(),
    isScheduled: false,
    isHint: false,
  }
  const mirror = {
    refreshed_at: startedAt,
    events_until: new Date(changesTakenUntil(left.plan, startedAt) * 1000),
    customers_read_at: startedAt,
  }
  const rest = await planImport(context, options, { ...times, mirror })
  // With the leftover windows, this plan covers everything again.
  return rest.isFull ? undefined : { ...rest, isFull: true, areCustomersRead: true }
}
