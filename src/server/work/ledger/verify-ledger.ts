import { moneyText } from '#domain/currency.ts'
import { instantOfDate } from '#domain/instant.ts'
import { listCurrentMrr } from '../../store/ledger/dashboard.ts'
import {
  checkLedgerPage,
  listOrphanedIds,
  listUnevenSnapshots,
  loadChains,
  sumChanges,
} from '../../store/ledger/ledger-check.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { addRunFaults, type RecordedFault } from '../../store/runs/run-faults.ts'
import { type RunContext, write } from '../runs/run-context.ts'
import { faultsOfChains } from './chain-faults.ts'

/** One transaction checks this number of subscriptions. */
const pageMax = 5_000
/**
 * We write out this number of faults and only count the rest, because further faults usually share one cause.
 */
const recordedMax = 100
/** We look for at most this number of subscriptions without a row; a correct ledger has none. */
const orphansMax = 1_000

/**
 * Checks the stored ledger against its identities (R38): unbroken chains, events with a subscription, totals
 * as on the dashboard, snapshots `until` then as at 00:00 UTC of each 1st. Returns the number of faults; the run
 * lists them as errors.
 */
export async function verifyLedger(context: RunContext, until: Date): Promise<number> {
  const at = context.deps.now()
  const faults: RecordedFault[] = []
  let count = 0
  const add = (found: readonly RecordedFault[]) => {
    count += found.length
    faults.push(...found.slice(0, recordedMax - faults.length))
  }
  let eventCount = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await readPage(context, { after, at, tellMax: recordedMax - faults.length })
    count += page.unevenCount
    faults.push(...page.faults)
    eventCount += page.eventCount
    after = page.lastId
  }
  const totals = await read(context, compareTotals)
  // Events without a subscription are in no chain. Comparing counts is cheaper than searching for them.
  if (eventCount !== totals.eventCount) add(await read(context, orphanFaults))
  add(totals.faults)
  add(await read(context, (tenant) => snapshotFaults(tenant, until)))
  await write(context, (tenant) => addRunFaults(tenant, context.claim.runId, faults, at))
  if (count > 0) context.deps.log.error({ runId: context.claim.runId, count }, 'figures do not add up')
  return count
}

async function read<T>(
  { deps, claim, signal }: RunContext,
  work: (tenant: Tenant) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  return inOrganization(deps.database, claim.organizationId, work)
}

function readPage(context: RunContext, { after, at, tellMax }: { after: string; at: Date; tellMax: number }) {
  return read(context, async (tenant) => {
    const { lastId, eventCount, unevenIds } = await checkLedgerPage(tenant, { after, limit: pageMax })
    const told = unevenIds.slice(0, tellMax)
    const chains = told.length === 0 ? { figures: [], events: [] } : await loadChains(tenant, told)
    return {
      lastId,
      eventCount,
      unevenCount: unevenIds.length,
      faults: faultsOfChains(chains, instantOfDate(at)),
    }
  })
}

async function orphanFaults(tenant: Tenant): Promise<RecordedFault[]> {
  const message = 'Events of it are kept, but there is no such subscription.'
  return (await listOrphanedIds(tenant, orphansMax)).map((sourceId) => ({ sourceId, message }))
}

async function compareTotals(tenant: Tenant): Promise<{ faults: RecordedFault[]; eventCount: number }> {
  const changes = await sumChanges(tenant)
  const shown = new Map((await listCurrentMrr(tenant)).map((row) => [row.currency, row.mrrCents]))
  const summed = new Map(changes.map((row) => [row.currency, row.mrrCents]))
  const faults = [...new Set([...shown.keys(), ...summed.keys()])].sort().flatMap((currency) => {
    const [ofDashboard, ofEvents] = [shown.get(currency) ?? 0, summed.get(currency) ?? 0]
    if (ofDashboard === ofEvents) return []
    const message = `All events together come to ${moneyText(ofEvents, currency)} of MRR, but the dashboard shows ${moneyText(ofDashboard, currency)}.`
    return [{ sourceId: null, message }]
  })
  return { faults, eventCount: changes.reduce((sum, { eventCount }) => sum + eventCount, 0) }
}

async function snapshotFaults(tenant: Tenant, until: Date): Promise<RecordedFault[]> {
  return (await listUnevenSnapshots(tenant, until)).map((snapshot) => {
    const { month, currency, mrrCents, activeSubscriptions, stoodAtCents, stoodAtSubscriptions } = snapshot
    const kept = `${moneyText(mrrCents, currency)} of ${activeSubscriptions} subscriptions`
    const stood = `${moneyText(stoodAtCents, currency)} of ${stoodAtSubscriptions}`
    return {
      sourceId: null,
      message: `The snapshot of ${month} says ${kept}, but on its 1st they stood at ${stood}.`,
    }
  })
}
