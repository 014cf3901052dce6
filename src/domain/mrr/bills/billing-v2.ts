import type { InvoiceLine, PaymentInvoice, PaymentSubscription } from '../../payments.ts'
import { daySeconds } from '../exact/interval.ts'
import { countsAsBill } from './bill.ts'

/** The state of what pricing plans, rate cards and whatever else is new bill, on every screen and receipt. */
export const billedByBillingV2 = 'Billed by Billing v2, not counted'

/** Usage is billed after the month that it was of. */
const aroundSeconds = 31 * daySeconds

/** Whether something new of the provider bills a line, which has no part in MRR. */
export function isOfBillingV2(line: InvoiceLine): boolean {
  return line.billedBy !== undefined
}

/** What an invoice bills that way, after discounts, in minor units; null where it bills nothing so. */
export function billingV2CentsOf({ lines }: Pick<PaymentInvoice, 'lines'>): number | null {
  const its = lines.filter(isOfBillingV2)
  if (its.length === 0) return null
  return its.reduce((sum, { amountCents, discountCents }) => sum + amountCents - discountCents, 0)
}

/**
 * The invoices by which the customer of a subscription that was canceled is billed instead: of a month before its end and
 * all later ones, where the first of them came within a month of it; none otherwise. Out of the customer's invoices.
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

/** What is billed that way in all, by currency. */
export type BillingV2Totals = { invoices: number; amounts: { currency: string; amountCents: number }[] }

/** Of invoices that are issued; currencies in the order of their codes. */
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
