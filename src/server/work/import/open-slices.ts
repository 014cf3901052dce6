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
 * The slices of the run: those of an earlier attempt, or a plan made and saved now, which goes on with what an import
 * that failed within the last day has left, instead of reading it again. Before the first slice of another
 * account is read, everything of the account before is emptied, in the transaction that saves the plan.
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
  // Without a mirror whatever was read before was of an account that was reset since.
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
    // As saved, since the two may name the same window.
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

/** Empties what another account left; from now on the key sees what is kept. */
async function startMirrorAnew(tenant: Tenant, connection: TriedSecret): Promise<void> {
  await clearPaymentAccount(tenant)
  await noteConnectionDetails(tenant, connection, { isMirrorKnown: null })
}

/** What an earlier attempt planned. Whoever read parts of it for that attempt cannot write any more. */
async function goOn(context: PlanningContext, slices: ImportSlice[]): Promise<ImportSlice[]> {
  await write(context, async (tenant) => {
    await releaseSlices(tenant, context.claim.runId)
    await share(context, tenant, slices)
  })
  return slices
}

/** Everything is much to read: others may help. What changed since the last import is little. */
async function share({ deps, claim }: PlanningContext, tenant: Tenant, slices: ImportSlice[]): Promise<void> {
  if (planOf(slices).isFull && slices.some((slice) => !slice.isDone)) await deps.enlist(tenant, claim.runId)
}

/** How long ago an import may have failed for another to go on with it. */
const leftOverMaxMs = 24 * 3600 * 1000

type LeftOver = { runId: string; startedAt: Date; plan: PlanState['plan']; slices: ImportSlice[] }

/** Where everything is to be read: what an import of everything that failed has read and has left to be read. */
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

/** What came to be or changed since the failed import was planned; undefined where no record of changes tells. */
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
  // Together with what is left over it is everything again.
  const whole = { ...own, state: { plan: { ...own.state.plan, isFull: true, areCustomersRead: true } } }
  return [whole, ...rest.filter((slice) => !isPlan(slice))]
}
