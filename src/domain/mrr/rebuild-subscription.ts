import type { Instant } from '../instant.ts'
import type { PaymentInvoice, PaymentPrice, PaymentSubscription } from '../payments.ts'
import { discountBookOf } from './coupon.ts'
import { stateItems } from './declare-items.ts'
import { discountSamplesOf } from './discount-samples.ts'
import { type Standing, standingOf } from './ending.ts'
import type { Charge, IgnoredLine } from './evidence.ts'
import { cadencesOfGonePrices } from './gone-prices.ts'
import { daySeconds } from './interval.ts'
import { type Pricing, UnsupportedSubscription } from './item-terms.ts'
import type { MrrPolicy } from './policy.ts'
import { problemOf } from './problem.ts'
import { type InvoiceReading, readInvoices } from './read-invoices.ts'
import { type Seen, type Sighting, seenOf, sightingId, sightingOf } from './sighting.ts'
import { type SubscriptionState, stateOf } from './subscription-state.ts'
import { timelineOf } from './timeline.ts'

export type SubscriptionRebuild = {
  subscription: PaymentSubscription
  /** What it went through, in time; the last is what it is worth now. Empty when it never was worth anything. */
  states: SubscriptionState[]
  ignored: ReadonlyMap<string, IgnoredLine[]>
  /** What only the subscription itself tells and no earlier sighting does. */
  newSightings: Sighting[]
  isUnsupported: string | null
}

/** What a rebuild is made with, for all subscriptions of a customer alike. */
export type RebuildInput = {
  prices: ReadonlyMap<string, PaymentPrice>
  policy: MrrPolicy
  asOf: Instant
  sightings: readonly Sighting[]
}

/** The states of one subscription out of its own invoices, oldest first. Never throws on what a provider may send. */
export function rebuildSubscription(
  subscription: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
  input: RebuildInput,
): SubscriptionRebuild {
  const { policy, asOf } = input
  const nothing = { subscription, states: [], ignored: new Map(), newSightings: [] }
  const standing = standingOf(subscription, invoices, policy, asOf)
  if (standing.kind === 'unknown') {
    return { ...nothing, isUnsupported: `The status '${subscription.status}' is not known to this version` }
  }
  const problem = subscription.problem ?? problemOf(subscription)
  if (problem) return { ...nothing, isUnsupported: problem }
  try {
    const reading = readInvoices(subscription, invoices, input.prices)
    if (reading.problem) return { ...nothing, isUnsupported: reading.problem }
    if (standing.kind === 'never') return { ...nothing, ignored: reading.ignored, isUnsupported: null }
    const { states, newSightings } = statesOf(subscription, invoices, reading, standing, input)
    if (!states.every(isCountable))
      return {
        ...nothing,
        isUnsupported:
          'Its amounts are too large to be counted: look at the quantities and prices of its items',
      }
    return { subscription, states, ignored: reading.ignored, newSightings, isUnsupported: null }
  } catch (error) {
    if (error instanceof UnsupportedSubscription) return { ...nothing, isUnsupported: error.message }
    throw error
  }
}

function statesOf(
  subscription: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
  reading: InvoiceReading,
  standing: Standing,
  { prices, policy, asOf, sightings }: RebuildInput,
): Pick<SubscriptionRebuild, 'states' | 'newSightings'> {
  const stored = seenOf(subscription, sightings, policy, asOf)
  const pricing: Pricing = {
    subscription,
    policy,
    prices,
    discounts: discountBookOf(subscription, invoices, stored),
    discountSamples: discountSamplesOf(reading.charges),
    cadencesOfGonePrices: cadencesOfGonePrices(reading.charges),
  }
  const charges = reading.charges.filter(({ at }) => at <= asOf)
  const { fresh, closings } = stateItems(
    { charges, credits: reading.credits },
    stored,
    pricing,
    standing.kind === 'counts',
    asOf,
  )
  const end = endOf(standing, subscription, charges, stored)
  const evidence = { charges, credits: reading.credits, sightings: [...stored, ...fresh], closings }
  const walked = timelineOf(evidence, pricing, end?.at ?? asOf + 1)
  const states = datedAtStart(walked, subscription)
  if (end && states.length > 0) states.push(stateOf(end.at, [], null, 'end', end.sightingId))
  const seen = fresh.filter(({ at }) => !end || at < end.at)
  if (end?.fresh && (states.at(-2)?.mrrCents ?? 0) > 0) seen.push(end.fresh)
  return { states, newSightings: seen.map((each) => sightingOf(each, subscription)) }
}

type End = { at: Instant; sightingId: string | null; fresh: Seen | null }

/** When its revenue ended; an end that may be undone, or that nothing dates, is remembered as it was first seen. */
function endOf(
  standing: Standing,
  subscription: PaymentSubscription,
  charges: readonly Charge[],
  stored: readonly Seen[],
): End | null {
  if (standing.kind !== 'ended') return null
  const { endsAt, isSeen, isDated } = standing
  if (!isSeen) return { at: endsAt, sightingId: null, fresh: null }
  const last = stored.at(-1)
  const isStill = last && (endsAt <= last.at || !charges.some(({ at }) => at > last.at))
  if (last?.endedAs != null && isStill)
    return { at: Math.min(last.at, endsAt), sightingId: last.id, fresh: null }
  const id = sightingId(subscription.id, endsAt, isDated)
  const { status: endedAs, items, discounts } = subscription
  const fresh = { id, at: endsAt, endedAs, items, discounts, changed: [], closed: [], inside: [] }
  return { at: endsAt, sightingId: id, fresh }
}

function isCountable({ mrrCents, quantity }: SubscriptionState): boolean {
  return Number.isSafeInteger(mrrCents) && Number.isSafeInteger(quantity)
}

/** R32: a backdated subscription begins at its start date, even where what had elapsed was not billed. */
function datedAtStart(states: SubscriptionState[], subscription: PaymentSubscription): SubscriptionState[] {
  const { startedAt, createdAt, trialStart } = subscription
  const [first, ...rest] = states
  const isBackdated = startedAt < createdAt && trialStart === null
  if (!first || !isBackdated || first.at <= startedAt || first.at > createdAt + daySeconds) return states
  return [{ ...first, at: startedAt }, ...rest]
}
