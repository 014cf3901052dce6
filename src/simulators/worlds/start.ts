import { agreedWorth, standingNow } from './agreed.ts'
import type { Books } from './books.ts'
import { addMonths, DAY, dateInWords, periodBoundary } from './calendar.ts'
import { attachCoupon } from './coupons.ts'
import { draftLine, oneOffLine, partLine } from './draft-lines.ts'
import { logSubscription } from './event-log.ts'
import { issueInvoice } from './invoice.ts'
import { fullPeriodCents, ratePrice } from './rating.ts'
import { shareDown } from './rational.ts'
import { scheduleRenewal } from './renewal.ts'
import type {
  Behaviour,
  BillingMode,
  Customer,
  DraftLine,
  Item,
  Price,
  Subscription,
  TaxRate,
  Writing,
} from './state.ts'

/** How a subscription begins. */
export interface Order {
  items: { price: Price; quantity?: number; coupon?: string }[]
  behaviour: Behaviour
  mode?: BillingMode
  writing?: Partial<Writing>
  sendInvoice?: boolean
  trialDays?: number
  onTrialEnd?: Subscription['onTrialEnd']
  coupon?: string
  taxRate?: TaxRate
  /** First full period begins here; the time before is a prorated stub. */
  anchor?: number
  /** The service began this many months earlier. */
  backdateMonths?: number
  setupFee?: { price: Price; cents: number }
}

const USUAL: Writing = { bare: false, order: 'by change', words: "the provider's", stub: 'proration' }

/** Creates a subscription now and bills its first invoice (0 for a trial). */
export function startSubscription(books: Books, customer: Customer, order: Order, now: number): Subscription {
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
  billStart(books, subscription, now)
  logSubscription(books, 'created', subscription)
  scheduleRenewal(books, subscription)
  return subscription
}

/** A new item without a period yet. */
export function createItem(
  books: Books,
  subscription: Subscription,
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
  if (anchor > start) {
    item.periodIndex = -1
    item.periodStart = start
    item.periodEnd = anchor
    return
  }
  const boundary = (index: number): number =>
    periodBoundary(anchor, item.price.interval ?? 'month', item.price.count, index)
  while (boundary(item.periodIndex + 1) <= now) item.periodIndex += 1
  item.periodStart = boundary(item.periodIndex)
  item.periodEnd = boundary(item.periodIndex + 1)
}

function blankSubscription(books: Books, customer: Customer, order: Order, now: number): Subscription {
  const trialEnd = order.trialDays === undefined ? null : now + order.trialDays * DAY
  return {
    id: books.newId('sub'),
    customer,
    currency: order.items[0]?.price.currency ?? 'usd',
    mode: order.mode ?? 'classic',
    writing: { ...USUAL, ...order.writing },
    collection: order.sendInvoice ? 'send_invoice' : 'charge_automatically',
    daysUntilDue: order.sendInvoice ? 30 : null,
    anchor: now,
    created: now,
    startDate: order.backdateMonths === undefined ? now : addMonths(now, -order.backdateMonths) - 3 * DAY,
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

function billStart(books: Books, subscription: Subscription, now: number): void {
  const { items, startDate: at } = subscription
  const trial = subscription.trialEnd !== null
  const stub = !trial && items.some((item) => item.periodIndex < 0)
  const merged = subscription.mode === 'classic' && at < now
  const lines = items.flatMap((item) => {
    if (trial) return trialLines(item)
    if (stub) return [stubLine(books, item)]
    return merged ? [elapsedLine(books, item)] : firstLines(item)
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

/** The part of a period until the anchor. Source: docs.stripe.com/billing/subscriptions/billing-cycle. */
function stubLine(books: Books, item: Item): DraftLine {
  const { price, anchor, periodStart: start, periodEnd: end } = item
  const full = fullPeriodCents(price, item.quantity ?? 0)
  const length = anchor - periodBoundary(anchor, price.interval ?? 'month', price.count, -1)
  const unit = price.scheme.kind === 'flat' ? price.scheme.unitCents : null
  const amount = shareDown(full, end - start, length)
  const rated = { amount, quantity: item.quantity ?? 0, unit, note: '' }
  const line = partLine(books, item, rated, start, end)
  line.description = `Time on ${price.product.name} until ${dateInWords(end)}`
  line.invoiceItem = books.newId('ii')
  return line
}

/** All that a backdated start owes, in one line (classic mode). Source: docs.stripe.com/billing/subscriptions/backdating. */
function elapsedLine(books: Books, item: Item): DraftLine {
  const lines = firstLines(item)
  const unit = lines[0]?.unit ?? null
  const amount = lines.reduce((sum, line) => sum + line.amount, 0)
  const rated = { amount, quantity: item.quantity ?? 0, unit, note: '' }
  const line = partLine(books, item, rated, item.anchor, item.periodEnd)
  line.description = `Time on ${item.price.product.name} from ${dateInWords(line.start)} until ${dateInWords(line.end)}`
  line.invoiceItem = books.newId('ii')
  return line
}

/** One period, or one line for each that has passed since a backdated start (flexible mode). */
function firstLines(item: Item): DraftLine[] {
  const { price, quantity, anchor, periodIndex } = item
  if (price.metered) {
    const rated = {
      amount: 0,
      quantity: 0,
      unit: price.scheme.kind === 'flat' ? price.scheme.unitCents : null,
      note: '',
    }
    return [draftLine('usage', item, rated, item.periodStart, item.periodEnd)]
  }
  const lines: DraftLine[] = []
  for (let index = 0; index <= periodIndex; index++) {
    const start = periodBoundary(anchor, price.interval ?? 'month', price.count, index)
    const end = periodBoundary(anchor, price.interval ?? 'month', price.count, index + 1)
    lines.push(
      ...ratePrice(price, quantity ?? 0).map((rated) => draftLine('recurring', item, rated, start, end)),
    )
  }
  return lines
}
