import type { Charge, Credit } from '../bills/bill.ts'
import type { ItemTerms } from '../terms/item-terms.ts'

/** What the item was sold at before. */
type Prior = Pick<ItemTerms, 'priceId' | 'quantity'>

/**
 * Which of one item's charges within a second applies (R37). A change and its reversal leave a charge and a credit that
 * cancel out; the credit for the earlier terms does not count. Expects sorted charges.
 */
export function chargeInForce(
  all: readonly Charge[],
  credits: readonly Credit[],
  prior: Prior | undefined,
): Charge | undefined {
  const charges = withoutSilentCredits(all, prior)
  if (charges.length < 2 || credits.length < 2) return charges.at(-1)
  // Sorted by content, so that the order of arrival cannot decide a circle of credits.
  const open = [...credits].sort((a, b) => b.quantity - a.quantity || a.line.amountCents - b.line.amountCents)
  const closesPrior = open.findIndex(
    ({ line, quantity }) => prior && line.priceId === prior.priceId && quantity === prior.quantity,
  )
  if (closesPrior >= 0) open.splice(closesPrior, 1)
  const left = [...charges]
  for (const { line, quantity } of open) {
    const undone = left.findIndex(
      (charge) => charge.isProration && charge.priceId === line.priceId && charge.quantity === quantity,
    )
    if (undone >= 0 && left.length > 1) left.splice(undone, 1)
  }
  return left.at(-1)
}

/** A credit of 0 can look like a charge: among several prorations, one of 0 at the old terms is the credit. */
function withoutSilentCredits(charges: readonly Charge[], prior: Prior | undefined): readonly Charge[] {
  if (charges.length < 2 || !prior) return charges
  const left = charges.filter(
    ({ isProration, amountCents, priceId, quantity }) =>
      !(isProration && amountCents === 0 && priceId === prior.priceId && quantity === prior.quantity),
  )
  return left.length > 0 ? left : charges
}

/** Whether a renewal repeats the previous bill in every respect. */
export function isSameSaleAgain(before: Charge, now: Charge): boolean {
  return (
    !before.isProration &&
    !now.isProration &&
    before.lines.length === 1 &&
    now.lines.length === 1 &&
    before.priceId === now.priceId &&
    before.price === now.price &&
    before.productId === now.productId &&
    before.quantity === now.quantity &&
    before.amountCents === now.amountCents &&
    before.discountCents === now.discountCents &&
    before.inclusiveTaxCents === now.inclusiveTaxCents &&
    before.discountIds.length === now.discountIds.length &&
    before.discountIds.every((id, index) => id === now.discountIds[index])
  )
}
