import { providerNames } from '../../provider-names.ts'
import type { Charge } from '../bills/bill.ts'
import {
  type Cadence,
  cadenceOfPeriod,
  isExactPeriod,
  isOddCadence,
  isWholePeriod,
  periodsLater,
  startOfPeriod,
} from '../exact/interval.ts'
import { plainestUnit } from '../exact/plainest-unit.ts'
import {
  compare,
  distance,
  isPositive,
  minus,
  notBelowZero,
  one,
  over,
  plus,
  type Rational,
  rationalOfDecimal,
  textOf,
  times,
  whole,
} from '../exact/rational.ts'
import { billedUnits } from '../prices/price-amount.ts'
import { amountOfPrice, unitOfPrice } from '../prices/price-currency.ts'
import { totalOff } from './discounts/discount-stack.ts'
import { includedDiscount } from './discounts/included-discount.ts'
import { type ItemTerms, type Pricing, UnsupportedSubscription } from './item-terms.ts'

/** What a charge sells its item for: a whole period before discounts, and what distinguishes its unit price (R19). */
export type SalePrice = {
  gross: Rational
  unitKey: string
  /** The invoice charges 0 for something that has a price: a trial or another free stretch (R16). */
  isFree: boolean
}

/** How often the charge's price is billed; read from service periods when the price was deleted. */
export function cadenceOfCharge(charge: Charge, prior: ItemTerms | undefined, pricing: Pricing): Cadence {
  const { price, at, until, itemKey } = charge
  if (price?.interval) return { interval: price.interval, count: price.intervalCount }
  const gone = charge.priceId === null ? undefined : pricing.gonePrices.get(charge.priceId)
  if (gone?.cadence) return gone.cadence
  const own = cadenceOfPeriod(at, until)
  if (own && !charge.isProration && !isOddCadence(own)) return own
  const held = pricing.subscription.items.find(({ id }) => id === itemKey)?.price
  const stated = held?.interval ? { interval: held.interval, count: held.intervalCount } : undefined
  const inferred = prior?.cadence ?? stated ?? pricing.cadencesOfItems().get(itemKey) ?? own
  if (inferred) return inferred
  throw new UnsupportedSubscription(
    `${nameOf(charge)}: neither its price nor its service period tells how often it is billed`,
  )
}

function nameOf({ invoice, lines }: Charge): string {
  return `Invoice ${invoice.id}, line ${lines[0]?.id ?? ''}`
}

/**
 * What the price asks for a whole period of the charged quantity, before discounts; undefined when the price does not
 * determine it.
 */
function amountByPrice({ price, invoice, quantity }: Charge): Rational | undefined {
  return amountOfPrice(price, invoice.currency, quantity)
}

/**
 * The same amount from the regular bills of a deleted price: at this quantity, or by the unit price on which they agree.
 */
function amountByBills(charge: Charge, { gonePrices }: Pricing): Rational | undefined {
  const gone = charge.priceId === null ? undefined : gonePrices.get(charge.priceId)
  const same = gone?.amounts.get(charge.quantity)
  if (same !== undefined) return whole(same)
  return gone?.unit && times(gone.unit, whole(billedUnits(charge.price, charge.quantity)))
}

/**
 * The length of the charge in billing periods, counted back from its end; above 1 for a longer past stretch or several
 * periods ahead (R32, R33). Only a last period that is cut short counts from its start.
 */
export function shareOfPeriod(
  { at, until, isProration }: Charge,
  cadence: Cadence,
  prior: ItemTerms | undefined,
  { subscription: { anchorAt = null } }: Pricing,
): Rational {
  if (at >= until) return whole(0)
  const billed = prior?.source.kind === 'charge' ? prior.source.charge : undefined
  const isLast = !isProration && billed?.until === at && isExactPeriod(billed.at, at, cadence)
  const full = isLast ? periodsLater(at, cadence) : until
  if (full > until) return over(whole(until - at), whole(full - at))
  const isSamePeriod =
    billed?.until === until && billed.at < until && isExactPeriod(billed.at, until, cadence)
  let periods = 0
  let [start, end] = [isSamePeriod ? billed.at : startOfPeriod(until, cadence, anchorAt), until]
  while (start > at && start < end && periods < periodsMax) {
    ;[start, end] = [startOfPeriod(start, cadence, anchorAt), start]
    periods += 1
  }
  return plus(whole(periods), over(whole(end - at), whole(Math.max(end - start, 1))))
}

const periodsMax = 600

