import type { Books } from '../model/books.ts'
import type { Customer, WorldSubscription } from '../model/subscription.ts'
import { logCustomer, logSubscription } from '../rendering/event-log.ts'
import { forgetInterruption, noteNothing } from './history.ts'

/** Ends a subscription for good. `canceledAt` keeps an earlier request; churn counts from `endedAt` (rule R18). */
export function endSubscription(
  books: Books,
  subscription: WorldSubscription,
  now: number,
  reason: 'cancellation_requested' | 'payment_failed',
): void {
  if (subscription.endedAt !== null) return
  subscription.status = 'canceled'
  subscription.endedAt = now
  subscription.canceledAt ??= now
  subscription.endReason = reason
  subscription.cycle += 1
  forgetInterruption(subscription)
  noteNothing(subscription, now, 'end', 'ended_at')
  logSubscription(books, 'deleted', subscription)
  subscription.behaviour.onEnd?.(subscription, now)
}

/**
 * Cancels at the end of the running period: classic mode sets a flag as well, flexible mode only an instant.
 * Source: docs.stripe.com/billing/subscriptions/billing-mode/compare.
 */
export function planCancellation(
  books: Books,
  subscription: WorldSubscription,
  now: number,
  feedback: string | null,
): void {
  const end = Math.min(...subscription.items.map((item) => item.periodEnd))
  subscription.cancelAtPeriodEnd = subscription.mode === 'classic'
  subscription.cancelAt = end
  subscription.canceledAt = now
  subscription.endReason = 'cancellation_requested'
  subscription.feedback = feedback
  logSubscription(books, 'updated', subscription)
}

/** Withdraws a planned cancellation; the subscription keeps no trace of it. */
export function withdrawCancellation(books: Books, subscription: WorldSubscription): void {
  if (subscription.endedAt !== null) return
  subscription.cancelAtPeriodEnd = false
  subscription.cancelAt = null
  subscription.canceledAt = null
  subscription.endReason = null
  subscription.feedback = null
  logSubscription(books, 'updated', subscription)
}

/** Pauses the subscription itself (status `paused`): it brings no revenue until it is resumed. */
export function pauseSubscription(books: Books, subscription: WorldSubscription, now: number): void {
  subscription.status = 'paused'
  subscription.pausedAt = now
  subscription.pauseKind = 'pause_requested'
  subscription.cycle += 1
  noteNothing(subscription, now, 'paused', 'transitioned_at')
  logSubscription(books, 'paused', subscription)
}

/** Deletes the customer; its subscriptions end with it. Source: docs.stripe.com/api/customers/delete. */
export function deleteCustomer(books: Books, customer: Customer, now: number): void {
  for (const subscription of customer.subscriptions)
    endSubscription(books, subscription, now, 'cancellation_requested')
  logCustomer(books, 'deleted', customer)
  customer.deletedAt = now
}
