/** The charges for one item of a generated subscription. */
import type { Instant } from '#domain/instant.ts'
import { type Cadence, periodsLater } from '#domain/mrr/exact/interval.ts'
import { roundHalfUp, zero } from '#domain/mrr/exact/rational.ts'
import { amountAtQuantity } from '#domain/mrr/prices/price-amount.ts'
import { appliesTo } from '#domain/mrr/terms/discounts/coupon.ts'
import type { InvoiceLine, PaymentDiscount, PaymentPrice } from '#domain/payments.ts'
import { line } from './examples.ts'
import { type Naming, planOf, type Seller } from './generated-plans.ts'

export type Terms = { plan: number; quantity: number }

export type ItemLife = Terms & {
  /** Changes inside the period of that number, billed in the middle of it or with the next one. */
  changes: (Terms & { period: number; isProrated: boolean })[]
  /** The period in which the item ends, with a credit or without any line. */
  gone: { period: number; isCredited: boolean } | null
}

export type Life = {
  /** Index into the currencies. */
  currency: number
  startMonth: number
  endMonth: number | null
  asked: boolean
  status: string
  items: ItemLife[]
  coupons: { coupon: number; month: number }[]
  /** Older invoices state their discount only as a whole. */
  discountsOn: 'lines' | 'invoice'
  trialDays: number
  /** Only for a single item; with a trial, or an early end, it is as usual. */
  begins: 'usual' | 'short, prorated' | 'short, ordinary' | 'moved here' | 'backdated'
  hasInclusiveTax: boolean
  hasSetupFee: boolean
  /** Prorations of the older billing mode name the price and no item. */
  hasBareProrations: boolean
  /** Texts are arbitrary, and older credits do not name the line that they credit. */
  hasOwnWords: boolean
  invoices: 'all paid' | 'some given up' | 'some open' | 'last draft' | 'last void'
  /** Facts that the subscription shows and no invoice does: seats of its first item, and a new coupon. */
  unbilled: { quantity: number; coupon: number | null } | null
}

export type ItemBills = {
  itemId: string
  lines: { billedAt: Instant; line: InvoiceLine }[]
  now: Terms
  periodStart: Instant
  isGone: boolean
}

type Setting = {
  life: Life
  index: number
  place: number
  billedFrom: Instant
  until: Instant
  discounts: readonly PaymentDiscount[]
  name: Naming
  /** When the subscription was created, and the day that sets its billing days. */
  createdAt: Instant
  anchor: Instant
}

const periodsMax = 9

function sellerOf({ life, place, name }: Setting): Seller {
  return { currency: life.currency, place, name }
}

export function billsOfItem(own: ItemLife, setting: Setting): ItemBills {
  const { life, index, place, billedFrom, until, name, createdAt, anchor } = setting
  const itemId = name('si', index, place)
  const lines: ItemBills['lines'] = []
  let now: Terms = own
  let from = billedFrom
  let periodStart = billedFrom
  let isGone = false
  if (life.begins.startsWith('short') && anchor > billedFrom) {
    lines.push(...shortPeriod(now, itemId, setting).map((each) => ({ billedAt: billedFrom, line: each })))
    from = anchor
  }
  for (let period = 0; period < periodsMax && from < until && !isGone; period++) {
    const plan = planOf(now.plan, { currency: life.currency, place, name })
    const to = periodsLater(from, cadenceOf(plan))
    const middle = from + Math.floor((to - from) / 2)
    const isChangeable = middle < until && middle >= createdAt
    periodStart = from
    lines.push(...wholePeriod(now, from, to, itemId, setting).map((each) => ({ billedAt: from, line: each })))
    for (const next of own.changes.filter((change) => change.period === period)) {
      if (next.isProrated && isChangeable) {
        lines.push(...credits(now, middle, to, itemId, setting), ...debits(next, middle, to, itemId, setting))
      }
      if (next.isProrated ? isChangeable : to < until && to >= createdAt) now = next
    }
    if (own.gone?.period === period && isChangeable) {
      isGone = true
      if (own.gone.isCredited) lines.push(...credits(now, middle, to, itemId, setting))
    }
    from = to
  }
  return { itemId, lines: billedLate(lines, setting), now, periodStart, isGone }
}

/** The time before a subscription's creation is billed afterwards, or never if it moved from another system. */
function billedLate(lines: ItemBills['lines'], { life, createdAt }: Setting): ItemBills['lines'] {
  if (life.begins === 'moved here') return lines.filter(({ billedAt }) => billedAt >= createdAt)
  return lines.map(({ billedAt, line: each }) => ({ billedAt: Math.max(billedAt, createdAt), line: each }))
}

function cadenceOf({ interval, intervalCount: count }: PaymentPrice): Cadence {
  return { interval: interval ?? 'month', count }
}

