import type { InvoiceLine, PaymentPrice } from '../../payments.ts'

/**
 * The units of a line. One that names none has as many as a whole period's amount says, at least one; a flat fee of a tier
 * has none. A part of a period that names none has one: its amount tells nothing of it.
 */
export function quantityOfLine(line: InvoiceLine, price: PaymentPrice | undefined): number {
  const { quantity, amountCents, isProration } = line
  if (quantity !== null) return quantity
  if (price?.billingScheme === 'tiered') return 0
  if (isProration || price?.transformQuantity) return 1
  const units = amountCents / Number(price?.unitAmountDecimal ?? line.unitAmountDecimal ?? amountCents)
  return Number.isSafeInteger(units) && units > 0 ? units : 1
}
