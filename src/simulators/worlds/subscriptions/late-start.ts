import { agreedWorth, standingNow } from '../agreements/agreed.ts'
import { draftLine, partLine } from '../lines/draft-lines.ts'
import { partialLines } from '../lines/proration.ts'
import { fullPeriodCents, ratePrice } from '../lines/rating.ts'
import type { Books } from '../model/books.ts'
import type { DraftLine, Item, WorldSubscription } from '../model/subscription.ts'
import { shareDown } from '../numbers/rational.ts'
import { dateInWords, periodBoundary } from '../time/calendar.ts'

/** Lines for the part of a period before the anchor. Source: docs.stripe.com/billing/subscriptions/billing-cycle. */
export function stubLines(
  books: Books,
  subscription: WorldSubscription,
  item: Item,
  now: number,
): DraftLine[] {
  const { price, anchor, periodStart: start, periodEnd: end } = item
  const part = { start, end }
  const whole = { start: boundary(item, anchor, -1), end: anchor }
  const lines = partialLines(books, subscription, item, part, whole, now)
  for (const line of lines)
    line.description = `Time on ${price.product.name}${line.listed.note} until ${dateInWords(end)}`
  return lines
}

/**
 * Lines for a backdated start until the end of the running period: one prorated line in classic mode, a line for each
 * period in flexible mode.
 * Source: docs.stripe.com/billing/subscriptions/backdating.
 */
export function elapsedLines(
  books: Books,
  subscription: WorldSubscription,
  item: Item,
  now: number,
): DraftLine[] {
  const spans = elapsedSpans(subscription, item)
  if (subscription.mode !== 'classic') {
    return spans.flatMap((span) =>
      span.start === span.whole.start
        ? ratePrice(item.price, item.quantity ?? 0).map((rated) =>
            draftLine('recurring', item, rated, span.start, span.end),
          )
        : partialLines(books, subscription, item, span, span.whole, now),
    )
  }
  const cents = fullPeriodCents(item.price, item.quantity ?? 0)
  const amount = spans.reduce(
    (sum, { start, end, whole }) => sum + shareDown(cents, end - start, whole.end - whole.start),
    0,
  )
  const { scheme } = item.price
  const unit = scheme.kind === 'flat' ? scheme.unitCents : null
  const start = subscription.startDate
  const line = partLine(
    books,
    item,
    { amount, quantity: item.quantity ?? 0, unit, note: '' },
    { start, end: item.periodEnd },
  )
  line.description = `Time on ${item.price.product.name} from ${dateInWords(start)} until ${dateInWords(line.end)}`
  line.invoiceItem = books.newId('ii')
  return [line]
}

/** The periods from the start to the end of the running one; the first is cut at the start. */
function elapsedSpans({ startDate }: WorldSubscription, item: Item) {
  const spans: { start: number; end: number; whole: { start: number; end: number } }[] = []
  const { anchor, periodEnd } = item
  for (let index = periodEnd === anchor ? 0 : item.periodIndex + 1; spans[0]?.start !== startDate; index--) {
    const whole = { start: boundary(item, anchor, index - 1), end: boundary(item, anchor, index) }
    spans.unshift({ start: Math.max(startDate, whole.start), end: whole.end, whole })
  }
  return spans
}

/**
 * A start whose first bill comes at its anchor. A subscription moved from elsewhere counts from its start (R32), any
 * other only from the anchor (R16).
 * Sources: docs.stripe.com/billing/subscriptions/backdating, …/billing-cycle (`proration_behavior` none),
 * …/migrate-subscriptions.
 */
export function beginUnbilled(subscription: WorldSubscription, now: number): void {
  for (const item of subscription.items) item.periodStart = now
  const { items, startDate: at } = subscription
  if (at >= now) return
  const worths = agreedWorth(subscription, items, standingNow(subscription, now))
  subscription.facts.push({ at, cause: 'start', evidence: 'state', worths })
}

function boundary({ price }: Item, anchor: number, index: number): number {
  return periodBoundary(anchor, price.interval ?? 'month', price.count, index)
}
