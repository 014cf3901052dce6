import type { InvoiceLine, PaymentInvoice, PaymentSubscription } from '../payments.ts'

/** Finds the subscription item behind a line. Prorations of the classic billing mode name only a price. */
type ItemKeys = (line: InvoiceLine) => string

/** Reads the items that each price was seen under, from the subscription first and then from its invoices in order. */
export function itemKeysOf(subscription: PaymentSubscription, invoices: readonly PaymentInvoice[]): ItemKeys {
  const itemOfPrice = new Map<string, string>()
  const note = (priceId: string | null, itemId: string | null): void => {
    if (priceId !== null && itemId !== null && !itemOfPrice.has(priceId)) itemOfPrice.set(priceId, itemId)
  }
  for (const item of subscription.items) note(item.priceId, item.id)
  for (const invoice of invoices) {
    for (const line of invoice.lines) {
      if (belongsTo(line, invoice, subscription)) note(line.priceId, line.subscriptionItemId)
    }
  }
  return (line) =>
    line.subscriptionItemId ??
    itemOfPrice.get(line.priceId ?? '') ??
    `price:${line.priceId ?? line.productId ?? 'unknown'}`
}

/** Lines decide for themselves whose they are: one invoice can carry lines of several subscriptions or of none. */
export function belongsTo(
  line: InvoiceLine,
  invoice: PaymentInvoice,
  subscription: PaymentSubscription,
): boolean {
  const subscriptionId = line.subscriptionId ?? (line.isSubscriptionItem ? invoice.subscriptionId : null)
  return subscriptionId === subscription.id || (subscriptionId === null && line.standsForAll === true)
}

/** Whether an invoice bills a change that is made only when it is paid: the items are still what they were (R26). */
export function isPendingBill(
  { id, pendingInvoiceId }: PaymentSubscription,
  invoice: PaymentInvoice,
): boolean {
  if (pendingInvoiceId === undefined) return false
  // It can be paid between the reading of the subscription and its own; the items then still are what they were.
  const isItsBill = invoice.id === pendingInvoiceId || invoice.subscriptionId === id
  const isUnsettled = invoice.status === 'open' || invoice.id === pendingInvoiceId
  return isItsBill && isUnsettled && invoice.lines.some(({ isProration }) => isProration)
}
