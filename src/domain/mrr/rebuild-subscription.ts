import type { Instant } from '../instant.ts'
import type { PaymentInvoice, PaymentPrice, PaymentSubscription } from '../payments.ts'
import type { Charge } from './bills/bill.ts'
import { countedFromStart, isBackdated } from './bills/first-bill.ts'
import { type GonePrices, likeliestCadence } from './bills/gone-prices.ts'
import { type InvoiceReading, noteIgnored, readInvoices } from './bills/read-invoices.ts'
import { notBegun } from './bills/why-ignored.ts'
import type { Cadence } from './exact/interval.ts'
import type { MrrPolicy } from './exact/policy.ts'
import { wholeBillsOf } from './terms/discounts/cents-as-billed.ts'
import { discountBookOf } from './terms/discounts/coupon.ts'
import { discountSamplesOf } from './terms/discounts/discount-samples.ts'
import { inclusiveRatesOf } from './terms/inclusive-rates.ts'
import { type Pricing, UnsupportedSubscription } from './terms/item-terms.ts'
import { netOfDay } from './timeline/net-states.ts'
import {
  countedInstant,
  countedObservation,
  type Observation,
  observedStatesOf,
  withoutBilled,
} from './timeline/observation.ts'
import { endOfRevenue, withoutThoseOfPauses } from './timeline/revenue-end.ts'
import { type RevenueStatus, revenueStatusOf } from './timeline/revenue-status.ts'
import type { SubscriptionRebuild } from './timeline/subscription-rebuild.ts'
import { nothingYet, type SubscriptionState, stateOf } from './timeline/subscription-state.ts'
import { timelineOf } from './timeline/timeline.ts'
import { findUnbilledChanges } from './timeline/unbilled-changes.ts'
import { whyUnsupported } from './unsupported.ts'

/** The input of a rebuild that is the same for all subscriptions of a customer. */
export type RebuildInput = {
  prices: ReadonlyMap<string, PaymentPrice>
  gonePrices: GonePrices
  policy: MrrPolicy
  asOf: Instant
  observations: readonly Observation[]
}

/**
 * The states of one subscription from its own invoices, oldest first. Never throws on anything that a provider may send.
 */
export function rebuildSubscription(
  subscription: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
  input: RebuildInput,
): SubscriptionRebuild {
  const { policy, asOf } = input
  const nothing = {
    subscription,
    states: [],
    now: nothingYet,
    ignored: new Map(),
    passedOver: [],
    charges: [],
    moneyBack: [],
    discounts: new Map(),
    newObservations: [],
  }
  const countedAt = countedInstant(subscription, input.observations, asOf)
  const problem = subscription.problem ?? whyUnsupported(subscription)
  if (problem) return { ...nothing, isUnsupported: problem }
  const revenue = revenueStatusOf(subscription, invoices, policy, asOf, countedAt)
  if (revenue.kind === 'unknown') {
    return { ...nothing, isUnsupported: `The status '${subscription.status}' is not known to this version` }
  }
  try {
    const reading = readInvoices(subscription, invoices, input.prices, input.gonePrices)
    if (reading.problem) return { ...nothing, isUnsupported: reading.problem }
    const { ignored, passedOver, charges, credits: moneyBack } = reading
    if (revenue.kind === 'never') return { ...nothing, ignored, passedOver, isUnsupported: null }
    const { states, now, discounts, newObservations } = statesOf(
      subscription,
      invoices,
      reading,
      revenue,
      input,
    )
    if (!states.every(isCountable))
      return {
        ...nothing,
        isUnsupported:
          'Its amounts are too large to be counted: look at the quantities and prices of its items',
      }
    const notPaid =
      subscription.status === 'past_due' ? invoices.findLast(({ status }) => status === 'open') : null
    if (notPaid && notPaid.createdAt <= asOf && (countedAt ?? -1) < notPaid.createdAt) {
      newObservations.push(countedObservation(subscription.id, notPaid.createdAt, asOf))
    }
    const shown = { ignored, passedOver, charges, moneyBack, discounts }
    return { subscription, states, now, ...shown, newObservations, isUnsupported: null }
  } catch (error) {
    if (error instanceof UnsupportedSubscription) return { ...nothing, isUnsupported: error.message }
    throw error
  }
}

