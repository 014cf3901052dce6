import { agreedWorth, standingNow } from '../agreements/agreed.ts'
import { attachCoupon } from '../agreements/coupons.ts'
import { issueInvoice } from '../billing/issue-invoice.ts'
import { draftLine, oneOffLine } from '../lines/draft-lines.ts'
import { ratePrice } from '../lines/rating.ts'
import type { Books } from '../model/books.ts'
import type { Price, TaxRate } from '../model/offer.ts'
import type {
  Behaviour,
  BillingMode,
  Customer,
  DraftLine,
  Item,
  WorldSubscription,
  Writing,
} from '../model/subscription.ts'
import { logSubscription } from '../rendering/event-log.ts'
import { daySeconds, periodBoundary } from '../time/calendar.ts'
import { beginUnbilled, elapsedLines, stubLines } from './late-start.ts'
import { scheduleRenewal } from './renewal.ts'

/** How a subscription begins. */
export type Order = {
  items: { price: Price; quantity?: number; coupon?: string }[]
  behaviour: Behaviour
  mode?: BillingMode
  writing?: Partial<Writing>
  sendInvoice?: boolean
  trialDays?: number
  onTrialEnd?: WorldSubscription['onTrialEnd']
  coupon?: string
  taxRate?: TaxRate
  /** The first full period begins here; the time before it is prorated. */
  anchor?: number
  /** When the service began, if before the creation of the subscription. */
  startDate?: number
  /** Nothing is billed before the anchor. */
  isUnbilled?: boolean
  setupFee?: { price: Price; cents: number }
}

const usual: Writing = { bare: false, order: 'by change', words: "the provider's", stub: 'proration' }

/** Creates a subscription now and bills its first invoice (0 for a trial). */
export function startSubscription(
  books: Books,
  customer: Customer,
  order: Order,
  now: number,
): WorldSubscription {
  const subscription = blankSubscription(books, customer, order, now)
  const start = subscription.startDate
  const anchor = order.anchor ?? subscription.trialEnd ?? start
  subscription.anchor = anchor
  for (const { price, quantity, coupon } of order.items) {
    const item = createItem(books, subscription, price, price.metered ? null : (quantity ?? 1), now)
    placeItem(item, anchor, start, now)
    subscription.items.push(item)
    if (coupon !== undefined) attachCoupon(books, subscription, coupon, now, item)
  }
  if (order.coupon !== undefined) attachCoupon(books, subscription, order.coupon, now)
  for (const item of subscription.items) item.unshown = false
  customer.subscriptions.push(subscription)
  books.subscriptions.set(subscription.id, subscription)
  if (order.setupFee !== undefined) {
    const { price, cents } = order.setupFee
    subscription.pending.push(oneOffLine(subscription, price, cents, books.newId('ii'), now))
  }
  if (order.isUnbilled) beginUnbilled(subscription, now)
  else billStart(books, subscription, now)
  logSubscription(books, 'created', subscription)
  scheduleRenewal(books, subscription)
  return subscription
}

/** A new item without a period yet. */
export function createItem(
  books: Books,
  subscription: WorldSubscription,
  price: Price,
  quantity: number | null,
  now: number,
): Item {
  return {
    id: books.newId('si'),
    subscription: subscription.id,
    price,
    quantity,
    created: now,
    anchor: subscription.anchor,
    periodIndex: 0,
    periodStart: now,
    periodEnd: now,
    discounts: [],
    debit: null,
    unshown: false,
  }
}

function placeItem(item: Item, anchor: number, start: number, now: number): void {
  item.anchor = anchor
  const boundary = (index: number): number =>
    periodBoundary(anchor, item.price.interval ?? 'month', item.price.count, index)
  if (anchor > now) {
    item.periodIndex = -1
    item.periodStart = Math.max(start, boundary(-1))
    item.periodEnd = anchor
    return
  }
  while (boundary(item.periodIndex + 1) <= now) item.periodIndex += 1
  item.periodStart = boundary(item.periodIndex)
  item.periodEnd = boundary(item.periodIndex + 1)
}

function blankSubscription(books: Books, customer: Customer, order: Order, now: number): WorldSubscription {
  const trialEnd = order.trialDays === undefined ? null : now + order.trialDays * daySeconds
  return {
    id: books.newId('sub'),
    customer,
    currency: order.items[0]?.price.currency ?? 'usd',
    mode: order.mode ?? 'classic',
    writing: { ...usual, ...order.writing },
    collection: order.sendInvoice ? 'send_invoice' : 'charge_automatically',
    daysUntilDue: order.sendInvoice ? 30 : null,
    anchor: now,
    created: now,
    startDate: order.startDate ?? now,
    status: trialEnd === null ? 'active' : 'trialing',
    trialStart: trialEnd === null ? null : now,
    trialEnd,
    onTrialEnd: order.onTrialEnd ?? 'convert',
    cancelAt: null,
    cancelAtPeriodEnd: false,
    canceledAt: null,
    endedAt: null,
    endReason: null,
    feedback: null,
    pauseCollection: null,
    pausedAt: null,
    pauseKind: null,
    items: [],
    discounts: [],
    taxRate: order.taxRate ?? null,
    latestInvoice: null,
    lastInvoicedAt: null,
    invoices: 0,
    periods: 0,
    pending: [],
    pendingEffects: [],
    lendsPending: false,
    pendingUpdate: null,
    cycle: 0,
    behaviour: order.behaviour,
    random: customer.random,
    removed: new Map(),
    facts: [],
  }
}

function billStart(books: Books, subscription: WorldSubscription, now: number): void {
  const { items, startDate: at } = subscription
  const trial = subscription.trialEnd !== null
  const lines = items.flatMap((item) => {
    if (trial) return trialLines(item)
    if (item.price.metered) return [usageLine(item)]
    if (at < now) return elapsedLines(books, subscription, item, now)
    return item.periodIndex < 0 ? stubLines(books, subscription, item, now) : firstLines(item)
  })
  issueInvoice(books, {
    subscription,
    reason: 'subscription_create',
    lines,
    at: now,
    beginsPeriod: !trial,
    effects: (besides) => {
      if (trial) return []
      const worths = agreedWorth(subscription, items, standingNow(subscription, now), besides)
      return [{ at, cause: 'start', worths }]
    },
  })
}

function trialLines(item: Item): DraftLine[] {
  const unit = item.price.scheme.kind === 'flat' ? item.price.scheme.unitCents : null
  const rated = { amount: 0, quantity: item.quantity ?? 0, unit, note: '' }
  return [draftLine('trial', item, rated, item.periodStart, item.periodEnd)]
}

/** Lines for the period that begins now. */
function firstLines(item: Item): DraftLine[] {
  const { price, periodStart, periodEnd } = item
  if (price.metered) return [usageLine(item)]
  return ratePrice(price, item.quantity ?? 0).map((rated) =>
    draftLine('recurring', item, rated, periodStart, periodEnd),
  )
}

/** A line for no usage. */
function usageLine(item: Item): DraftLine {
  const unit = item.price.scheme.kind === 'flat' ? item.price.scheme.unitCents : null
  return draftLine(
    'usage',
    item,
    { amount: 0, quantity: 0, unit, note: '' },
    item.periodStart,
    item.periodEnd,
  )
}