/**
 * What a charge sells its item for. A whole period costs what was billed. A partial one goes by its price, a regular
 * bill, or its share (R12, R13, R32, R35). Never read its line's unit amount: it is unreliable.
 */
export function salePriceOf(
  charge: Charge,
  cadence: Cadence,
  prior: ItemTerms | undefined,
  pricing: Pricing,
): SalePrice {
  const list = amountByPrice(charge) ?? amountByBills(charge, pricing)
  const share = shareOfPeriod(charge, cadence, prior, pricing)
  if (list && isBilledAsFree(charge, list, share)) {
    return { gross: list, unitKey: unitKeyOf(charge, pricing), isFree: true }
  }
  const isWhole = !charge.isProration && isWholePeriod(charge.at, charge.until, cadence)
  const gross = isWhole
    ? billedAsWhole(charge, list, share)
    : wholeOfPart(charge, list, share, prior, pricing)
  const isOwnPrice =
    list !== undefined &&
    compare(gross, list) !== 0 &&
    unitOfPrice(charge.price, charge.invoice.currency) !== undefined
  const unitKey = isOwnPrice ? textOf(perUnit(gross, charge)) : unitKeyOf(charge, pricing)
  return { gross, unitKey, isFree: false }
}

/** A text that differs between unit prices; the price's id when there is no single unit price. */
function unitKeyOf(charge: Charge, { gonePrices }: Pricing): string {
  const unit =
    unitOfPrice(charge.price, charge.invoice.currency) ?? gonePrices.get(charge.priceId ?? '')?.unit
  return unit ? textOf(unit) : (charge.priceId ?? 'unknown')
}

function perUnit(amount: Rational, { price, quantity }: Charge): Rational {
  return over(amount, whole(Math.max(billedUnits(price, quantity), 1)))
}

/**
 * A whole period costs what was billed; the price adds fractions of a cent. A first period a few days short passes for a
 * whole one until its amount shows otherwise. A unit that fits neither needs a person.
 */
function billedAsWhole(charge: Charge, list: Rational | undefined, share: Rational): Rational {
  const billed = whole(charge.amountCents)
  if (!list || compare(distance(list, billed), one) < 0) return list ?? billed
  if (compare(distance(times(list, share), billed), roundingOf(charge)) <= 0) return list
  const said = charge.lines[0]?.unitAmountDecimal ?? null
  const unit = said === null || charge.lines.length > 1 ? undefined : rationalOfDecimal(said)
  const isPerUnit =
    unitOfPrice(charge.price, charge.invoice.currency) !== undefined && !charge.price?.transformQuantity
  if (isPerUnit && unit && compare(distance(times(unit, whole(charge.quantity)), billed), one) >= 0) {
    throw new UnsupportedSubscription(
      `${nameOf(charge)}: its amount ${charge.amountCents} is not ${charge.quantity} times its unit amount ${said}: look at the invoice in ${providerNames.payments}`,
    )
  }
  return billed
}

function wholeOfPart(
  charge: Charge,
  list: Rational | undefined,
  share: Rational,
  prior: ItemTerms | undefined,
  pricing: Pricing,
): Rational {
  const isByPrice = amountByPrice(charge) !== undefined
  if (list && (isByPrice || fits(list, charge, share, prior, pricing))) return list
  if (!isPositive(share)) return list ?? whole(0)
  return plainestUnit(charge.amountCents, times(share, whole(Math.max(charge.quantity, 1))), charge.quantity)
}

/** Whether the billed amount equals a share of an amount, with a discount that the item can have or without one. */
function fits(
  amount: Rational,
  charge: Charge,
  share: Rational,
  prior: ItemTerms | undefined,
  pricing: Pricing,
): boolean {
  if (charge.discountCents > 0 || !isPositive(share)) return true
  const inside = totalOff(includedDiscount(charge, amount, share, prior, pricing))
  const part = times(notBelowZero(minus(amount, inside)), share)
  return compare(distance(part, whole(charge.amountCents)), roundingOf(charge)) <= 0
}

/** Each line is rounded to a cent by itself. */
function roundingOf({ lines }: Charge): Rational {
  return whole(lines.length)
}

function isBilledAsFree(charge: Charge, list: Rational, share: Rational): boolean {
  // A trial's line of 0 can name a coupon that is larger than the line.
  if (charge.amountCents !== 0 || !isPositive(list)) return false
  // A very short stretch rounds to 0 without being free.
  return !charge.isProration || compare(times(list, share), roundingOf(charge)) >= 0
}
