import type { Charge } from '../../bills/bill.ts'
import { discountPercent, percentOff } from '../../exact/percent-behind-cents.ts'
import {
  compare,
  distance,
  minus,
  notBelowZero,
  one,
  over,
  type Rational,
  times,
  whole,
} from '../../exact/rational.ts'
import type { ItemTerms, Pricing } from '../item-terms.ts'
import { centsAsBilled } from './cents-as-billed.ts'
import { amountOffIn, appliesTo, countsUnder } from './coupon.ts'
import { kindOfDiscount, withKinds } from './discount-kind.ts'
import { offById } from './discount-samples.ts'
import { couponPercents, type DiscountKind, type DiscountPart, stackOn } from './discount-stack.ts'
import { includedDiscount } from './included-discount.ts'

/** The discounts on one whole period of a charge, as the invoice states them (R4, R5, R7). */
export function discountOfCharge(
  charge: Charge,
  gross: Rational,
  share: Rational,
  prior: ItemTerms | undefined,
  pricing: Pricing,
): DiscountPart[] {
  // The bill of a whole period is already exact to the cent (R7).
  if (charge.discountCents > 0 && isBilledWhole(charge, gross)) {
    return writtenDiscount(charge, gross, prior, pricing)
  }
  const stack =
    charge.discountCents > 0
      ? writtenDiscount(charge, gross, prior, pricing)
      : charge.isProration
        ? includedDiscount(charge, gross, share, prior, pricing)
        : []
  return centsAsBilled(stack, charge, gross, pricing)
}

function isBilledWhole({ amountCents }: Charge, gross: Rational): boolean {
  return compare(distance(gross, whole(amountCents)), one) < 0
}

type Written = { id: string | null; cents: number; kind: DiscountKind }

/**
 * What each discount took off the charge in cents, followed by the part of a discount that is stated only for the whole
 * invoice (R5).
 */
function writtenOn(charge: Charge, pricing: Pricing): Written[] {
  const onLines = offById(charge)
  const named = [...onLines].map(([id, cents]) => ({ id, cents, kind: kindOfDiscount(id, pricing) }))
  const rest = charge.discountCents - named.reduce((sum, { cents }) => sum + cents, 0)
  if (rest <= 0) return named
  const others = (charge.invoice.discounts ?? []).filter(({ id }) => !onLines.has(id))
  const id = others.length === 1 && others[0] ? others[0].id : null
  return [...named, { id, cents: rest, kind: kindOfDiscount(id, pricing) }]
}

function writtenDiscount(
  charge: Charge,
  gross: Rational,
  prior: ItemTerms | undefined,
  pricing: Pricing,
): DiscountPart[] {
  const billed = whole(charge.amountCents)
  const isWhole = isBilledWhole(charge, gross)
  const written = writtenOn(charge, pricing)
  const isAlone = written.length === 1
  let [leftBilled, leftGross] = [billed, gross]
  const parts: DiscountPart[] = []
  for (const { id, cents, kind } of written) {
    const isLeftOut = id !== null && !countsUnder(pricing.policy, pricing.discounts.get(id))
    const part: DiscountPart = isWhole
      ? { id, off: whole(cents), kind }
      : wholeOf({ id, cents, kind }, { charge, leftBilled, leftGross, isAlone, prior, pricing })
    leftBilled = notBelowZero(minus(leftBilled, whole(cents)))
    if (isLeftOut) continue
    leftGross = notBelowZero(minus(leftGross, part.off))
    parts.push(part)
  }
  return parts
}

type PartOfCharge = {
  charge: Charge
  leftBilled: Rational
  leftGross: Rational
  isAlone: boolean
  prior: ItemTerms | undefined
  pricing: Pricing
}

/** What a discount takes off a whole period, derived from what it took off a partial one. */
function wholeOf({ id, cents, kind }: Written, from: PartOfCharge): DiscountPart {
  const { charge, leftBilled, leftGross, isAlone, prior, pricing } = from
  const { discounts } = pricing
  // Each line is rounded by itself.
  const rounding = whole(charge.lines.length)
  if (kind === 'amount' && id !== null && discounts.get(id)?.coupon) {
    return { id, off: amountShare(id, cents, charge, pricing), kind }
  }
  const sample = id === null || kind === 'percent' ? undefined : pricing.discountSamples().get(id)
  if (sample && isAlone) {
    const percent = discountPercent(whole(sample.amountCents), whole(sample.discountCents))
    const isShare = compare(distance(percentOff(leftBilled, percent), whole(cents)), rounding) <= 0
    if (kind === 'amount' || (!isShare && sample.discountCents === cents)) {
      return { id, off: whole(sample.discountCents), kind: 'amount' }
    }
  }
  const known = percentsOf(id, pricing)
  const own = known.find(
    (percent) => compare(distance(percentOff(leftBilled, percent), whole(cents)), rounding) <= 0,
  )
  if (isAlone && prior && prior.discounts.length > 0) known.push(discountPercent(prior.gross, prior.discount))
  const percent = own ?? discountPercent(leftBilled, whole(cents), known)
  return { id, off: percentOff(leftGross, percent), kind }
}

/** The percentage of a discount, from its coupon or its largest bill. A single line may be off by a cent. */
function percentsOf(id: string | null, { discounts, discountSamples }: Pricing): Rational[] {
  const ofCoupon = couponPercents(id, discounts)
  const sample = id === null || ofCoupon.length > 0 ? undefined : discountSamples().get(id)
  if (!sample || sample.kind === 'amount') return ofCoupon
  return [discountPercent(whole(sample.amountCents), whole(sample.discountCents))]
}

/**
 * A fixed amount is off every period in full, so use this charge's share of the coupon among charges for the same
 * stretch, not a share of the shortened period. Another stretch on the invoice gets the full coupon again.
 */
function amountShare(id: string, cents: number, charge: Charge, pricing: Pricing): Rational {
  const onStretch = charge.invoice.lines
    .filter((line) => line.isProration === charge.isProration)
    .filter(({ periodStart, periodEnd }) => periodStart === charge.at && periodEnd === charge.until)
    .flatMap((line) => line.discounts)
    // A credit that returns part of the coupon does not reduce what the coupon takes off.
    .filter((entry) => entry.id === id && entry.amountCents > 0)
    .reduce((sum, { amountCents }) => sum + amountCents, 0)
  const coupon = pricing.discounts.get(id)?.coupon
  const amountOff = coupon ? amountOffIn(coupon, pricing.subscription.currency) : 0
  return over(times(whole(amountOff), whole(cents)), whole(onStretch))
}

/** The discounts that an item already had and that are for its product, applied to a new amount for a whole period. */
export function carriedDiscount(
  prior: ItemTerms,
  productId: string | null,
  gross: Rational,
  pricing: Pricing,
): DiscountPart[] {
  return stackOn(
    withKinds(prior.discounts, pricing),
    prior.gross,
    gross,
    'percent',
    pricing.discounts,
    ({ id }) => {
      const coupon = id === null ? null : pricing.discounts.get(id)?.coupon
      return !coupon || appliesTo(coupon, productId)
    },
  )
}