function statesOf(
  subscription: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
  reading: InvoiceReading,
  revenue: RevenueStatus,
  { prices, gonePrices, policy, asOf, observations }: RebuildInput,
): Pick<SubscriptionRebuild, 'states' | 'now' | 'discounts' | 'newObservations'> {
  const seen = observedStatesOf(subscription, observations, policy, asOf)
  const stored = seen.map((state) => withoutBilled(state, reading))
  const pricing: Pricing = {
    subscription,
    policy,
    prices,
    discounts: discountBookOf(subscription, invoices, stored),
    discountSamples: once(() => discountSamplesOf(reading.charges)),
    wholeBills: once(() => wholeBillsOf(reading.charges)),
    inclusiveRates: once(() => inclusiveRatesOf(reading.charges)),
    gonePrices,
    cadencesOfItems: once(() => cadencesOfItems(reading.charges)),
  }
  const charges = countedFromStart(
    reading.charges.filter(({ at }) => at <= asOf),
    subscription,
  )
  for (const { invoice, lines } of reading.charges.filter(({ at }) => at > asOf)) {
    if (!reading.passedOver.includes(invoice)) reading.passedOver.push(invoice)
    for (const line of lines) noteIgnored(reading.ignored, invoice, line, notBegun)
  }
  const { fresh, closings } = findUnbilledChanges(
    { charges, credits: reading.credits },
    stored,
    pricing,
    revenue.kind === 'counts' || isEndedUnbilled(revenue, subscription, invoices),
    asOf,
  )
  const end = endOfRevenue(revenue, subscription, charges, stored)
  const credits = withoutThoseOfPauses(reading.credits, [...stored, ...(end?.fresh ? [end.fresh] : [])])
  const evidence = { charges, credits, observations: [...stored, ...fresh], closings }
  const walked = timelineOf(evidence, pricing, end?.at ?? asOf + 1)
  const states = netOfDay(walked.states)
  const last = states.at(-1)
  let now = last ? { ...last, items: walked.items } : nothingYet
  if (end && states.length > 0) {
    const { at, observationId: ofEnd, by: datedBy } = end
    const notPaid = revenue.kind === 'ended' && revenue.by === datedBy ? revenue.notPaid : undefined
    now = stateOf(at, [], { cause: 'end', observationId: ofEnd, datedBy, ...(notPaid && { notPaid }) })
    states.push(now)
  }
  const newObservations: Observation[] = fresh.filter(({ at }) => !end || at < end.at)
  // A pause after a trial ends no revenue, but shows that the time until it is resumed is not paid (R16).
  const isKept = (states.at(-2)?.mrrCents ?? 0) > 0 || (end?.fresh?.endedAs === 'paused' && states.length > 0)
  if (end?.fresh && isKept) newObservations.push(end.fresh)
  return { states, now, discounts: pricing.discounts, newObservations }
}

/** R32: a backdated subscription that ended before its first bill counted from its start until then. */
function isEndedUnbilled(
  { kind }: RevenueStatus,
  subscription: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
): boolean {
  return kind === 'ended' && invoices.length === 0 && isBackdated(subscription)
}

/** How often each item was billed, by item key. Bills for a part of a period do not show it. */
function cadencesOfItems(charges: readonly Charge[]): Map<string, Cadence> {
  const regular = charges.filter(({ isProration }) => !isProration)
  const cadences = new Map<string, Cadence>()
  for (const [itemKey, ofItem] of Map.groupBy(regular, (charge) => charge.itemKey)) {
    const cadence = likeliestCadence(ofItem.map(({ at, until }) => ({ from: at, to: until })))
    if (cadence) cadences.set(itemKey, cadence)
  }
  return cadences
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function isCountable({ mrrCents, quantity }: SubscriptionState): boolean {
  return Number.isSafeInteger(mrrCents) && Number.isSafeInteger(quantity)
}
