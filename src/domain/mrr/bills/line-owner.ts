import type { InvoiceLine, PaymentInvoice, PaymentSubscription } from '../../payments.ts'

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
