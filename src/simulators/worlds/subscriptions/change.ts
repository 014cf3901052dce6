import { agreedWorth, standingNow } from '../agreements/agreed.ts'
import { isSettled } from '../agreements/history.ts'
import { issueInvoice } from '../billing/issue-invoice.ts'
import { otherBill } from '../billing/merged-bill.ts'
import { discountsInForce, isExactUnder, itemDiscountsInForce } from '../lines/discounting.ts'
import { draftLine } from '../lines/draft-lines.ts'
import { creditLines, debitLines } from '../lines/proration.ts'
import { ratePrice } from '../lines/rating.ts'
import type { Books } from '../model/books.ts'
import type { Price } from '../model/offer.ts'
import type { Cause, DraftLine, Effect, Item, WorldSubscription, Worth } from '../model/subscription.ts'
import { logSubscription } from '../rendering/event-log.ts'
import { daySeconds, hourSeconds, periodBoundary } from '../time/calendar.ts'
import { scheduleRenewal } from './renewal.ts'
import { createItem } from './start.ts'

export type Change =
  | { kind: 'quantity'; item: Item; quantity: number }
  /** A new price for an item; `replace` deletes the item and adds another, as some integrations do. */
  | { kind: 'price'; item: Item; price: Price; quantity?: number; replace?: boolean }
  /** Adds an item with the interval of the others. */
  | { kind: 'add'; price: Price; quantity: number }
  | { kind: 'remove'; item: Item }

/** Changes keep this distance from the edges of a period, so that none meets a draft. */
const edgeSeconds = 3 * hourSeconds

/**
 * Whether a change now can be dated and priced from the account: the subscription is live, in the middle of an
 * ordinary period, under the discounts of that period's bill.
 */
export function isChangeable(subscription: WorldSubscription, now: number): boolean {
  if (!isQuiet(subscription, now)) return false
  return subscription.items.every((item) => {
    const inForce = [...itemDiscountsInForce(item, now), ...discountsInForce(subscription, now)]
    const exact = ratePrice(item.price, item.quantity ?? 0).every(({ amount }) =>
      isExactUnder(inForce, subscription.taxRate, amount),
    )
    return item.price.metered || (exact && isSettled(subscription, item, now))
  })
}

/** Whether the subscription is active, with nothing paused, planned or pending, in the middle of billed periods. */
export function isQuiet(subscription: WorldSubscription, now: number): boolean {
  const { status, pauseCollection, cancelAt, pending, pendingUpdate, items } = subscription
  if (status !== 'active' || pauseCollection !== null || cancelAt !== null) return false
  if (pending.length > 0 || pendingUpdate !== null) return false
  return items.every(
    ({ periodStart, periodEnd, periodIndex, debit }) =>
      periodIndex >= 0 &&
      debit?.shown !== false &&
      periodStart + edgeSeconds <= now &&
      now <= periodEnd - edgeSeconds,
  )
}

/**
 * How prorations are billed: on their own invoice, with the next renewal, on a bill of another subscription, or not
 * at all.
 * Source: docs.stripe.com/billing/subscriptions/prorations (`proration_behavior`).
 */
export type Billing = 'at once' | 'later' | 'elsewhere' | 'never'

/** Carries out simultaneous changes, with prorations to the second. Returns false if `isChangeable` does. */
export function changeSubscription(
  books: Books,
  subscription: WorldSubscription,
  changes: Change[],
  now: number,
  billing: Billing,
): boolean {
  if (!isChangeable(subscription, now)) return false
  const lines: DraftLine[] = []
  const changed: Item[] = []
  const gone: Item[] = []
  for (const change of changes) carryOut(books, subscription, change, now, { lines, changed, gone })
  const worths = new Map<string, Worth | null>(
    agreedWorth(subscription, changed, standingNow(subscription, now)),
  )
  for (const { id } of gone) worths.set(id, null)
  const effect: Effect = { at: now, cause: causeOf(changes), worths }
  for (const item of changed) item.unshown = true
  for (const item of gone) subscription.removed.set(item.id, now)
  const elsewhere = billing === 'elsewhere' ? otherBill(books, subscription, now) : null
  const isWaiting = (billing === 'later' && waits(books, subscription)) || elsewhere !== null
  if (isWaiting || billing === 'never') {
    for (const item of gone) noteUnbilledFrom(subscription, item)
  }
  if (isWaiting) {
    subscription.pending.push(...lines)
    subscription.pendingEffects.push(effect)
    elsewhere?.()
  } else if (billing !== 'never') {
    issueInvoice(books, {
      subscription,
      reason: 'subscription_update',
      lines,
      at: now,
      beginsPeriod: false,
      effects: () => [effect],
    })
  }
  logSubscription(books, 'updated', subscription)
  return true
}

