import type { Instant } from '../../../instant.ts'
import type { Charge } from '../../bills/bill.ts'
import { discountPercent, percentOff } from '../../exact/percent-behind-cents.ts'
import { compare, whole } from '../../exact/rational.ts'
import type { DiscountKind } from './discount-stack.ts'

/** What a subscription's whole periods show of one discount, even after its coupon was deleted. */
export type DiscountSample = {
  kind: DiscountKind
  /** The largest line that the discount reduced, and by how much. */
  amountCents: number
  discountCents: number
  /** The end of the last period that the discount reduced. */
  until: Instant
}

export type DiscountSamples = ReadonlyMap<string, DiscountSample>

/** One invoice with the discount: the sum that it applied to, and what it took off. */
type BillUnderDiscount = { amountCents: number; discountCents: number }

/** What each discount took off charges that are not prorations, by discount id. */
export function discountSamplesOf(charges: readonly Charge[]): DiscountSamples {
  const largest = new Map<string, DiscountSample>()
  const invoices = new Map<string, Map<string, BillUnderDiscount>>()
  for (const charge of charges) {
    if (charge.isProration || charge.discountCents === 0) continue
    let left = charge.amountCents
    for (const [id, off] of offById(charge)) {
      const known = largest.get(id)
      const until = Math.max(known?.until ?? 0, charge.until)
      const isLarger = (known?.amountCents ?? 0) < left
      const line = isLarger ? { amountCents: left, discountCents: off } : {}
      largest.set(id, { kind: 'unknown', amountCents: 0, discountCents: 0, ...known, ...line, until })
      const ofId = invoices.get(id) ?? new Map<string, BillUnderDiscount>()
      const sum = ofId.get(charge.invoice.id) ?? { amountCents: 0, discountCents: 0 }
      ofId.set(charge.invoice.id, {
        amountCents: sum.amountCents + left,
        discountCents: sum.discountCents + off,
      })
      invoices.set(id, ofId)
      left -= off
    }
  }
  return new Map(
    [...largest].map(([id, sample]) => [
      id,
      { ...sample, kind: kindOf([...(invoices.get(id)?.values() ?? [])]) },
    ]),
  )
}

/** What each discount took off a charge in cents, in the order of its lines. */
export function offById({ lines }: Pick<Charge, 'lines'>): Map<string, number> {
  const byId = new Map<string, number>()
  for (const { id, amountCents } of lines.flatMap((line) => line.discounts)) {
    if (amountCents > 0) byId.set(id, (byId.get(id) ?? 0) + amountCents)
  }
  return byId
}

/** Two bills of different amounts decide: the same cents off both mean an amount, the same percentage a share. */
function kindOf(seen: readonly BillUnderDiscount[]): DiscountKind {
  const [first, ...others] = seen.filter(({ amountCents, discountCents }) => discountCents < amountCents)
  const other = others.find(({ amountCents }) => amountCents !== first?.amountCents)
  if (!first || !other) return 'unknown'
  if (first.discountCents === other.discountCents) return 'amount'
  const percent = discountPercent(whole(first.amountCents), whole(first.discountCents))
  const share = percentOff(whole(other.amountCents), percent)
  return compare(share, whole(other.discountCents)) === 0 ? 'percent' : 'unknown'
}
