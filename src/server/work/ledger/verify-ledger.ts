import { decimalOfCents } from '#domain/currency.ts'
import { instantOfDate } from '#domain/instant.ts'
import { listCurrentMrr } from '../../store/ledger/dashboard.ts'
import {
  checkLedgerPage,
  listOrphanedIds,
  listUnevenSnapshots,
  loadChains,
  sumChanges,
} from '../../store/ledger/ledger-check.ts'
import { addRunFaults, type RecordedFault } from '../../store/ledger/ledger-faults.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { type RunContext, write } from '../runs/run-context.ts'
import { faultsOfChains } from './chain-faults.ts'

/** Subscriptions that are checked in one transaction. */
const pageMax = 5_000
/** Faults that are written out; more of them have one cause, and are counted. */
const recordedMax = 100
/** Subscriptions without a row that are looked for; there are none as long as all is well. */
const orphansMax = 1_000

/**
 * Holds what is kept against the identities (R38): per subscription each event starts where the last ended and the changes
 * sum to the current MRR; no events are without their subscription; over all of them that is what the dashboard shows; each
 * snapshot is the state at 00:00 UTC of its 1st, up to when they are `captured`, which the others do not wait for. What is
 * broken becomes an error of the run and stops nothing. Returns how many faults there are.
 */
export async function verifyLedger(context: RunContext, captured: Promise<Date>): Promise<number> {
  const at = context.deps.now()
  const faults: RecordedFault[] = []
  let count = 0
  const add = (found: readonly RecordedFault[]) => {
    count += found.length
    faults.push(...found.slice(0, recordedMax - faults.length))
  }
  const chains = async (): Promise<number> => {
    let eventCount = 0
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page = await readPage(context, { after, at, tellMax: recordedMax - faults.length })
      count += page.unevenCount
      faults.push(...page.faults)
      eventCount += page.eventCount
      after = page.lastId
    }
    return eventCount
  }
  const checks = [
    chains(),
    read(context, compareTotals),
    captured.then((until) => read(context, (tenant) => snapshotFaults(tenant, until))),
  ] as const
  // All of them come to rest before the run is given up.
  await Promise.allSettled(checks)
  const [eventCount, totals, snapshots] = await Promise.all(checks)
  // What no subscription is kept of is in no chain; to look for it takes longer than to count.
  if (eventCount !== totals.eventCount) add(await read(context, orphanFaults))
  add(totals.faults)
  add(snapshots)
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

function moneyText(cents: number, currency: string): string {
  return `${decimalOfCents(cents, currency)} ${currency.toUpperCase()}`
}
