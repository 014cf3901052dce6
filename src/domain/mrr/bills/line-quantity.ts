import type { InvoiceLine, PaymentPrice } from '../../payments.ts'

/**
 * The units of a line. If it states none, the amount of a whole period implies them (at least 1), and a tier's flat fee
 * has 0. A partial period has 1, because its amount does not show units.
 */
export function quantityOfLine(line: InvoiceLine, price: PaymentPrice | undefined): number {
  const { quantity, amountCents, isProration } = line
  if (quantity !== null) return quantity
  if (price?.billingScheme === 'tiered') return 0
  if (isProration || price?.transformQuantity) return 1
  const units = amountCents / Number(price?.unitAmountDecimal ?? line.unitAmountDecimal ?? amountCents)
  return Number.isSafeInteger(units) && units > 0 ? units : 1
}
