import { agreedWorth, standingNow } from '../agreements/agreed.ts'
import { forgetInterruption } from '../agreements/history.ts'
import { issueInvoice } from '../billing/issue-invoice.ts'
import { draftLine } from '../lines/draft-lines.ts'
import { ratePrice } from '../lines/rating.ts'
import type { Books } from '../model/books.ts'
import type { WorldSubscription } from '../model/subscription.ts'
import { logSubscription } from '../rendering/event-log.ts'
import { periodBoundary } from '../time/calendar.ts'
import { scheduleRenewal } from './renewal.ts'

/**
 * Resumes a paused subscription with a period that begins now. Afterwards it shows no trace of the pause.
 * Source: docs.stripe.com/billing/subscriptions/pause (`billing_cycle_anchor` now).
 */
export function resumeSubscription(books: Books, subscription: WorldSubscription, now: number): void {
  if (subscription.status !== 'paused') return
  subscription.status = 'active'
  subscription.pausedAt = null
  subscription.pauseKind = null
  subscription.anchor = now
  forgetInterruption(subscription)
  const licensed = subscription.items.filter(({ price }) => !price.metered)
  for (const item of subscription.items) {
    const { price } = item
    item.anchor = now
    item.periodIndex = 0
    item.periodStart = now
    item.periodEnd = periodBoundary(now, price.interval ?? 'month', price.count, 1)
  }
  const lines = licensed.flatMap((item) =>
    ratePrice(item.price, item.quantity ?? 0).map((rated) =>
      draftLine('recurring', item, rated, item.periodStart, item.periodEnd),
    ),
  )
  issueInvoice(books, {
    subscription,
    reason: 'subscription_update',
    lines,
    at: now,
    beginsPeriod: true,
    effects: (besides) => {
      const worths = agreedWorth(subscription, licensed, standingNow(subscription, now), besides)
      return [{ at: now, cause: 'start', worths }]
    },
  })
  scheduleRenewal(books, subscription)
  logSubscription(books, 'updated', subscription)
}
