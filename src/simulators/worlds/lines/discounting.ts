import type { TaxRate } from '../model/offer.ts'
import type { Discount, DraftLine, Item, WorldSubscription } from '../model/subscription.ts'
import { fraction, fractionOfDecimal, roundHalfUp, share, times } from '../numbers/rational.ts'

/** Discounts of the subscription, or of its customer when it has none, that an invoice made now would carry. */
export function discountsInForce(subscription: WorldSubscription, now: number): Discount[] {
  const own = subscription.discounts.filter((discount) => isInForce(discount, now))
  if (own.length > 0) return own
  const customers = subscription.customer.discount
  return customers !== null && isInForce(customers, now) ? [customers] : []
}

/** Discounts of one item that an invoice made now would carry; they come off before those of the subscription. */
export function itemDiscountsInForce(item: Item, now: number): Discount[] {
  return item.discounts.filter((discount) => isInForce(discount, now))
}

function isInForce(discount: Discount, now: number): boolean {
  return !discount.spent && discount.start <= now && (discount.end === null || now < discount.end)
}

/**
 * Item discounts come off first, then those of the subscription in their order. An amount off is spread by what is
 * left on each line (largest remainder). Prorations already carry their discount.
 * Source: docs.stripe.com/api/discounts.
 */
export function discountLines(lines: DraftLine[], discounts: Discount[], now: number): void {
  const eligible = lines.filter(isDiscountable)
  for (const item of new Set(eligible.map((line) => line.item))) {
    const own = eligible.filter((line) => line.item === item)
    if (item !== null) for (const discount of itemDiscountsInForce(item, now)) takeOff(own, discount)
  }
  for (const discount of discounts) takeOff(eligible, discount)
}

export function isDiscountable(line: DraftLine): boolean {
  return line.kind !== 'proration'
}

/** Takes one discount off the lines to which it applies. */
export function takeOff(lines: DraftLine[], discount: Discount): void {
  const { productsOnly, percentOff, amountOff } = discount.coupon
  const eligible = lines.filter((line) => productsOnly === null || productsOnly.includes(line.price.product))
  const left = eligible.map((line) => Math.max(0, line.amount - discountCents(line)))
  const total = left.reduce((sum, cents) => sum + cents, 0)
  const parts =
    percentOff === null
      ? spread(Math.min(amountOff ?? 0, total), left)
      : left.map((cents) => roundHalfUp(times(fractionOfDecimal(String(percentOff)), fraction(cents, 100))))
  for (const [index, line] of eligible.entries()) {
    line.discounts.push({ discount, amount: parts[index] ?? 0 })
  }
}

/** Cents that discounts take off a line. */
export function discountCents(line: DraftLine): number {
  return line.discounts.reduce((sum, part) => sum + part.amount, 0)
}

/** Splits whole cents in proportion to the weights; the parts add up exactly (largest remainder). */
function spread(amount: number, weights: number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return weights.map(() => 0)
  const parts = weights.map((weight) => Math.floor((amount * weight) / total))
  const rests = weights.map((weight, index) => ({ index, rest: (amount * weight) % total }))
  rests.sort((a, b) => b.rest - a.rest || a.index - b.index)
  let missing = amount - parts.reduce((sum, part) => sum + part, 0)
  for (const { index } of rests) {
    if (missing-- <= 0) break
    parts[index] = (parts[index] ?? 0) + 1
  }
  return parts
}

/** Tax in whole cents on an amount after discounts: included in it if the rate is inclusive, otherwise added to it. */
export function taxCents(rate: TaxRate, amount: number): number {
  const hundredths = Math.round(Number(rate.percentage) * 100)
  return share(amount, hundredths, rate.inclusive ? 10_000 + hundredths : 10_000)
}

/** Marks `once` discounts that this invoice used as spent. */
export function spendOnce(lines: DraftLine[]): void {
  for (const { discount, amount } of lines.flatMap((line) => line.discounts)) {
    if (discount.coupon.duration === 'once' && amount > 0) discount.spent = true
  }
}

/**
 * Whether percentages and inclusive tax leave whole cents on this amount; only then can a mid-cycle change be dated.
 */
export function isExactUnder(discounts: Discount[], rate: TaxRate | null, amount: number): boolean {
  let cents = fraction(amount)
  for (const { coupon } of discounts) {
    if (coupon.percentOff === null || coupon.duration === 'once') return false
    cents = times(cents, fraction(10_000n - BigInt(Math.round(coupon.percentOff * 100)), 10_000))
    if (cents.den !== 1n) return false
  }
  if (rate === null || !rate.inclusive) return true
  const hundredths = Math.round(Number(rate.percentage) * 100)
  return times(cents, fraction(hundredths, 10_000 + hundredths)).den === 1n
}
