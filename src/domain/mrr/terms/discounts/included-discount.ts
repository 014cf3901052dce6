import type { Charge } from '../../bills/bill.ts'
import { discountPercent, percentOff } from '../../exact/percent-behind-cents.ts'
import {
  compare,
  distance,
  isPositive,
  minus,
  notBelowZero,
  one,
  plus,
  type Rational,
  times,
  whole,
} from '../../exact/rational.ts'
import { amountOfPrice } from '../../prices/price-currency.ts'
import { type ItemTerms, type Pricing, pricingWith } from '../item-terms.ts'
import { countsUnder } from './coupon.ts'
import { withKinds } from './discount-kind.ts'
import { type DiscountPart, idsOf, stackOn, totalOff } from './discount-stack.ts'
import { discountsInForce } from './discounts-in-force.ts'

/** A discount that a proration's amount may already include. */
type Candidate = {
  stack: DiscountPart[]
  /** Only the amount supports this candidate, so it must match but for the roundings of a line and of its discount. */
  isGuess: boolean
}

/**
 * A proration without a named discount may include one in its amount (R13). The nearest candidate wins: none, the item's
 * earlier discounts, its subscription's, or those of its other bills. Within a cent, a continuing earlier discount wins,
 * otherwise none.
 */
export function includedDiscount(
  charge: Charge,
  gross: Rational,
  share: Rational,
  prior: ItemTerms | undefined,
  pricing: Pricing,
): DiscountPart[] {
  const billed = whole(charge.amountCents)
  const gapOf = (stack: DiscountPart[]): Rational =>
    distance(billed, times(notBelowZero(minus(gross, totalOff(stack))), share))
  const none: DiscountPart[] = []
  const carried = prior ? carriedReadings(prior, gross, pricing) : []
  const [first = none] = carried
  // A charge of zero length shows nothing, so the item keeps its earlier discounts.
  if (!isPositive(share)) return first
  const plainest = goesOn(first, charge, pricing) ? first : none
  const told = [
    none,
    ...carried,
    ...[pricing, asOnlyItem(charge, pricing)].flatMap((reading) => [
      discountsInForce(charge, gross, reading),
      discountsNamed(charge, gross, reading),
    ]),
  ].map((stack) => ({ stack, isGuess: false }))
  const nearest = (candidates: readonly Candidate[], start: DiscountPart[]): DiscountPart[] => {
    let [best, bestGap] = [start, gapOf(start)]
    for (const { stack, isGuess } of candidates) {
      const gap = gapOf(stack)
      if (isGuess && compare(gap, whole(2 * charge.lines.length)) > 0) continue
      // If both fit within a cent, the simpler explanation wins.
      if (compare(plus(gap, one), bestGap) < 0) [best, bestGap] = [stack, gap]
    }
    return best
  }
  // A discount that a line names counts, however little of an amount off is left for the line (R5).
  const [ofName, ...others] = told.filter(({ stack }) => isNamed(stack, charge, pricing))
  const asNamed = ofName && nearest(others, ofName.stack)
  // Without a price, the amount of a period comes from this very line and has the discount inside already.
  const isOfPrice = amountOfPrice(charge.price, charge.invoice.currency, charge.quantity) !== undefined
  if (asNamed && (isOfPrice || compare(gapOf(asNamed), whole(2 * charge.lines.length)) <= 0)) return asNamed
  const known = nearest([...told, ...readingsOfOtherBills(charge, gross, pricing)], plainest)
  const isExplained = compare(gapOf(known), whole(charge.lines.length)) <= 0
  return isExplained ? known : nearest(readingsOfLostDiscounts(charge, gross, pricing), known)
}

/** The subscription without other items: those that share an amount off now may have come since. */
function asOnlyItem({ itemKey }: Charge, pricing: Pricing): Pricing {
  return pricingWith(pricing, { items: pricing.subscription.items.filter(({ id }) => id === itemKey) })
}

/**
 * The discounts that the proration names without an amount, as they were then, even if the subscription has lost them
 * since.
 */
function discountsNamed(charge: Charge, gross: Rational, pricing: Pricing): DiscountPart[] {
  return discountsOfIds(
    charge.lines.flatMap((line) => line.discounts).map(({ id }) => id),
    charge,
    gross,
    pricing,
  )
}

