import { amountOffIn, countsUnder, type Lasting, lastingOf } from './coupon.ts'
import type { Charge } from './evidence.ts'
import type { ItemTerms, Pricing } from './item-terms.ts'
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
  sumOf,
  times,
  whole,
  zero,
} from './rational.ts'
import { discountsInForce, type TermDiscount } from './standing-discount.ts'
import { discountPercent, percentOff, percentOfNumber } from './written-share.ts'

const none: TermDiscount = { amount: zero, ids: [], isFixed: false }

/** The discount of one whole period of a charge, as the invoice wrote it (R4, R5, R7). */
export function discountOfCharge(
  charge: Charge,
  gross: Rational,
  share: Rational,
  prior: ItemTerms | undefined,
  pricing: Pricing,
): TermDiscount {
  if (charge.discountCents > 0) return writtenDiscount(charge, gross, prior, pricing)
  return charge.isProration ? includedDiscount(charge, gross, share, prior, pricing) : none
}

function writtenDiscount(
  charge: Charge,
  gross: Rational,
  prior: ItemTerms | undefined,
  pricing: Pricing,
): TermDiscount {
  const left = leftOutCents(charge, pricing)
  const cents = whole(Math.max(0, charge.discountCents - left))
  const billed = whole(charge.amountCents)
  const isFixed = isFixedAmount(charge.discountIds, pricing)
  const ids = charge.discountIds
  if (compare(distance(gross, billed), one) < 0) return { amount: cents, ids, isFixed }
  if (isFixed) return { amount: fixedShare(charge, pricing), ids, isFixed }
  const sample = sampleOf(charge, pricing)
  if (sample?.isFixed) return { amount: whole(sample.discountCents), ids, isFixed: true }
  const percent = discountPercent(billed, cents, knownPercents(ids, prior, pricing))
  return { amount: percentOff(gross, percent), ids, isFixed }
}

/** Percentages that a discount may stand for: its coupon's, or the one that the item had before. */
function knownPercents(
  ids: readonly string[],
  prior: ItemTerms | undefined,
  { discounts }: Pricing,
): Rational[] {
  const [id] = ids
  const coupon = ids.length === 1 && id !== undefined ? discounts.get(id)?.coupon : undefined
  const known = coupon?.percentOff == null ? [] : [percentOfNumber(coupon.percentOff)]
  if (prior && isPositive(prior.discount)) known.push(discountPercent(prior.gross, prior.discount))
  return known
}

/** Where the coupon is not known, a whole period under the same discount tells a fixed amount from a share. */
function sampleOf(
  charge: Charge,
  { discountSamples }: Pricing,
): { isFixed: boolean; discountCents: number } | undefined {
  const [id] = charge.discountIds
  const sample = charge.discountIds.length === 1 && id !== undefined ? discountSamples.get(id) : undefined
  if (!sample) return undefined
  const share = percentOff(
    whole(charge.amountCents),
    discountPercent(whole(sample.amountCents), whole(sample.discountCents)),
  )
  const isShare = compare(distance(share, whole(charge.discountCents)), one) <= 0
  return {
    isFixed: !isShare && sample.discountCents === charge.discountCents,
    discountCents: sample.discountCents,
  }
}

/** Cents of discounts that the policy does not let lower MRR (R4's switch). */
function leftOutCents(charge: Charge, { policy, discounts }: Pricing): number {
  if (policy.discounts === 'all') return 0
  return charge.lines
    .flatMap((line) => line.discounts)
    .filter(({ id }) => !countsUnder(policy, discounts.get(id)))
    .reduce((sum, { amountCents }) => sum + amountCents, 0)
}

function isFixedAmount(ids: readonly string[], { discounts }: Pricing): boolean {
  return ids.length > 0 && ids.every((id) => discounts.get(id)?.coupon?.amountOffCents != null)
}

/**
 * A fixed amount is off every period in full: this charge's part of the coupon among what was billed for the same stretch,
 * not a part of the shortened period. Another stretch on the same invoice bears the coupon anew.
 */
function fixedShare(charge: Charge, { discounts, policy, subscription }: Pricing): Rational {
  const onStretch = charge.invoice.lines
    .filter((line) => line.isProration === charge.isProration)
    .filter(({ periodStart, periodEnd }) => periodStart === charge.at && periodEnd === charge.until)
    .flatMap((line) => line.discounts)
    // What a credit gives back of the coupon is no part of what it takes off.
    .filter(({ amountCents }) => amountCents > 0)
  const shares = charge.discountIds
    .filter((id) => countsUnder(policy, discounts.get(id)))
    .map((id) => {
      const sum = (list: { id: string; amountCents: number }[]): number =>
        list.filter((entry) => entry.id === id).reduce((cents, { amountCents }) => cents + amountCents, 0)
      const onCharge = sum(charge.lines.flatMap((line) => line.discounts))
      const coupon = discounts.get(id)?.coupon
      const amountOff = whole(coupon ? amountOffIn(coupon, subscription.currency) : 0)
      return over(times(amountOff, whole(onCharge)), whole(sum(onStretch)))
    })
  return sumOf(shares)
}

/**
 * Prorations that name no discount may have it inside their amount (R13). The amount itself tells which: none, what the
 * item carried before, or what the subscription carries; the nearest wins, and no discount wins a tie.
 */
function includedDiscount(
  charge: Charge,
  gross: Rational,
  share: Rational,
  prior: ItemTerms | undefined,
  pricing: Pricing,
): TermDiscount {
  const billed = whole(charge.amountCents)
  const candidates = [none]
  if (prior && isPositive(prior.discount)) {
    candidates.push(carriedDiscount(prior, gross, pricing))
  }
  const standing = discountsInForce(charge, gross, pricing)
  if (isPositive(standing.amount)) candidates.push(standing)
  let best = none
  let bestGap = distance(billed, times(gross, share))
  for (const candidate of candidates) {
    const gap = distance(billed, times(notBelowZero(minus(gross, candidate.amount)), share))
    // Within a cent the plainer reading stands.
    if (compare(plus(gap, one), bestGap) < 0) [best, bestGap] = [candidate, gap]
  }
  return best
}

/** The discount that an item had, on a new amount of a whole period. */
export function carriedDiscount(prior: ItemTerms, gross: Rational, pricing: Pricing): TermDiscount {
  const { discount, discountIds: ids, isDiscountFixed: isFixed } = prior
  if (isFixed) return { amount: discount, ids, isFixed }
  const percent = discountPercent(prior.gross, discount, knownPercents(ids, undefined, pricing))
  return { amount: percentOff(gross, percent), ids, isFixed }
}

/** Whether discounts that take everything off go by themselves (R11). */
export function lastingOfAll(ids: readonly string[], { discounts }: Pricing): Lasting {
  const each = ids.map((id) => lastingOf(discounts.get(id)))
  if (each.includes('temporary')) return 'temporary'
  return each.length > 0 && each.every((lasting) => lasting === 'lasting') ? 'lasting' : 'unknown'
}
