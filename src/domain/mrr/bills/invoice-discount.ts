import type { InvoiceLine, PaymentInvoice } from '../../payments.ts'

/**
 * The discount of each line in cents, in line order (R5). A discount of the invoice beyond its lines is spread over the
 * discountable lines by net amount, in whole cents by largest remainder, so the shares add up.
 */
export function lineDiscountsOf(invoice: PaymentInvoice): number[] {
  const onLines = invoice.lines.map((line) => line.discountCents)
  const rest = invoice.totalDiscountCents - onLines.reduce((sum, cents) => sum + cents, 0)
  if (!(rest > 0)) return onLines
  const weights = invoice.lines.map(discountableCents)
  const shares = sharesByLargestRemainder(rest, weights)
  return onLines.map((cents, index) => cents + (shares[index] ?? 0))
}

function discountableCents(line: InvoiceLine): number {
  return line.isDiscountable && !line.isProration ? Math.max(0, line.amountCents - line.discountCents) : 0
}

/** Splits an amount by weights into whole cents. No share exceeds its weight; the earlier line wins a tie. */
export function sharesByLargestRemainder(amount: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total <= 0) return weights.map(() => 0)
  const part = BigInt(Math.min(amount, total))
  const exact = weights.map((weight) => part * BigInt(weight))
  const shares = exact.map((value) => Number(value / BigInt(total)))
  let left = Number(part) - shares.reduce((sum, share) => sum + share, 0)
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value % BigInt(total) }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of byRemainder) {
    if (left <= 0) break
    shares[index] = (shares[index] ?? 0) + 1
    left -= 1
  }
  return shares
}