/** The part of a period before the anchor. */
function shortPeriod(of: Terms, itemId: string, setting: Setting): InvoiceLine[] {
  const { life, anchor, billedFrom } = setting
  const start = periodsLater(anchor, cadenceOf(planOf(of.plan, sellerOf(setting))), -1)
  const share = (anchor - billedFrom) / (anchor - start)
  return partOfPeriod(of, share, { from: billedFrom, to: anchor }, itemId, setting).map((each) =>
    life.begins === 'short, prorated' ? each : { ...each, isProration: false, isDiscountable: true },
  )
}

function wholePeriod(
  now: Terms,
  from: Instant,
  to: Instant,
  itemId: string,
  setting: Setting,
): InvoiceLine[] {
  const plan = planOf(now.plan, sellerOf(setting))
  const period = { from: new Date(from * 1000).toISOString(), to: new Date(to * 1000).toISOString() }
  const ids = { subscriptionId: setting.name('sub', setting.index), subscriptionItemId: itemId }
  return partsOf(plan, now.quantity).map(({ quantity, cents }) => {
    const made = line(plan, quantity, { ...period, ...ids, amountCents: cents })
    return taxed(discounted(made, from, setting), setting)
  })
}

/** One line, or one for each tier that graduated units reach. */
function partsOf(plan: PaymentPrice, quantity: number): { quantity: number; cents: number }[] {
  const cents = amountOf(plan, quantity)
  const [low] = plan.tiers ?? []
  const bound = low?.upTo ?? 0
  if (plan.tiersMode !== 'graduated' || quantity <= bound) return [{ quantity, cents }]
  const below = amountOf(plan, bound)
  return [
    { quantity: bound, cents: below },
    { quantity: quantity - bound, cents: cents - below },
  ]
}

function amountOf(plan: PaymentPrice, quantity: number): number {
  return roundHalfUp(amountAtQuantity(plan, quantity) ?? zero)
}

function discounted(of: InvoiceLine, at: Instant, { discounts }: Setting): InvoiceLine {
  let left = of.amountCents
  const taken: InvoiceLine['discounts'] = []
  for (const { id, coupon, startedAt, endsAt } of discounts) {
    const isInForce = (startedAt ?? 0) <= at && (endsAt === null || at < endsAt)
    if (!isInForce || !coupon || !appliesTo(coupon, of.productId)) continue
    const amountCents =
      coupon.percentOff === null
        ? Math.min(left, coupon.amountOffCents ?? 0)
        : Math.round((left * coupon.percentOff) / 100)
    left -= amountCents
    taken.push({ id, amountCents })
  }
  return { ...of, discounts: taken, discountCents: of.amountCents - left }
}

function taxed(of: InvoiceLine, { life }: Setting): InvoiceLine {
  const net = of.amountCents - of.discountCents
  return life.hasInclusiveTax ? { ...of, inclusiveTaxCents: Math.round((net * 19) / 119) } : of
}

/** A share of a whole period's discounted cost, as prorations that include the discount state it, tier by tier. */
function partOfPeriod(
  of: Terms,
  share: number,
  { from, to }: { from: Instant; to: Instant },
  itemId: string,
  setting: Setting,
): InvoiceLine[] {
  const plan = planOf(of.plan, sellerOf(setting))
  return partsOf(plan, of.quantity).map(({ quantity, cents }) => {
    const gross = line(plan, quantity, { from: '2024-01-01', amountCents: cents })
    const whole = discounted(gross, from, setting)
    return taxed(
      line(plan, quantity, {
        from: new Date(from * 1000).toISOString(),
        to: new Date(to * 1000).toISOString(),
        subscriptionId: setting.name('sub', setting.index),
        subscriptionItemId: setting.life.hasBareProrations ? null : itemId,
        amountCents: Math.floor((cents - whole.discountCents) * share),
        isProration: true,
        isDiscountable: false,
      }),
      setting,
    )
  })
}

function credits(
  of: Terms,
  from: Instant,
  to: Instant,
  itemId: string,
  setting: Setting,
): ItemBills['lines'] {
  return debits(of, from, to, itemId, setting).map(({ billedAt, line: { amountCents, ...half } }) => {
    const isNamed = !setting.life.hasOwnWords
    const back = amountCents === 0 ? 0 : -amountCents
    return {
      billedAt,
      line: { ...half, amountCents: back, inclusiveTaxCents: 0, ...(isNamed && { isCredit: true }) },
    }
  })
}

function debits(of: Terms, from: Instant, to: Instant, itemId: string, setting: Setting): ItemBills['lines'] {
  return partOfPeriod(of, 1 / 2, { from, to }, itemId, setting).map((each) => ({
    billedAt: from,
    line: each,
  }))
}
