/** Creates accounts and their invoices from what happened in them. */
import type { Instant } from '#domain/instant.ts'
import { daySeconds, monthsLater } from '#domain/mrr/exact/interval.ts'
import type {
  PaymentDiscount,
  PaymentInvoice,
  PaymentPrice,
  PaymentProduct,
  PaymentSubscription,
} from '#domain/payments.ts'
import { discount, invoice, item, line, on, subscription } from './examples.ts'
import { billsOfItem, type ItemBills, type Life } from './generated-bills.ts'
import { couponOf, currencies, type Naming, namingOf, planOf } from './generated-plans.ts'

export type GeneratedAccount = {
  subscriptions: PaymentSubscription[]
  invoices: PaymentInvoice[]
  prices: PaymentPrice[]
  products: PaymentProduct[]
  /** Every discount that each subscription ever had, including ended ones. */
  discounts: PaymentDiscount[][]
  asOf: string
}

const asOf = '2025-02-10'
const asOfInstant = on(asOf)
/** Nothing is billed within this time before the end. */
const halfHourSeconds = 1800
/** Length of a short first period, and of the time from a backdated start to the creation. */
const shortDays = 9
const lateDays = 40
/** Time from an invoice to giving it up. */
const giveUpSeconds = 15 * daySeconds

/** The account of one customer with these subscriptions; if mirrored, every id is different and sorts the other way. */
export function accountOfLives(lives: readonly Life[], isMirrored = false): GeneratedAccount {
  const name = namingOf(isMirrored)
  const made = lives.map((each, index) => live(each, index, name))
  const prices = lives.flatMap(({ currency, items }) =>
    items.flatMap(({ plan, changes }, place) =>
      [plan, ...changes.map((change) => change.plan)].map((each) => planOf(each, { currency, place, name })),
    ),
  )
  const products = [...new Set(prices.map(({ productId }) => productId ?? ''))].map((id, index) => ({
    id,
    name: `Product ${index}`,
    isActive: true,
    createdAt: 0,
  }))
  return {
    subscriptions: made.map((one) => one.subscription),
    invoices: made.flatMap((one) => one.invoices),
    prices,
    products,
    discounts: made.map((one) => one.discounts),
    asOf,
  }
}

function live(life: Life, index: number, name: Naming) {
  // One second apart, so that no two subscriptions of a customer begin in the same second.
  const start = monthsLater(on('2023-11-01'), life.startMonth) + index
  const endedAt = life.endMonth === null ? null : Math.min(monthsLater(start, life.endMonth), asOfInstant)
  const discounts = discountsOf(life, index, start, name)
  const billedFrom = start + life.trialDays * daySeconds
  const until = Math.min(endedAt ?? asOfInstant, asOfInstant)
  const begun = beginningOf(life, start, until, name)
  const own = { ...life, begins: begun.begins }
  const bills = own.items.map((each, place) =>
    billsOfItem(each, { life: own, index, place, billedFrom, until, discounts, name, ...begun }),
  )
  const parts = { life: own, index, start, discounts, bills, name }
  const subscription = held({ ...parts, endedAt, ...begun })
  return {
    subscription,
    discounts: [...new Map([...discounts, ...subscription.discounts].map((one) => [one.id, one])).values()],
    invoices: invoicesOf(parts),
  }
}

type Beginning = Pick<Life, 'begins'> & { createdAt: Instant; anchor: Instant }

/**
 * The creation time and the day that sets the billing days; only for a single item of at least a month, created long
 * before its end.
 */
function beginningOf(life: Life, start: Instant, until: Instant, name: Naming): Beginning {
  const [item] = life.items
  const plan = planOf(item?.plan ?? 0, { currency: life.currency, place: 0, name })
  const createdAt = start + lateDays * daySeconds
  // A partial period's tax has odd cents, which do not show its rate.
  const isTold = !life.begins.startsWith('short') || !life.hasInclusiveTax
  const isPossible =
    isTold &&
    life.items.length === 1 &&
    life.trialDays === 0 &&
    (plan.interval === 'month' || plan.interval === 'year') &&
    createdAt + 366 * daySeconds < until
  if (!isPossible || life.begins === 'usual') return { begins: 'usual', createdAt: start, anchor: start }
  if (life.begins.startsWith('short'))
    return { begins: life.begins, createdAt: start, anchor: start + shortDays * daySeconds }
  return { begins: life.begins, createdAt, anchor: start }
}

/** All discounts that the subscription ever had, with the times when they are in force. */
function discountsOf(life: Life, index: number, start: Instant, name: Naming): PaymentDiscount[] {
  return life.coupons.map(({ coupon, month }, place) => {
    const of = couponOf(coupon, life.currency, name)
    const startedAt = monthsLater(start, month)
    const months = of.duration === 'forever' ? null : (of.durationInMonths ?? 1)
    const endsAt = months === null ? null : monthsLater(startedAt, months)
    return discount(of, { id: name('di', index, place), startedAt, endsAt })
  })
}

type Parts = { life: Life; index: number; start: Instant; bills: ItemBills[]; name: Naming }

type Held = Parts & { endedAt: Instant | null; discounts: PaymentDiscount[] } & Beginning