/** Whether the lines of a proration name exactly these discounts, of those that count. */
function isNamed(stack: readonly DiscountPart[], { lines }: Charge, { policy, discounts }: Pricing): boolean {
  const named = lines.flatMap((line) => line.discounts).map(({ id }) => id)
  const counted = new Set(named.filter((id) => countsUnder(policy, discounts.get(id))))
  const ids = idsOf(stack)
  return counted.size > 0 && ids.length === counted.size && ids.every((id) => counted.has(id))
}

/** Of more discounts, pairs are not tried: they would grow with the square, and some pair always fits by chance. */
const pairedMax = 10

/**
 * The discounts of the proration's invoice together, and each that the subscription ever had alone. A coupon that the
 * change itself used up, or that is gone since, is named nowhere else (R4).
 */
function readingsOfLostDiscounts(charge: Charge, gross: Rational, pricing: Pricing): Candidate[] {
  const onInvoice = new Set((charge.invoice.discounts ?? []).map(({ id }) => id))
  const known = [...pricing.discounts.keys()].filter(
    (id) => discountsOfIds([id], charge, gross, pricing).length > 0,
  )
  const pairs =
    known.length > pairedMax
      ? []
      : known.flatMap((id, index) => known.slice(index + 1).map((other) => [id, other]))
  return [[...onInvoice], ...known.map((id) => [id]), ...pairs].map((ids) => ({
    stack: discountsOfIds(ids, charge, gross, pricing),
    isGuess: true,
  }))
}

/** What these discounts take off, as far as they were in force then and are for the product. */
function discountsOfIds(
  ids: readonly string[],
  charge: Charge,
  gross: Rational,
  pricing: Pricing,
): DiscountPart[] {
  const { subscription, discounts: book } = pricing
  const discounts = ids.map((id) => book.get(id)).filter((discount) => discount !== undefined)
  if (discounts.length === 0) return []
  const items = subscription.items.map((item) => ({ ...item, discounts: [] }))
  return discountsInForce(charge, gross, pricingWith(pricing, { items, discounts }))
}

/** The item's earlier discounts; those with a deleted coupon both as a percentage and as an amount. */
function carriedReadings(prior: ItemTerms, gross: Rational, pricing: Pricing): DiscountPart[][] {
  const stack = withKinds(prior.discounts, pricing)
  if (stack.length === 0) return []
  const readings = stack.some(({ kind }) => kind === 'unknown')
    ? (['percent', 'amount'] as const)
    : (['percent'] as const)
  return readings.map((unknownAs) =>
    stackOn(stack, prior.gross, gross, unknownAs, pricing.discounts).map((part) =>
      part.kind === 'unknown' && unknownAs === 'amount' ? { ...part, kind: unknownAs } : part,
    ),
  )
}

/** Whether the discounts appear on a later bill; then a proration that is too small to show them has them too. */
function goesOn(stack: readonly DiscountPart[], charge: Charge, { discountSamples }: Pricing): boolean {
  const ids = idsOf(stack)
  return ids.length > 0 && ids.every((id) => (discountSamples().get(id)?.until ?? 0) > charge.until)
}

/** Discounts with deleted coupons that other bills show: the first bill with one can be a proration that includes it. */
function readingsOfOtherBills(charge: Charge, gross: Rational, pricing: Pricing): Candidate[] {
  const candidates: Candidate[] = []
  const named = new Set(charge.lines.flatMap((line) => line.discounts.map(({ id }) => id)))
  for (const [id, { kind, amountCents, discountCents }] of pricing.discountSamples()) {
    if (!countsUnder(pricing.policy, pricing.discounts.get(id))) continue
    const percent = discountPercent(whole(amountCents), whole(discountCents))
    const isGuess = !named.has(id)
    if (kind !== 'amount')
      candidates.push({ stack: [{ id, off: percentOff(gross, percent), kind }], isGuess })
    if (kind !== 'percent')
      candidates.push({ stack: [{ id, off: whole(discountCents), kind: 'amount' }], isGuess })
  }
  return candidates
}
