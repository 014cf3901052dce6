/** Accounts with their invoices, made from what happened; imported by tests only. */
import type {
  InvoiceLine,
  PaymentDiscount,
  PaymentInvoice,
  PaymentPrice,
  PaymentSubscription,
} from '../payments.ts'
import { coupon, discount, invoice, item, line, on, price, subscription } from './examples.ts'
import { monthsLater } from './interval.ts'
import { amountAtQuantity } from './price-amount.ts'
import { roundHalfUp, zero } from './rational.ts'

export type GeneratedAccount = {
  subscriptions: PaymentSubscription[]
  invoices: PaymentInvoice[]
  prices: PaymentPrice[]
  asOf: string
}

export const plans: readonly PaymentPrice[] = [
  price('basic', 999),
  price('pro', 2500),
  price('year', 10_000, 'year'),
  price('quarter', '3333.5', '3 month'),
  price('week', 700, 'week'),
  price('free', 0),
  price('package', 1200, 'month', { transformQuantity: { divideBy: 5, round: 'up' } }),
  price('volume', null, '6 month', {
    billingScheme: 'tiered',
    tiersMode: 'volume',
    tiers: [
      { upTo: 10, unitAmountDecimal: '900', flatAmountDecimal: '100' },
      { upTo: null, unitAmountDecimal: '750.25', flatAmountDecimal: null },
    ],
  }),
]

/** Of `plans` those whose amount is unit amount x quantity. */
export const linearPlans = 6

export type Change = {
  month: number
  plan: number
  quantity: number
  isProrated: boolean
  offPercent: number
}
export type Life = {
  startMonth: number
  changes: Change[]
  endMonth: number | null
  asked: boolean
  status: string
  isTaxed: boolean
  /** What the subscription says and no invoice does: its seats now, and a coupon put on a day before. */
  unbilled: { quantity: number; offPercent: number } | null
}

/** What a life without any begins with. */
export const firstChange: Change = { month: 0, plan: 1, quantity: 1, isProrated: false, offPercent: 0 }

/** The account of one customer whose subscriptions lived so; `mark` goes into every id. */
export function accountOfLives(lives: readonly Life[], mark = ''): GeneratedAccount {
  const made = lives.map((each, index) => live(each, index, mark))
  return {
    subscriptions: made.map((one) => one.subscription),
    invoices: made.flatMap((one) => one.invoices),
    prices: [...plans],
    asOf: '2025-02-10',
  }
}

const midMonthSeconds = 15 * 86_400

function live(
  { startMonth, changes, endMonth, asked, status, isTaxed, unbilled }: Life,
  index: number,
  mark: string,
) {
  const ids = { subscriptionId: `sub_${mark}${index}`, subscriptionItemId: `si_${mark}${index}` }
  const start = monthsLater(on('2023-01-01'), startMonth) + index
  const byMonth = [...changes].sort((a, b) => a.month - b.month)
  const invoices: PaymentInvoice[] = []
  let now: Change = byMonth[0] ?? firstChange
  const lastMonth = endMonth ?? 13
  for (let month = 0; month < lastMonth; month++) {
    const from = monthsLater(start, month)
    const lines = [billed(now, from, ids, isTaxed)]
    for (const next of byMonth.filter((candidate) => candidate.month === month && candidate !== now)) {
      if (next.isProrated) lines.push(...switched(now, next, from, ids))
      now = next
    }
    const day = new Date(from * 1000).toISOString()
    invoices.push(
      invoice(day, lines, { id: `in_${mark}${index}_${month}`, subscriptionId: ids.subscriptionId }),
    )
  }
  const endedAt = endMonth === null ? null : monthsLater(start, endMonth)
  const plan = planOf(now)
  const held = subscription(
    [
      item(plan, unbilled?.quantity ?? now.quantity, {
        id: ids.subscriptionItemId,
        periodStart: monthsLater(start, lastMonth - 1),
      }),
    ],
    {
      id: ids.subscriptionId,
      createdAt: start,
      status: endedAt === null ? status : 'canceled',
      canceledAt: endedAt === null ? null : endedAt - (asked ? midMonthSeconds : 0),
      endedAt,
      discounts: unbilled && unbilled.offPercent > 0 ? [justAdded(unbilled.offPercent, index)] : [],
    },
  )
  return { subscription: held, invoices }
}

function planOf({ plan }: Change): PaymentPrice {
  return plans[plan] ?? price('basic', 999)
}

type Ids = { subscriptionId: string; subscriptionItemId: string }

function justAdded(percentOff: number, index: number): PaymentDiscount {
  const of = coupon(`added_${percentOff}`, { percentOff })
  return discount(of, { id: `di_added_${index}`, startedAt: on('2025-02-09') })
}

function amountOf({ quantity, ...change }: Change): number {
  return roundHalfUp(amountAtQuantity(planOf({ quantity, ...change }), quantity) ?? zero)
}

function billed(now: Change, from: number, ids: Ids, isTaxed: boolean): InvoiceLine {
  const made = {
    ...line(planOf(now), now.quantity, { from: new Date(from * 1000).toISOString(), ...ids }),
    amountCents: amountOf(now),
  }
  const off = Math.round(made.amountCents * (now.offPercent / 100))
  const inclusiveTaxCents = isTaxed ? Math.round(((made.amountCents - off) * 19) / 119) : 0
  if (off === 0) return { ...made, inclusiveTaxCents }
  const discounts = [{ id: `di_${now.offPercent}`, amountCents: off }]
  return { ...made, inclusiveTaxCents, discountCents: off, discounts }
}

function switched(before: Change, after: Change, from: number, ids: Ids): InvoiceLine[] {
  const half = (of: Change): number => Math.round(amountOf(of) * 0.5)
  const options = { ...ids, isProration: true, isDiscountable: false }
  const period = {
    from: new Date((from + midMonthSeconds) * 1000).toISOString(),
    to: new Date(monthsLater(from, 1) * 1000).toISOString(),
  }
  return [
    line(planOf(before), before.quantity, {
      ...period,
      ...options,
      amountCents: -half(before),
      isCredit: true,
    }),
    line(planOf(after), after.quantity, { ...period, ...options, amountCents: half(after) }),
  ]
}
