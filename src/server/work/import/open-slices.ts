// A full import reads the subscriptions in two lists, first those that are not canceled and then those that have ended, so
// that the current MRR does not wait for what is worth nothing any more. The second list begins when the first is complete: a
// subscription that is canceled in between is in it. A window of time is read from the one list of all.

import { noteConnectionDetails, type TriedSecret } from '../../store/connections/connections.ts'
import { markAllRebuildDue } from '../../store/payments/customers.ts'
import {
  clearPaymentAccount,
  findPaymentAccount,
  namePaymentAccount,
} from '../../store/payments/payment-account.ts'
import { expectCustomers, expectObjects, forgetExpected } from '../../store/payments/unlisted-objects.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import {
  deleteOldSlices,
  findFailedImport,
  listSlices,
  moveSlices,
  saveSlices,
} from '../../store/runs/run-slices.ts'
import { addRunLog, type Run } from '../../store/runs/runs.ts'
import { releaseSlices } from '../../store/runs/slice-leases.ts'
import { isOther, readDetails } from '../connections/payments-connection.ts'
import { type PlanningContext, write } from '../runs/run-context.ts'
import { readImportOptions } from './import-options.ts'
import {
  changesTakenUntil,
  type ImportSlice,
  importSliceOf,
  isPlan,
  type PlanState,
  planOf,
  readSliceState,
} from './import-slice.ts'
import { planImport } from './plan-import.ts'

/**
 * Returns an earlier attempt's slices, or saves a new plan. A full plan continues a full import that failed
 * within the last day. For another account, the transaction that saves the plan first empties the previous
 * account's data.
 */
export async function openSlices(context: PlanningContext, run: Run): Promise<ImportSlice[]> {
  const { deps, claim, connection } = context
  const known = await inOrganization(deps.database, claim.organizationId, async (tenant) => ({
    slices: await listSlices(tenant, run.id, readSliceState),
    mirror: await findPaymentAccount(tenant),
  }))
  if (known.slices.length > 0) return goOn(context, known.slices.map(importSliceOf))
  const account = { accountId: connection.account_id, isLive: connection.is_live ?? false }
  const details = readDetails(connection.details)
  const isFromOther = known.mirror !== undefined && isOther(known.mirror, account, details.isMirrorKnown)
  const options = readImportOptions(run.options)
  const planned = { startedAt: run.created_at, accountCreatedAt: details.accountCreatedAt }
  const mirror = isFromOther ? undefined : known.mirror
  const slices = await planImport(context, options, { ...planned, mirror })
  // Without stored data of this account, leftovers belong to an account that was reset since.
  const isAnew = mirror === undefined || (options.mode === 'historical' && options.restart)
  const leftOver = isAnew ? undefined : await findLeftOver(context, slices)
  const rest = leftOver && (await planRest(context, leftOver, planned))
  if (leftOver && rest) {
    await write(context, async (tenant) => {
      await moveSlices(tenant, leftOver.runId, run.id, leftOver.slices)
      await saveSlices(tenant, run.id, rest)
      await deleteOldSlices(tenant, run.id)
      await addRunLog(tenant, run.id, 'Goes on where the import before it failed.', deps.now())
    })
    // Read the slices back, since both sets may contain the same window.
    return openSlices(context, run)
  }
  await write(context, async (tenant) => {
    if (isFromOther) await startMirrorAnew(tenant, connection)
    else if (options.mode === 'historical' && options.restart) await markAllRebuildDue(tenant)
    await namePaymentAccount(tenant, account)
    const { isFull, areCustomersRead } = planOf(slices)
    if (isFull) await expectObjects(tenant)
    else if (areCustomersRead) await expectCustomers(tenant)
    else await forgetExpected(tenant)
    await saveSlices(tenant, run.id, slices)
    await deleteOldSlices(tenant, run.id)
    await share(context, tenant, slices)
  })
  return slices
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
async function goOn(context: PlanningContext, slices: ImportSlice[]): Promise<ImportSlice[]> {
  await write(context, async (tenant) => {
    await releaseSlices(tenant, context.claim.runId)
    await share(context, tenant, slices)
  })
  return slices
}

/** Only a full import asks other workers for help; a change since the last import is small. */
async function share({ deps, claim }: PlanningContext, tenant: Tenant, slices: ImportSlice[]): Promise<void> {
  if (planOf(slices).isFull && slices.some((slice) => !slice.isDone)) await deps.enlist(tenant, claim.runId)
}

/** A new import continues one that failed at most this long ago. */
const leftOverMaxMs = 24 * 3600 * 1000

type LeftOver = { runId: string; startedAt: Date; plan: PlanState['plan']; slices: ImportSlice[] }

/** For a full import: the slices of a full import that failed, read or not. */
async function findLeftOver(
  { deps, claim }: PlanningContext,
  planned: readonly ImportSlice[],
): Promise<LeftOver | undefined> {
  if (!planOf(planned).isFull) return undefined
  const since = new Date(deps.now().getTime() - leftOverMaxMs)
  return inOrganization(deps.database, claim.organizationId, async (tenant) => {
    const failed = await findFailedImport(tenant, claim.runId, since)
    if (!failed) return undefined
    const slices = (await listSlices(tenant, failed.id, readSliceState)).map(importSliceOf)
    const plan = slices.find(isPlan)?.state.plan
    if (!plan?.isFull) return undefined
    const others = slices.filter((slice) => !isPlan(slice))
    return { runId: failed.id, startedAt: failed.createdAt, plan, slices: others }
  })
}

/**
 * Plans what was created or changed after the failed import's plan; undefined if no record of changes covers
 * that time.
 */
async function planRest(
  context: PlanningContext,
  { plan, startedAt }: LeftOver,
  planned: { startedAt: Date; accountCreatedAt: number | null },
): Promise<ImportSlice[] | undefined> {
  const options = {
    mode: 'window' as const,
    from: startedAt.toISOString(),
    until: startedAt.toISOString(),
    isScheduled: false,
    isHint: false,
  }
  const mirror = {
    refreshed_at: startedAt,
    events_until: new Date(changesTakenUntil(plan, startedAt) * 1000),
    customers_read_at: startedAt,
  }
  const rest = await planImport(context, options, { ...planned, mirror })
  const own = rest.find(isPlan)
  if (!own || own.state.plan.isFull) return undefined
  // With the leftover slices, this plan covers everything again.
  const whole = { ...own, state: { plan: { ...own.state.plan, isFull: true, areCustomersRead: true } } }
  return [whole, ...rest.filter((slice) => !isPlan(slice))]
}
