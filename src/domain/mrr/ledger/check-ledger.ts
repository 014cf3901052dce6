import type { MrrEvent } from '../../event.ts'
import { type Instant, isoOfInstant } from '../../instant.ts'
import { startOfMonth } from '../../month.ts'
import type { SubscriptionMrr } from '../events/subscription-mrr.ts'
import { type Snapshot, snapshotsOf } from './snapshots.ts'

/** One place where a ledger does not add up. Amounts are minor units. */
export type LedgerFault = {
  identity: 'chain' | 'change' | 'whole_cents' | 'current' | 'total' | 'snapshot'
  /** The subscription; null for totals and snapshots. */
  subscriptionId: string | null
  currency: string
  /** The month of a snapshot, 'YYYY-MM'; null for other faults. */
  month: string | null
  expectedCents: number
  foundCents: number
  /** The fault as a sentence. */
  message: string
}

type Figures = Pick<SubscriptionMrr, 'subscriptionId' | 'currentMrrCents' | 'currency'>

/**
 * Checks a ledger (R38, R28): each event starts where its subscription's previous one ended; changes add up to current
 * MRR, per subscription and currency; a snapshot equals the state at 00:00 UTC on the 1st. Expects row order.
 */
export function checkLedger(
  events: readonly MrrEvent[],
  subscriptions: readonly Figures[],
  snapshots: readonly Snapshot[],
  asOf: Instant,
): LedgerFault[] {
  const levels = new Map<string, number>()
  const faults = events.flatMap((event) => {
    const level = levels.get(event.subscriptionId) ?? 0
    levels.set(event.subscriptionId, event.currentMrrCents)
    return faultsOfEvent(event, level)
  })
  return [
    ...faults,
    ...faultsOfCurrent(levels, subscriptions),
    ...faultsOfTotals(events, subscriptions),
    ...faultsOfSnapshots(events, snapshots, asOf),
  ]
}

type Found = Pick<LedgerFault, 'expectedCents' | 'foundCents' | 'message'>

function faultsOfEvent(event: MrrEvent, level: number): LedgerFault[] {
  const { id, subscriptionId, currency, occurredAt } = event
  const { previousMrrCents, currentMrrCents, mrrChangeCents } = event
  const faults: LedgerFault[] = []
  const add = (identity: LedgerFault['identity'], found: Found): void => {
    faults.push({ identity, subscriptionId, currency, month: null, ...found })
  }
  const amounts = [previousMrrCents, currentMrrCents, mrrChangeCents]
  for (const foundCents of amounts.filter((cents) => !Number.isSafeInteger(cents))) {
    const message = `Event ${id} holds ${foundCents}, which is no whole number of minor units`
    add('whole_cents', { expectedCents: Math.round(foundCents), foundCents, message })
  }
  if (previousMrrCents !== level) {
    const when = isoOfInstant(occurredAt)
    const message = `The event of ${when} starts at ${previousMrrCents}, the one before it ended at ${level}`
    add('chain', { expectedCents: level, foundCents: previousMrrCents, message })
  }
  const expectedCents = currentMrrCents - previousMrrCents
  if (mrrChangeCents !== expectedCents) {
    const message = `Event ${id} goes from ${previousMrrCents} to ${currentMrrCents} and says ${mrrChangeCents}`
    add('change', { expectedCents, foundCents: mrrChangeCents, message })
  }
  return faults
}

function faultsOfCurrent(
  levels: ReadonlyMap<string, number>,
  subscriptions: readonly Figures[],
): LedgerFault[] {
  return subscriptions.flatMap(({ subscriptionId, currentMrrCents: foundCents, currency }) => {
    const expectedCents = levels.get(subscriptionId) ?? 0
    if (foundCents === expectedCents) return []
    const message = `Subscription ${subscriptionId} is at ${foundCents}, its events end at ${expectedCents}`
    const identity = 'current' as const
    return [{ identity, subscriptionId, currency, month: null, expectedCents, foundCents, message }]
  })
}

function faultsOfTotals(events: readonly MrrEvent[], subscriptions: readonly Figures[]): LedgerFault[] {
  const ofEvents = sums(events.map((event) => [event.currency, event.mrrChangeCents]))
  const ofSubscriptions = sums(
    subscriptions.map(({ currency, currentMrrCents }) => [currency, currentMrrCents]),
  )
  const currencies = [...new Set([...ofEvents.keys(), ...ofSubscriptions.keys()])].sort()
  return currencies.flatMap((currency) => {
    const expectedCents = ofEvents.get(currency) ?? 0
    const foundCents = ofSubscriptions.get(currency) ?? 0
    if (foundCents === expectedCents) return []
    const message = `All subscriptions in ${currency} sum to ${foundCents}, all changes to ${expectedCents}`
    const identity = 'total' as const
    return [{ identity, subscriptionId: null, currency, month: null, expectedCents, foundCents, message }]
  })
}

function sums(entries: readonly (readonly [string, number])[]): Map<string, number> {
  const byKey = new Map<string, number>()
  for (const [key, cents] of entries) byKey.set(key, (byKey.get(key) ?? 0) + cents)
  return byKey
}

/** Checks from the first given month on; a missing month counts as 0, and so does a month without events. */
function faultsOfSnapshots(
  events: readonly MrrEvent[],
  snapshots: readonly Snapshot[],
  asOf: Instant,
): LedgerFault[] {
  const first = snapshots.map(({ month }) => month).sort()[0]
  if (first === undefined) return []
  const keyOf = ({ month, currency }: Snapshot): string => `${month} ${currency}`
  const right = new Map(
    snapshotsOf(events, startOfMonth(first), asOf).map((entry) => [keyOf(entry), entry.mrrCents]),
  )
  const found = new Map(snapshots.map((entry) => [keyOf(entry), entry.mrrCents]))
  return [...new Set([...right.keys(), ...found.keys()])].sort().flatMap((key) => {
    const [month = '', currency = ''] = key.split(' ')
    const expectedCents = right.get(key) ?? 0
    const foundCents = found.get(key) ?? 0
    if (foundCents === expectedCents) return []
    const message = `The snapshot of ${month} in ${currency} says ${foundCents}, the events of that 1st ${expectedCents}`
    const identity = 'snapshot' as const
    return [{ identity, subscriptionId: null, currency, month, expectedCents, foundCents, message }]
  })
}