function held(parts: Held): PaymentSubscription {
  const { life, index, start, endedAt, discounts, bills, name, createdAt, anchor } = parts
  const { unbilled, status, asked } = life
  const added = unbilled?.coupon == null ? [] : [unbilled.coupon]
  const items = bills.flatMap(({ itemId, now, periodStart, isGone }, place) => {
    if (isGone) return []
    const plan = planOf(now.plan, { currency: life.currency, place, name })
    const quantity = place === 0 && unbilled ? unbilled.quantity : now.quantity
    const isMetered = plan.usageType === 'metered'
    return [item(plan, isMetered ? null : quantity, { id: itemId, createdAt, periodStart })]
  })
  const isTrialing = status === 'trialing' || start + life.trialDays * daySeconds > asOfInstant
  return subscription(items, {
    id: name('sub', index),
    currency: currencies[life.currency] ?? 'usd',
    createdAt,
    startedAt: start,
    anchorAt: anchor,
    trialStart: life.trialDays > 0 ? start : null,
    trialEnd: isTrialing
      ? asOfInstant + daySeconds
      : life.trialDays > 0
        ? start + life.trialDays * daySeconds
        : null,
    status: endedAt === null ? (isTrialing ? 'trialing' : status) : 'canceled',
    canceledAt:
      endedAt === null ? (asked ? asOfInstant - daySeconds : null) : endedAt - (asked ? 9 * daySeconds : 0),
    cancelAtPeriodEnd: endedAt === null && asked,
    endedAt,
    pausedAt: status === 'paused' ? asOfInstant - 5 * daySeconds : null,
    discounts: [
      ...discounts.filter(
        ({ startedAt, endsAt }) =>
          (startedAt ?? 0) <= asOfInstant && (endsAt === null || endsAt > asOfInstant),
      ),
      ...added.map((each) =>
        discount(couponOf(each, life.currency, name), {
          id: name('di', index, 98),
          startedAt: asOfInstant - halfHourSeconds,
        }),
      ),
    ],
  })
}

function invoicesOf(parts: Parts & { discounts: PaymentDiscount[] }): PaymentInvoice[] {
  const { life, index, start, discounts, bills, name } = parts
  const lines = bills.flatMap((each) => each.lines)
  if (life.trialDays > 0 || life.hasSetupFee)
    lines.unshift(...firstLines({ life, index, start, bills, name }))
  const byInstant = [...Map.groupBy(lines, ({ billedAt }) => billedAt)].sort(([a], [b]) => a - b)
  return byInstant.map(([at, billed], place) => {
    const status = statusOf(life, { place, count: byInstant.length, at })
    const own = billed.map((each, lineNo) => ({ ...each.line, id: name('il', index, place, lineNo) }))
    const total = own.reduce((sum, { discountCents }) => sum + discountCents, 0)
    const isBare = life.discountsOn === 'invoice'
    return invoice(new Date(at * 1000).toISOString(), isBare ? own.map(withoutDiscount) : own, {
      id: name('in', index, place),
      subscriptionId: name('sub', index),
      currency: currencies[life.currency] ?? 'usd',
      status,
      uncollectibleAt: status === 'uncollectible' ? at + giveUpSeconds : null,
      totalDiscountCents: total,
      discounts: discounts.filter(({ startedAt }) => (startedAt ?? 0) <= at),
    })
  })
}

type Billed = { place: number; count: number; at: Instant }

function statusOf({ invoices }: Life, { place, count, at }: Billed): string {
  // An invoice that is given up later is still open.
  if (invoices === 'some given up' && place % 2 === 1)
    return at + giveUpSeconds <= asOfInstant ? 'uncollectible' : 'open'
  if (invoices === 'some open' && place % 2 === 1) return 'open'
  if (place < count - 1) return 'paid'
  return invoices === 'last draft' ? 'draft' : invoices === 'last void' ? 'void' : 'paid'
}

function withoutDiscount(of: PaymentInvoice['lines'][number]): PaymentInvoice['lines'][number] {
  return { ...of, discountCents: 0, discounts: [] }
}

/** Lines of the first invoice only: the trial at 0, and a one-time fee. */
function firstLines({ life, index, start, bills, name }: Parts): ItemBills['lines'] {
  const plan = planOf(life.items[0]?.plan ?? 0, { currency: life.currency, place: 0, name })
  const from = new Date(start * 1000).toISOString()
  const to = new Date((start + life.trialDays * daySeconds) * 1000).toISOString()
  const ids = { subscriptionId: name('sub', index) }
  const trial = line(plan, life.items[0]?.quantity ?? 1, {
    ...ids,
    from,
    to,
    subscriptionItemId: bills[0]?.itemId ?? null,
    amountCents: 0,
  })
  const fee = line(plan, 1, {
    ...ids,
    from,
    to: from,
    subscriptionItemId: null,
    priceId: null,
    productId: null,
    amountCents: 4900,
    isSubscriptionItem: false,
  })
  return [...(life.trialDays > 0 ? [trial] : []), ...(life.hasSetupFee ? [fee] : [])].map((each) => ({
    billedAt: start,
    line: each,
  }))
}
