import type { InvoiceLine, PaymentInvoice, PaymentSubscription } from '../../payments.ts'
import { renewalDriftSeconds, sameRequestSeconds } from '../exact/tolerances.ts'

/** Each line names its own subscription, because one invoice can carry lines of several subscriptions or of none. */
export function belongsTo(
  line: InvoiceLine,
  invoice: PaymentInvoice,
  subscription: PaymentSubscription,
): boolean {
  const subscriptionId = line.subscriptionId ?? (line.isSubscriptionItem ? invoice.subscriptionId : null)
  return subscriptionId === subscription.id || (subscriptionId === null && line.standsForAll === true)
}

/**
 * Whether an invoice bills a change that takes effect only when paid; until then the items keep their old terms (R26).
 */
export function isPendingBill(subscription: PaymentSubscription, invoice: PaymentInvoice): boolean {
  const { id, pendingInvoiceId } = subscription
  if (pendingInvoiceId === undefined) return false
  // It can be paid after we read the subscription and before we read the invoice; the items we have are then still the
  // old ones.
  const isItsBill = invoice.id === pendingInvoiceId || invoice.subscriptionId === id
  const isUnsettled = invoice.status === 'open' || invoice.id === pendingInvoiceId
  return isItsBill && isUnsettled && invoice.lines.some((line) => isInsidePeriods(line, subscription))
}

/**
 * Whether a line is no renewal: it bills a part of a period, or a new cycle that begins inside those of all items, like a
 * trial that ends early.
 */
function isInsidePeriods(line: InvoiceLine, { items }: PaymentSubscription): boolean {
  const { isProration, isSubscriptionItem, periodStart: at } = line
  if (isProration || !isSubscriptionItem) return isProration
  return (
    items.length > 0 &&
    items.every(
      ({ periodStart, periodEnd }) =>
        at > periodStart + sameRequestSeconds && at < periodEnd - renewalDriftSeconds,
    )
  )
}
