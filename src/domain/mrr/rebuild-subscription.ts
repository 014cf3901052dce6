import type { Instant } from '../instant.ts'
import type { PaymentInvoice, PaymentPrice, PaymentSubscription } from '../payments.ts'
import { discountBookOf } from './coupon.ts'
import { stateItems } from './declare-items.ts'
import { discountSamplesOf } from './discount-samples.ts'
import { type Standing, standingOf } from './ending.ts'
import { type IgnoredLine, isInstant } from './evidence.ts'
import { daySeconds } from './interval.ts'
import { type Pricing, UnsupportedSubscription } from './item-terms.ts'
import type { MrrPolicy } from './policy.ts'
import { readInvoices } from './read-invoices.ts'
import { type SubscriptionState, stateOf } from './subscription-state.ts'
import { timelineOf } from './timeline.ts'

export type SubscriptionRebuild = {
  subscription: PaymentSubscription
  /** What it went through, in time; the last is what it is worth now. Empty when it never was worth anything. */
  states: SubscriptionState[]
  ignored: ReadonlyMap<string, IgnoredLine[]>
  isUnsupported: string | null
}

/** The states of one subscription out of its own invoices, oldest first. Never throws on what a provider may send. */
export function rebuildSubscription(
  subscription: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
  prices: ReadonlyMap<string, PaymentPrice>,
  policy: MrrPolicy,
  asOf: Instant,
): SubscriptionRebuild {
  const nothing = { subscription, states: [], ignored: new Map() }
  const standing = standingOf(subscription, invoices, policy, asOf)
  if (standing.kind === 'unknown') {
    return { ...nothing, isUnsupported: `The status '${subscription.status}' is not known` }
  }
  const problem = subscription.problem ?? unreadableDate(subscription)
  if (problem) return { ...nothing, isUnsupported: problem }
  try {
    const reading = readInvoices(subscription, invoices, prices)
    if (reading.problem) return { ...nothing, isUnsupported: reading.problem }
    if (standing.kind === 'never') return { ...nothing, ignored: reading.ignored, isUnsupported: null }
    const pricing: Pricing = {
      subscription,
      policy,
      prices,
      discounts: discountBookOf(subscription, invoices),
      discountSamples: discountSamplesOf(reading.charges),
    }
    const isCounting = standing.kind === 'counts'
    const charges = reading.charges.filter(({ at }) => at <= asOf)
    const stated = stateItems(charges, pricing, isCounting, asOf)
    const evidence = { charges, credits: reading.credits, ...stated }
    const end = standing.endsAt ?? asOf + 1
    const states = datedAtStart(timelineOf(evidence, pricing, end, asOf), subscription)
    if (!states.every(isCountable))
      return { ...nothing, isUnsupported: 'Its amounts are too large to be counted' }
    return { subscription, states: withEnd(states, standing), ignored: reading.ignored, isUnsupported: null }
  } catch (error) {
    if (error instanceof UnsupportedSubscription) return { ...nothing, isUnsupported: error.message }
    throw error
  }
}

function unreadableDate(subscription: PaymentSubscription): string | undefined {
  const { createdAt, startedAt, endedAt, items } = subscription
  const dates = { created: createdAt, start_date: startedAt, ended_at: endedAt ?? 0 }
  const field = Object.entries(dates).find(([, at]) => !isInstant(at))?.[0]
  const item = items.find(({ createdAt: at, periodStart }) => !isInstant(at) || !isInstant(periodStart))
  const name = field ?? (item && `a date of item ${item.id}`)
  return name && `The subscription's ${name} is unreadable`
}

function isCountable({ mrrCents, quantity }: SubscriptionState): boolean {
  return Number.isSafeInteger(mrrCents) && Number.isSafeInteger(quantity)
}

function withEnd(states: SubscriptionState[], standing: Standing): SubscriptionState[] {
  return standing.kind === 'ended' ? [...states, stateOf(standing.endsAt, [], null, 'end')] : states
}

/** R32: a backdated subscription begins at its start date, even where what had elapsed was not billed. */
function datedAtStart(states: SubscriptionState[], subscription: PaymentSubscription): SubscriptionState[] {
  const { startedAt, createdAt, trialStart } = subscription
  const [first, ...rest] = states
  const isBackdated = startedAt < createdAt && trialStart === null
  if (!first || !isBackdated || first.at <= startedAt || first.at > createdAt + daySeconds) return states
  return [{ ...first, at: startedAt }, ...rest]
}
