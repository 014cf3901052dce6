import type { InvoiceLine, PaymentInvoice, PaymentSubscription } from '../../payments.ts'
import { daySeconds } from '../exact/interval.ts'
import { countsAsBill } from './bill.ts'

/** The label on every screen and receipt for charges of pricing plans, rate cards and other new kinds of billing. */
export const billedByBillingV2 = 'Billed by Billing v2, not counted'

/** Usage is billed after the month in which it occurred. */
const aroundSeconds = 31 * daySeconds

/** Whether one of the provider's new kinds of billing produced a line; such a line does not count toward MRR. */
export function isOfBillingV2(line: InvoiceLine): boolean {
  return line.billedBy !== undefined
}

/**
 * The amount that an invoice bills through the new kinds of billing, after discounts, in minor units; null without one.
 */
export function billingV2CentsOf({ lines }: Pick<PaymentInvoice, 'lines'>): number | null {
  const its = lines.filter(isOfBillingV2)
  if (its.length === 0) return null
  return its.reduce((sum, { amountCents, discountCents }) => sum + amountCents - discountCents, 0)
}

/**
 * The invoices with new kinds of billing that replace a cancelled subscription: those from a month before its end onward,
 * if the first falls within a month of the end; otherwise none. Chosen from all invoices of the customer.
 */
export function invoicesInstead(
  { status, endedAt }: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
): PaymentInvoice[] {
  if (status !== 'canceled' || endedAt === null) return []
  const since = invoices
    .filter((invoice) => billingV2CentsOf(invoice) !== null && countsAsBill(invoice))
    .filter(({ createdAt }) => createdAt >= endedAt - aroundSeconds)
    .toSorted((a, b) => a.createdAt - b.createdAt)
  const [first] = since
  return first && first.createdAt <= endedAt + aroundSeconds ? since : []
}

/** The total amount from new kinds of billing, by currency. */
export type BillingV2Totals = { invoices: number; amounts: { currency: string; amountCents: number }[] }

/** Counts issued invoices; currencies are sorted by code. */
export function billingV2TotalsOf(invoices: readonly PaymentInvoice[]): BillingV2Totals {
  const amounts = new Map<string, number>()
  let count = 0
  for (const invoice of invoices) {
    const cents = billingV2CentsOf(invoice)
    if (cents === null || !countsAsBill(invoice)) continue
    count += 1
    amounts.set(invoice.currency, (amounts.get(invoice.currency) ?? 0) + cents)
  }
  const sorted = [...amounts].sort(([a], [b]) => (a < b ? -1 : 1))
  return { invoices: count, amounts: sorted.map(([currency, amountCents]) => ({ currency, amountCents })) }
}