/** Whether a change may wait for the next renewal. */
function waits(books: Books, { items }: WorldSubscription): boolean {
  const renewal = Math.min(...items.map((item) => item.periodEnd))
  return books.hasPending || renewal + daySeconds <= books.until
}

/** An item without a credit was paid for until the end of its period. */
function noteUnbilledFrom(subscription: WorldSubscription, item: Item): void {
  const worths = new Map([[item.id, null]])
  subscription.facts.push({
    at: item.periodEnd,
    cause: 'items',
    evidence: 'period_end',
    worths,
  })
}

/**
 * Moves the only item to a price of another interval: a new period and anchor at once, with a credit for the old
 * period if prorations are requested.
 * Source: docs.stripe.com/billing/subscriptions/billing-cycle.
 */
export function changeInterval(
  books: Books,
  subscription: WorldSubscription,
  price: Price,
  now: number,
  isCredited = true,
): boolean {
  const item = subscription.items[0]
  if (item === undefined || subscription.items.length > 1 || !isChangeable(subscription, now)) return false
  const credit = isCredited ? creditLines(books, subscription, item, now) : []
  item.price = price
  item.anchor = now
  subscription.anchor = now
  item.periodIndex = 0
  item.periodStart = now
  item.periodEnd = periodBoundary(now, price.interval ?? 'month', price.count, 1)
  const full = ratePrice(price, item.quantity ?? 0).map((rated) =>
    draftLine('recurring', item, rated, item.periodStart, item.periodEnd),
  )
  issueInvoice(books, {
    subscription,
    reason: 'subscription_update',
    lines: [...credit, ...full],
    at: now,
    beginsPeriod: true,
    effects: (besides) => {
      const worths = agreedWorth(subscription, [item], standingNow(subscription, now), besides)
      return [{ at: now, cause: 'interval', worths }]
    },
  })
  scheduleRenewal(books, subscription)
  logSubscription(books, 'updated', subscription)
  return true
}

export type Outcome = {
  lines: DraftLine[]
  changed: Item[]
  gone: Item[]
}

export function carryOut(
  books: Books,
  subscription: WorldSubscription,
  change: Change,
  now: number,
  outcome: Outcome,
): void {
  if (change.kind === 'add') {
    const item = createItem(books, subscription, change.price, change.quantity, now)
    copyPeriod(
      subscription.items.find((one) => isBilledWith(one.price, change.price)),
      item,
    )
    subscription.items.push(item)
    outcome.lines.push(...debitLines(books, subscription, item, now))
    outcome.changed.push(item)
    return
  }
  const { item } = change
  const credits = creditLines(books, subscription, item, now)
  if (change.kind === 'remove' || (change.kind === 'price' && change.replace)) {
    subscription.items = subscription.items.filter((one) => one !== item)
    outcome.gone.push(item)
    if (change.kind === 'remove') {
      outcome.lines.push(...credits)
      return
    }
  }
  const next = change.kind === 'price' && change.replace ? successor(books, subscription, item, now) : item
  next.quantity = change.quantity ?? item.quantity
  if (change.kind === 'price') next.price = change.price
  const debits = debitLines(books, subscription, next, now)
  outcome.lines.push(...inOrder(books, subscription, credits, debits))
  outcome.changed.push(next)
}

/** The provider documents no order for the lines of a change. */
function inOrder(
  { lots }: Books,
  { writing }: WorldSubscription,
  credits: DraftLine[],
  debits: DraftLine[],
): DraftLine[] {
  if (writing.order === 'any') return lots.shuffle([...credits, ...debits])
  if (writing.order === 'by change') return [...credits, ...debits]
  const turns = Math.max(credits.length, debits.length)
  return Array.from({ length: turns }, (_, turn) => turn).flatMap((turn) => [
    ...credits.slice(turn, turn + 1),
    ...debits.slice(turn, turn + 1),
  ])
}

function successor(books: Books, subscription: WorldSubscription, item: Item, now: number): Item {
  const next = createItem(books, subscription, item.price, item.quantity, now)
  copyPeriod(item, next)
  subscription.items.push(next)
  return next
}

function isBilledWith(a: Price, b: Price): boolean {
  return a.interval === b.interval && a.count === b.count
}

function copyPeriod(from: Item | undefined, to: Item): void {
  if (from === undefined) return
  to.anchor = from.anchor
  to.periodIndex = from.periodIndex
  to.periodStart = from.periodStart
  to.periodEnd = from.periodEnd
}

export function causeOf(changes: Change[]): Cause {
  if (changes.some((change) => change.kind === 'price')) return 'plan'
  return changes.some((change) => change.kind !== 'quantity') ? 'items' : 'quantity'
}
