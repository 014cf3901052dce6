import type { Books } from './books.ts'
import { DAY, HOUR, periodBoundary } from './calendar.ts'
import { discountsInForce, isExactUnder, itemDiscountsInForce } from './discounting.ts'
import { draftLine } from './draft-lines.ts'
import { logSubscription } from './event-log.ts'
import { issueInvoice } from './invoice.ts'
import { proofsOfCharges, proofsOfFullPeriods } from './proofs.ts'
import { creditLine, debitLine } from './proration.ts'
import { fullPeriodCents, ratePrice } from './rating.ts'
import { scheduleRenewal } from './renewal.ts'
import { createItem } from './start.ts'
import type { Cause, Discount, DraftLine, Effect, Item, Price, Proof, Subscription } from './state.ts'

export type Change =
  | { kind: 'quantity'; item: Item; quantity: number }
  /** A new price for an item; `replace` deletes the item and makes another, as some integrations do. */
  | { kind: 'price'; item: Item; price: Price; quantity?: number; replace?: boolean }
  | { kind: 'add'; price: Price; quantity: number }
  | { kind: 'remove'; item: Item }

/** Room kept free around the edges of a period, so that a change never meets a draft. */
const EDGE_SECONDS = 3 * HOUR

/**
 * Whether a change now can be dated and priced from what it leaves behind: a live subscription in the middle of an
 * ordinary period, under discounts that the period was already billed with.
 */
export function isChangeable(subscription: Subscription, now: number): boolean {
  if (subscription.status !== 'active' || subscription.pauseCollection !== null) return false
  if (subscription.cancelAt !== null || subscription.pending.length > 0) return false
  const carried = (item: Item): Discount[] => (item.debit?.discounts ?? []).map(({ discount }) => discount)
  return subscription.items.every((item) => {
    const inForce = [...itemDiscountsInForce(item, now), ...discountsInForce(subscription, now)]
    const settled =
      inForce.every((one) => carried(item).includes(one)) &&
      carried(item).every((one) => inForce.includes(one))
    const exact = isExactUnder(inForce, subscription.taxRate, fullPeriodCents(item.price, item.quantity ?? 0))
    const inside = item.periodStart + EDGE_SECONDS <= now && now <= item.periodEnd - EDGE_SECONDS
    return item.price.metered || (settled && exact && inside && item.periodIndex >= 0)
  })
}

/**
 * Carries out changes of one instant with prorations to the second, on an invoice of their own or riding on the
 * next renewal. Refuses (false) where isChangeable does, or when a riding change would not be billed in this run.
 */
export function changeSubscription(
  books: Books,
  subscription: Subscription,
  changes: Change[],
  now: number,
  invoiceNow: boolean,
): boolean {
  if (!isChangeable(subscription, now)) return false
  const renewal = Math.min(...subscription.items.map((item) => item.periodEnd))
  const rides = !invoiceNow && renewal + DAY <= books.until
  const lines: DraftLine[] = []
  const changed: Item[] = []
  const gone: string[] = []
  for (const change of changes) carryOut(books, subscription, change, now, { lines, changed, gone })
  const proofs: Map<string, Proof | null> = proofsOfFullPeriods(subscription, changed, now)
  for (const id of gone) proofs.set(id, null)
  const effect: Effect = { at: now, cause: causeOf(changes), temporary: false, proofs }
  if (rides) {
    subscription.pending.push(...lines)
    subscription.pendingEffects.push(effect)
  } else {
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

/** Moves the only item to a price of another interval: credit, a whole new period, and a new anchor. */
export function changeInterval(books: Books, subscription: Subscription, price: Price, now: number): boolean {
  const item = subscription.items[0]
  if (item === undefined || subscription.items.length > 1 || !isChangeable(subscription, now)) return false
  const credit = creditLine(books, subscription, item, now)
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
    lines: [credit, ...full],
    at: now,
    beginsPeriod: true,
    effects: (charged) => {
      const proofs = proofsOfCharges(charged, subscription.taxRate?.inclusive ?? false)
      return [{ at: now, cause: 'interval', temporary: false, proofs }]
    },
  })
  scheduleRenewal(books, subscription)
  logSubscription(books, 'updated', subscription)
  return true
}

interface Outcome {
  lines: DraftLine[]
  changed: Item[]
  gone: string[]
}

function carryOut(
  books: Books,
  subscription: Subscription,
  change: Change,
  now: number,
  outcome: Outcome,
): void {
  if (change.kind === 'add') {
    const item = createItem(books, subscription, change.price, change.quantity, now)
    copyPeriod(subscription.items[0], item)
    subscription.items.push(item)
    outcome.lines.push(debitLine(books, subscription, item, now))
    outcome.changed.push(item)
    return
  }
  const { item } = change
  outcome.lines.push(creditLine(books, subscription, item, now))
  if (change.kind === 'remove' || (change.kind === 'price' && change.replace)) {
    subscription.items = subscription.items.filter((one) => one !== item)
    outcome.gone.push(item.id)
    if (change.kind === 'remove') return
  }
  const next = change.kind === 'price' && change.replace ? successor(books, subscription, item, now) : item
  next.quantity = change.quantity ?? item.quantity
  if (change.kind === 'price') next.price = change.price
  outcome.lines.push(debitLine(books, subscription, next, now))
  outcome.changed.push(next)
}

function successor(books: Books, subscription: Subscription, item: Item, now: number): Item {
  const next = createItem(books, subscription, item.price, item.quantity, now)
  copyPeriod(item, next)
  subscription.items.push(next)
  return next
}

function copyPeriod(from: Item | undefined, to: Item): void {
  if (from === undefined) return
  to.anchor = from.anchor
  to.periodIndex = from.periodIndex
  to.periodStart = from.periodStart
  to.periodEnd = from.periodEnd
}

function causeOf(changes: Change[]): Cause {
  if (changes.some((change) => change.kind === 'price')) return 'plan'
  return changes.some((change) => change.kind !== 'quantity') ? 'items' : 'quantity'
}
