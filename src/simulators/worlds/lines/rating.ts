import type { Price, Tier } from '../model/offer.ts'
import type { RatedLine } from '../model/subscription.ts'
import { type Fraction, fraction, fractionOfDecimal, roundHalfUp, times } from '../numbers/rational.ts'
import type { Interval } from '../time/calendar.ts'

const periodsAMonth: Record<Interval, Fraction> = {
  day: fraction(365, 12),
  week: fraction(52, 12),
  month: fraction(1),
  year: fraction(1, 12),
}

/**
 * The charge for a full period at a quantity, one line per tier as on invoices; whole cents, halves up.
 * Sources: docs.stripe.com/subscriptions/pricing-models/tiered-pricing,
 * …/billing/subscriptions/quantity-transformation.
 */
export function ratePrice(price: Price, quantity: number): RatedLine[] {
  const scheme = price.scheme
  switch (scheme.kind) {
    case 'flat':
      return [
        { amount: multiplyUnit(scheme.unitCents, quantity), quantity, unit: scheme.unitCents, note: '' },
      ]
    case 'package': {
      const packs = quantity / scheme.divideBy
      const billed = scheme.round === 'up' ? Math.ceil(packs) : Math.floor(packs)
      const note = ` (per ${scheme.divideBy})`
      return [{ amount: multiplyUnit(scheme.unitCents, billed), quantity, unit: scheme.unitCents, note }]
    }
    case 'graduated':
      return rateGraduated(scheme.tiers, quantity)
    case 'volume':
      return rateVolume(scheme.tiers, quantity)
  }
}

/** Cents of a full period: the sum of all its lines. */
export function fullPeriodCents(price: Price, quantity: number): number {
  return ratePrice(price, quantity).reduce((sum, line) => sum + line.amount, 0)
}

/** The charge for a full period before its lines are rounded to cents. */
export function exactPeriodCents(price: Price, quantity: number): Fraction {
  const { scheme } = price
  if (scheme.kind === 'flat') return times(fractionOfDecimal(scheme.unitCents), fraction(quantity))
  return fraction(fullPeriodCents(price, quantity))
}

/**
 * Periods of the price in one month, as an exact factor: 1/12 for a year, 52/12 for a week, 365/12 for a day.
 * 0 for metered and one-time prices, which bring no recurring revenue.
 */
export function monthlyFactor(price: Price): Fraction {
  if (price.metered || price.interval === null) return fraction(0)
  return times(periodsAMonth[price.interval], fraction(1, price.count))
}

/** Unit amount x quantity in whole cents, halves up. */
export function multiplyUnit(unitCents: string, quantity: number): number {
  return roundHalfUp(times(fractionOfDecimal(unitCents), fraction(quantity)))
}

function rateGraduated(tiers: Tier[], quantity: number): RatedLine[] {
  const lines: RatedLine[] = []
  let below = 0
  for (const [index, tier] of tiers.entries()) {
    const inTier = Math.min(quantity, tier.upTo ?? quantity) - below
    if (inTier <= 0 && index > 0) break
    lines.push(...tierLines(tier, Math.max(inTier, 0), index))
    below = tier.upTo ?? quantity
  }
  return lines
}

function rateVolume(tiers: Tier[], quantity: number): RatedLine[] {
  const index = tiers.findIndex((tier) => tier.upTo === null || quantity <= tier.upTo)
  const tier = tiers[index]
  if (tier === undefined) throw new RangeError('tiers without an open end')
  return tierLines(tier, quantity, index)
}

function tierLines(tier: Tier, quantity: number, index: number): RatedLine[] {
  const note = ` (Tier ${index + 1})`
  const lines: RatedLine[] = []
  lines.push({ amount: tier.unitCents * quantity, quantity, unit: String(tier.unitCents), note })
  if (tier.flatCents > 0) {
    lines.push({
      amount: tier.flatCents,
      quantity: 0,
      unit: String(tier.flatCents),
      note: `${note} flat fee`,
    })
  }
  return lines
}
