import type { Charge } from './evidence.ts'
import { type Cadence, cadenceOfPeriod, isWholePeriod, periodsLater } from './interval.ts'
import { type ItemTerms, type Pricing, UnsupportedSubscription } from './item-terms.ts'
import { amountAtQuantity, billedUnits, isKnownKind } from './price-amount.ts'
import { priceIn } from './price-currency.ts'
import {
  compare,
  distance,
  isPositive,
  one,
  over,
  type Rational,
  ratio,
  rationalOfDecimal,
  textOf,
  times,
  whole,
} from './rational.ts'

const half = ratio(1n, 2n)

/** How often the charge's price is billed; read out of its service period where the price is gone. */
export function cadenceOfCharge(charge: Charge, prior: ItemTerms | undefined, pricing: Pricing): Cadence {
  const { price } = charge
  if (price?.interval) return { interval: price.interval, count: price.intervalCount }
  const ofPrice = charge.isProration ? pricing.cadencesOfGonePrices.get(charge.priceId ?? '') : undefined
  if (ofPrice) return ofPrice
  if (charge.isProration && prior) return prior.cadence
  const known = pricing.subscription.items.find(({ id }) => id === charge.itemKey)?.price
  if (charge.isProration && known?.interval) return { interval: known.interval, count: known.intervalCount }
  const ofItem = charge.isProration ? pricing.cadencesOfGonePrices.get(charge.itemKey) : undefined
  const inferred = ofItem ?? cadenceOfPeriod(charge.at, charge.until)
  if (inferred) return inferred
  const lineId = charge.lines[0]?.id ?? ''
  throw new UnsupportedSubscription(
    `Invoice ${charge.invoice.id}, line ${lineId}: neither its price nor its service period tells how often it is billed`,
  )
}

/** The unit amount that the line was billed at; the price's own where the line is silent or free. */
function unitOf(charge: Charge): Rational | undefined {
  const text = charge.lines[0]?.unitAmountDecimal ?? null
  const onLine = text === null ? undefined : rationalOfDecimal(text)
  if (onLine && isPositive(onLine)) return onLine
  const decimal = priceIn(charge.price, charge.invoice.currency)?.unitAmountDecimal
  return (decimal ? rationalOfDecimal(decimal) : undefined) ?? onLine
}

function isTiered(charge: Charge): boolean {
  return charge.price?.billingScheme === 'tiered' || charge.lines.length > 1
}

/** What a unit was billed at; undefined where tiers decide. */
export function unitAsBilled(charge: Charge): Rational | undefined {
  return isTiered(charge) ? undefined : unitOf(charge)
}

/** What a whole period of the charged quantity costs by its price, before discounts; undefined when nothing tells. */
function listAmountOf(charge: Charge): Rational | undefined {
  const { price, quantity } = charge
  if (price && !isKnownKind(price)) return undefined
  if (isTiered(charge)) {
    const own = priceIn(price, charge.invoice.currency)
    return own && amountAtQuantity(own, quantity)
  }
  const unit = unitOf(charge)
  return unit && times(unit, whole(billedUnits(price, quantity)))
}

/** Text that differs when the unit price does (R19). */
export function unitKeyOf(charge: Charge): string {
  const unit = unitAsBilled(charge)
  return unit ? textOf(unit) : (charge.priceId ?? 'unknown')
}

/** Seconds of the whole billing period that a proration is a part of. */
function periodSecondsOf(charge: Charge, cadence: Cadence, prior: ItemTerms | undefined): number {
  const billed = prior?.source.kind === 'charge' ? prior.source.charge : undefined
  const isSamePeriod = billed && !billed.isProration && billed.until === charge.until
  const start = isSamePeriod ? billed.at : periodsLater(charge.until, cadence, -1)
  return Math.max(charge.until - start, 1)
}

/** The part of the billing period that the charge's own period is; above 1 where a longer stretch had elapsed (R32). */
export function prorationShare(charge: Charge, cadence: Cadence, prior: ItemTerms | undefined): Rational {
  const seconds = Math.max(charge.until - charge.at, 0)
  return over(whole(seconds), whole(periodSecondsOf(charge, cadence, prior)))
}

/**
 * The amount of one whole period before discounts. A whole period of an unknown or tiered price is what was billed (R24);
 * a proration, a stub or an elapsed stretch is only evidence of price and quantity (R12, R32, R35).
 */
export function grossOf(charge: Charge, cadence: Cadence, prior: ItemTerms | undefined): Rational {
  const billed = whole(charge.amountCents)
  const list = listAmountOf(charge)
  const isWhole = !charge.isProration && isWholePeriod(charge.at, charge.until, cadence)
  if (isWhole) {
    const isListExact = list && compare(distance(list, billed), one) < 0
    if (isListExact) return list
    return charge.price && !isTiered(charge) && list ? list : billed
  }
  if (list) return list
  const share = charge.isProration
    ? prorationShare(charge, cadence, prior)
    : over(whole(charge.until - charge.at), whole(periodsLater(charge.at, cadence) - charge.at))
  return over(billed, share)
}

/** Whether the invoice says 0 for something that has a price: a trial or another free stretch (R16). */
export function isBilledAsFree(charge: Charge, cadence: Cadence, prior: ItemTerms | undefined): boolean {
  if (charge.amountCents !== 0 || charge.discountCents !== 0) return false
  const list = listAmountOf(charge)
  if (!list || !isPositive(list)) return false
  // Too short a stretch rounds to nothing without being free.
  return !charge.isProration || compare(times(list, prorationShare(charge, cadence, prior)), half) >= 0
}
