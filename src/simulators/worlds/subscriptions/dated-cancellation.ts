import { issueInvoice } from '../billing/issue-invoice.ts'
import { creditLines } from '../lines/proration.ts'
import type { Books } from '../model/books.ts'
import type { WorldSubscription } from '../model/subscription.ts'
import { logSubscription } from '../rendering/event-log.ts'
import { scheduleRenewal } from './renewal.ts'

/**
 * Cancels for a given day: running periods are cut short, with a credit for the rest if requested; a later period is
 * billed only for its part.
 * Source: docs.stripe.com/billing/subscriptions/cancel (`cancel_at`, prorations).
 */
export function cancelOn(
  books: Books,
  subscription: WorldSubscription,
  endsAt: number,
  now: number,
  isCredited: boolean,
): void {
  const cut = subscription.items.filter((item) => endsAt < item.periodEnd)
  const credits = isCredited ? cut.flatMap((item) => creditLines(books, subscription, item, endsAt)) : []
  for (const item of cut) item.periodEnd = endsAt
  subscription.cancelAt = endsAt
  subscription.canceledAt = now
  subscription.endReason = 'cancellation_requested'
  if (credits.length > 0) {
    issueInvoice(books, {
      subscription,
      reason: 'subscription_update',
      lines: credits,
      at: now,
      beginsPeriod: false,
      effects: () => [],
    })
  }
  scheduleRenewal(books, subscription)
  logSubscription(books, 'updated', subscription)
}
