import type { Books } from '../model/books.ts'
import type { WorldSubscription } from '../model/subscription.ts'
import { daySeconds, hourSeconds } from '../time/calendar.ts'
import { finalizeInvoice } from './collection.ts'
import { canShareBill, noteDebits, writeInvoice } from './issue-invoice.ts'

/**
 * Bills what waits on a subscription before its own renewal: on the next invoice of another subscription, or on one
 * without a subscription. null if neither comes in time.
 * Sources: docs.stripe.com/api/invoices/create (`pending_invoice_items_behavior`),
 * github.com/invertase/stripe-firebase-extensions/issues/709.
 */
export function otherBill(books: Books, subscription: WorldSubscription, now: number): (() => void) | null {
  const latest = renewalOf(subscription) - daySeconds
  const isInTime = (at: number): boolean =>
    at < latest && (books.hasPending || at + daySeconds <= books.until)
  const isHost = (one: WorldSubscription): boolean =>
    one !== subscription &&
    one.status === 'active' &&
    one.pauseCollection === null &&
    one.cancelAt === null &&
    canShareBill(one, subscription) &&
    isInTime(renewalOf(one))
  if (subscription.customer.subscriptions.some(isHost)) {
    return () => {
      subscription.lendsPending = true
    }
  }
  const at = now + books.lots.int(1, 60) * hourSeconds
  return isInTime(at) ? () => books.agenda.add(at, (then) => billLoose(books, subscription, then)) : null
}

function billLoose(books: Books, subscription: WorldSubscription, at: number): void {
  const lenders = subscription.customer.subscriptions.filter(
    (one) => one.pending.length > 0 && one.endedAt === null && canShareBill(one, subscription),
  )
  if (!lenders.includes(subscription)) return
  const { invoice, lines } = writeInvoice(
    books,
    { subscription: null, reason: 'manual', lines: [], at, effects: () => [], beginsPeriod: false },
    subscription.customer,
    lenders,
  )
  noteDebits(invoice, lines)
  finalizeInvoice(books, invoice, at)
}

function renewalOf({ items }: WorldSubscription): number {
  return Math.min(...items.map((item) => item.periodEnd))
}
