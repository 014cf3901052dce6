import type { Charge } from '../../bills/bill.ts'
import { compare, distance, one, type Rational, whole } from '../../exact/rational.ts'
import { offById } from './discount-samples.ts'
import { type DiscountPart, idsOf } from './discount-stack.ts'

type Sale = { itemKey: string; priceId: string | null; quantity: number }

/** The bills of whole discounted periods, by what they sell. */
export type DiscountedBills = ReadonlyMap<string, readonly Charge[]>

export function discountedBillsOf(charges: readonly Charge[]): DiscountedBills {
  return Map.groupBy(
    charges.filter(({ isProration, discountCents }) => !isProration && discountCents > 0),
    keyOf,
  )
}

/**
 * Uses the discount cents of a bill with the same sale and discounts in place of computed ones: the provider rounds by
 * tier and spreads the remainder, and a difference of a cent is no price change.
 */
export function centsAsBilled(
  stack: DiscountPart[],
  sale: Sale,
  gross: Rational,
  { discountedBills }: { discountedBills: () => DiscountedBills },
): DiscountPart[] {
  const ids = idsOf(stack)
  if (ids.length === 0 || ids.length < stack.length) return stack
  for (const bill of discountedBills().get(keyOf(sale)) ?? []) {
    if (compare(distance(whole(bill.amountCents), gross), one) >= 0) continue
    const written = offById(bill)
    const isSame =
      written.size === ids.length &&
      stack.every(({ id, off }) => compare(distance(whole(written.get(id ?? '') ?? -2), off), one) <= 0)
    if (isSame) return stack.map((part) => ({ ...part, off: whole(written.get(part.id ?? '') ?? 0) }))
  }
  return stack
}

function keyOf({ itemKey, priceId, quantity }: Sale): string {
  return `${itemKey} ${priceId} ${quantity}`
}
