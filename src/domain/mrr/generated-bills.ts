/** What one item of a generated subscription was billed; imported by tests only. */
import type { Instant } from '../instant.ts'
import type { InvoiceLine, PaymentDiscount, PaymentPrice } from '../payments.ts'
import { appliesTo } from './coupon.ts'
import { line } from './examples.ts'
import { type Naming, planOf, type Seller } from './generated-plans.ts'
import { periodsLater } from './interval.ts'
import { amountAtQuantity } from './price-amount.ts'
import { roundHalfUp, zero } from './rational.ts'

export type Terms = { plan: number; quantity: number }

export type ItemLife = Terms & {
  /** What happens in the period of that number, billed in the middle of it or with the next one. */
  changes: (Terms & { period: number; isProrated: boolean })[]
  /** The period in which the item goes, with a credit or without any line. */
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
  /** Older invoices name their discount only as a whole. */
  discountsOn: 'lines' | 'invoice'
  trialDays: number
  hasInclusiveTax: boolean
  hasSetupFee: boolean
  /** Prorations of the older billing mode name the price and no item. */
  hasBareProrations: boolean
  invoices: 'all paid' | 'some given up' | 'some open' | 'last draft' | 'last void'
  /** What the subscription says and no invoice does: seats of its first item, and a coupon just put on. */
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
}

const periodsMax = 9

function sellerOf({ life, place, name }: Setting): Seller {
  return { currency: life.currency, place, name }
}

export function billsOfItem(own: ItemLife, setting: Setting): ItemBills {
  const { life, index, place, billedFrom, until, name } = setting
  const itemId = name('si', index, place)
  const lines: ItemBills['lines'] = []
  let now: Terms = own
  let from = billedFrom
  let periodStart = billedFrom
  let isGone = false
  for (let period = 0; period < periodsMax && from < until && !isGone; period++) {
    const plan = planOf(now.plan, { currency: life.currency, place, name })
    const to = periodsLater(from, { interval: plan.interval ?? 'month', count: plan.intervalCount })
    const middle = from + Math.floor((to - from) / 2)
    periodStart = from
    lines.push(...wholePeriod(now, from, to, itemId, setting).map((each) => ({ billedAt: from, line: each })))
    for (const next of own.changes.filter((change) => change.period === period)) {
      if (next.isProrated && middle < until) {
        lines.push(credit(now, middle, to, itemId, setting), debit(next, middle, to, itemId, setting))
      }
      if (next.isProrated ? middle < until : to < until) now = next
    }
    if (own.gone?.period === period && middle < until) {
      isGone = true
      if (own.gone.isCredited) lines.push(credit(now, middle, to, itemId, setting))
    }
    from = to
  }
  return { itemId, lines, now, periodStart, isGone }
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

/** One line, or one for each tier that graduated units fall into. */
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

/** Half of what a whole period costs after discounts, as prorations that include the discount write it. */
function halfPeriod(of: Terms, from: Instant, to: Instant, itemId: string, setting: Setting): InvoiceLine {
  const plan = planOf(of.plan, sellerOf(setting))
  const gross = amountOf(plan, of.quantity)
  const whole = discounted(line(plan, of.quantity, { from: '2024-01-01', amountCents: gross }), from, setting)
  return taxed(
    line(plan, of.quantity, {
      from: new Date(from * 1000).toISOString(),
      to: new Date(to * 1000).toISOString(),
      subscriptionId: setting.name('sub', setting.index),
      subscriptionItemId: setting.life.hasBareProrations ? null : itemId,
      amountCents: Math.round((gross - whole.discountCents) / 2),
      isProration: true,
      isDiscountable: false,
    }),
    setting,
  )
}

function credit(
  of: Terms,
  from: Instant,
  to: Instant,
  itemId: string,
  setting: Setting,
): ItemBills['lines'][number] {
  const half = halfPeriod(of, from, to, itemId, setting)
  const amountCents = half.amountCents === 0 ? 0 : -half.amountCents
  return { billedAt: from, line: { ...half, amountCents, inclusiveTaxCents: 0, isCredit: true } }
}

function debit(
  of: Terms,
  from: Instant,
  to: Instant,
  itemId: string,
  setting: Setting,
): ItemBills['lines'][number] {
  return { billedAt: from, line: halfPeriod(of, from, to, itemId, setting) }
}
