import { agreedWorth, standingNow } from '../agreements/agreed.ts'
import { endSubscription } from '../agreements/ending.ts'
import { issueInvoice } from '../billing/issue-invoice.ts'
import { draftLine } from '../lines/draft-lines.ts'
import { partialLines } from '../lines/proration.ts'
import { multiplyUnit, ratePrice } from '../lines/rating.ts'
import type { Books } from '../model/books.ts'
import type { DraftLine, Item, WorldSubscription } from '../model/subscription.ts'
import { logSubscription } from '../rendering/event-log.ts'
import { periodBoundary } from '../time/calendar.ts'

/** Schedules the next end of a period; this cancels what was scheduled before. */
export function scheduleRenewal(books: Books, subscription: WorldSubscription): void {
  subscription.cycle += 1
  const cycle = subscription.cycle
  const at = Math.min(...subscription.items.map((item) => item.periodEnd))
  books.agenda.add(at, (now) => {
    if (subscription.cycle === cycle) renew(books, subscription, now)
  })
}

function renew(books: Books, subscription: WorldSubscription, now: number): void {
  if (subscription.endedAt !== null || subscription.status === 'paused') return
  if (subscription.cancelAt !== null && subscription.cancelAt <= now) {
    endSubscription(books, subscription, now, 'cancellation_requested')
    return
  }
  const converts = subscription.status === 'trialing'
  if (converts && !endTrial(books, subscription, now)) return
  const due = subscription.items.filter((item) => item.periodEnd <= now)
  const lines = due.flatMap((item) => renewItem(books, item, subscription))
  // A converted trial counts from the conversion, even while its first invoice is a draft (R16).
  if (converts) for (const item of due.filter(({ price }) => !price.metered)) item.unshown = true
  issueInvoice(books, {
    subscription,
    reason: 'subscription_cycle',
    lines,
    at: now,
    beginsPeriod: true,
    effects: (besides) => {
      const worths = agreedWorth(subscription, due, standingNow(subscription, now), besides)
      return [{ at: now, cause: converts ? 'start' : 'discount', worths }]
    },
  })
  logSubscription(books, 'updated', subscription)
  scheduleRenewal(books, subscription)
}

/** Ends the trial; returns whether the subscription continues. */
function endTrial(books: Books, subscription: WorldSubscription, now: number): boolean {
  switch (subscription.onTrialEnd) {
    case 'convert':
      subscription.status = 'active'
      return true
    case 'cancel':
      endSubscription(books, subscription, now, 'cancellation_requested')
      return false
    case 'pause':
      subscription.status = 'paused'
      subscription.pausedAt = now
      subscription.pauseKind = 'trial_end_without_payment_method'
      logSubscription(books, 'paused', subscription)
      return false
  }
}

/** Moves an item to its next period; licensed items are charged in advance, metered ones for past usage. */
function renewItem(books: Books, item: Item, subscription: WorldSubscription): DraftLine[] {
  const { price, periodStart: oldStart, periodEnd: oldEnd } = item
  item.periodIndex += 1
  item.periodStart = periodBoundary(item.anchor, price.interval ?? 'month', price.count, item.periodIndex)
  item.periodEnd = periodBoundary(item.anchor, price.interval ?? 'month', price.count, item.periodIndex + 1)
  if (price.metered) {
    const quantity = subscription.random.int(0, 40_000)
    const unit = price.scheme.kind === 'flat' ? price.scheme.unitCents : '0'
    const rated = { amount: multiplyUnit(unit, quantity), quantity, unit, note: '' }
    return [draftLine('usage', item, rated, oldStart, oldEnd)]
  }
  const { periodStart: start, periodEnd: end } = item
  const { cancelAt } = subscription
  if (cancelAt !== null && cancelAt < end) {
    item.periodEnd = cancelAt
    return partialLines(books, subscription, item, { start, end: cancelAt }, { start, end }, start)
  }
  return ratePrice(price, item.quantity ?? 0).map((rated) => draftLine('recurring', item, rated, start, end))
}
