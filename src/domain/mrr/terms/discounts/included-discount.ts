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
import type { ItemTerms, Pricing } from '../item-terms.ts'
import { countsUnder } from './coupon.ts'
import { kindOfDiscount } from './discount-kind.ts'
import { type DiscountPart, idsOf, stackOn, totalOff } from './discount-stack.ts'
import { discountsInForce } from './discounts-in-force.ts'

/** What may be inside the amount of a proration. */
type Candidate = {
  stack: DiscountPart[]
  /** Nothing but the amount speaks for it, so the amount has to meet it to the cent. */
  isGuess: boolean
}

/**
 * Prorations that take nothing off by name may have a discount inside their amount (R13). The amount itself tells which:
 * none, what the item carried before, what the subscription carries, or what its other bills show; the nearest wins. Within a
 * cent, as at the very end of a period, the item keeps what it carried if that goes on, and else has none.
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
  // Where no time lies in it nothing is told, and the item keeps what it had.
  if (!isPositive(share)) return first
  const plainest = goesOn(first, charge, pricing) ? first : none
  let [best, bestGap] = [plainest, gapOf(plainest)]
  const candidates: Candidate[] = [
    ...[
      none,
      ...carried,
      discountsInForce(charge, gross, pricing),
      discountsNamed(charge, gross, pricing),
    ].map((stack) => ({
      stack,
      isGuess: false,
    })),
    ...readingsOfOtherBills(charge, gross, pricing),
  ]
  for (const { stack, isGuess } of candidates) {
    const gap = gapOf(stack)
    if (isGuess && compare(gap, one) > 0) continue
    // Within a cent the plainer reading stands.
    if (compare(plus(gap, one), bestGap) < 0) [best, bestGap] = [stack, gap]
  }
  return best
}

/** What the proration names without an amount, as it was in force then, also when the subscription has it no more. */
function discountsNamed(charge: Charge, gross: Rational, pricing: Pricing): DiscountPart[] {
  const { subscription, discounts: book } = pricing
  const named = charge.lines.flatMap((line) => line.discounts).map(({ id }) => book.get(id))
  if (named.length === 0) return []
  const discounts = named.filter((discount) => discount !== undefined)
  const items = subscription.items.map((item) => ({ ...item, discounts: [] }))
  return discountsInForce(charge, gross, { ...pricing, subscription: { ...subscription, items, discounts } })
}

/** The discounts of the item until now, those whose coupon is gone both as a share and as an amount. */
function carriedReadings(prior: ItemTerms, gross: Rational, pricing: Pricing): DiscountPart[][] {
  const stack = prior.discounts.map((part) =>
    part.kind === 'unknown' ? { ...part, kind: kindOfDiscount(part.id, pricing) } : part,
  )
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

/** Whether discounts show on a later bill, so that a proration too small to tell still has them. */
function goesOn(stack: readonly DiscountPart[], charge: Charge, { discountSamples }: Pricing): boolean {
  const ids = idsOf(stack)
  return ids.length > 0 && ids.every((id) => (discountSamples().get(id)?.until ?? 0) > charge.until)
}

/** A discount that other bills show, whose coupon is gone: the first of them can be a proration that has it inside. */
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
