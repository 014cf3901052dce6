import type { InvoiceLine, PaymentInvoice, PaymentSubscription } from '../../payments.ts'
import type { Charge } from './bill.ts'

/**
 * Sorts a customer's invoices and lines by content, so that their order of arrival decides nothing. Each line goes to the
 * subscription that holds its item, because an invoice of another subscription can bill it.
 */
export function sortBills(
  invoices: readonly PaymentInvoice[],
  subscriptions: readonly PaymentSubscription[],
): PaymentInvoice[] {
  const ownerOf = ownersOfItems(subscriptions)
  return invoices
    .map((invoice) => {
      const lines = invoice.lines.map((line) => {
        const owner = line.subscriptionItemId === null ? undefined : ownerOf.get(line.subscriptionItemId)
        return owner === undefined || owner === line.subscriptionId
          ? line
          : { ...line, subscriptionId: owner }
      })
      return { ...invoice, lines: lines.length > 1 ? lines.sort(compareLines) : lines }
    })
    .sort(compareInvoices)
}

/** The subscription of each item; undefined for an item id that two subscriptions name. */
function ownersOfItems(subscriptions: readonly PaymentSubscription[]): Map<string, string | undefined> {
  const ownerOf = new Map<string, string | undefined>()
  for (const { id, items } of subscriptions) {
    for (const item of items) ownerOf.set(item.id, ownerOf.has(item.id) ? undefined : id)
  }
  return ownerOf
}

function compareLines(a: InvoiceLine, b: InvoiceLine): number {
  return (
    a.periodStart - b.periodStart ||
    a.periodEnd - b.periodEnd ||
    Number(a.isProration) - Number(b.isProration) ||
    (b.quantity ?? 0) - (a.quantity ?? 0) ||
    a.amountCents - b.amountCents ||
    compareTexts(a.priceId ?? '', b.priceId ?? '') ||
    compareTexts(a.id, b.id)
  )
}

/** Oldest invoice first. Invoices of the same second are compared by content, so the order of arrival does not matter. */
function compareInvoices(a: PaymentInvoice, b: PaymentInvoice): number {
  return (
    a.createdAt - b.createdAt ||
    (a.finalizedAt ?? 0) - (b.finalizedAt ?? 0) ||
    amountOf(a) - amountOf(b) ||
    compareTexts(a.id, b.id)
  )
}

function amountOf(invoice: PaymentInvoice): number {
  return invoice.lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Of charges that start together, the last in this order applies: a proration changes what the renewal billed. */
export function compareCharges(a: Charge, b: Charge): number {
  return (
    a.at - b.at ||
    Number(a.isProration) - Number(b.isProration) ||
    a.invoice.createdAt - b.invoice.createdAt ||
    (a.invoice.finalizedAt ?? 0) - (b.invoice.finalizedAt ?? 0) ||
    a.quantity - b.quantity ||
    a.amountCents - b.amountCents
  )
}
