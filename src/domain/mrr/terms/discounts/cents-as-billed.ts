import type { Charge } from '../../bills/bill.ts'
import { compare, distance, one, type Rational, whole } from '../../exact/rational.ts'
import { offById } from './discount-samples.ts'
import { type DiscountPart, idsOf } from './discount-stack.ts'

export type Sale = { itemKey: string; priceId: string | null; quantity: number }

/** The bills of whole periods with a discount or included tax, by what they sell. */
export type WholeBills = ReadonlyMap<string, readonly Charge[]>

/** The charges of whole periods that state a discount or an inclusive tax in cents, by what they sold. */
export function wholeBillsOf(charges: readonly Charge[]): WholeBills {
  return Map.groupBy(
    charges.filter(
      ({ isProration, discountCents, inclusiveTaxCents }) =>
        !isProration && (discountCents > 0 || inclusiveTaxCents > 0),
    ),
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
  { wholeBills }: { wholeBills: () => WholeBills },
): DiscountPart[] {
  const ids = idsOf(stack)
  if (ids.length === 0 || ids.length < stack.length) return stack
  for (const bill of wholeBills().get(keyOf(sale)) ?? []) {
    if (compare(distance(whole(bill.amountCents), gross), one) >= 0) continue
    const written = offById(bill)
    const isSame =
      written.size === ids.length &&
      stack.every(({ id, off }) => compare(distance(whole(written.get(id ?? '') ?? -2), off), one) <= 0)
    if (isSame) return stack.map((part) => ({ ...part, off: whole(written.get(part.id ?? '') ?? 0) }))
  }
  return stack
}

/** The included tax of a bill of the same sale at the same net amount, in place of a computed one: it is rounded by line. */
export function taxAsBilled(tax: Rational, sale: Sale, net: Rational, bills: WholeBills): Rational {
  const isSame = ({ lines, amountCents, discountCents, inclusiveTaxCents }: Charge): boolean =>
    compare(distance(whole(amountCents - discountCents), net), one) < 0 &&
    compare(distance(whole(inclusiveTaxCents), tax), whole(lines.length)) <= 0
  const bill = bills.get(keyOf(sale))?.find(isSame)
  return bill ? whole(bill.inclusiveTaxCents) : tax
}

function keyOf({ itemKey, priceId, quantity }: Sale): string {
  return `${itemKey} ${priceId} ${quantity}`
}
