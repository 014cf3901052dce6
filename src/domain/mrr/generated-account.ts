/** Accounts with their invoices, made from what happened; imported by tests only. */
import type { InvoiceLine, PaymentInvoice, PaymentPrice, PaymentSubscription } from '../payments.ts'
import { invoice, item, line, on, price, subscription } from './examples.ts'
import { monthsLater } from './interval.ts'

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
]

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
}

/** The account of one customer whose subscriptions lived so. */
export function accountOfLives(lives: readonly Life[]): GeneratedAccount {
  const made = lives.map((each, index) => live(each, index))
  return {
    subscriptions: made.map((one) => one.subscription),
    invoices: made.flatMap((one) => one.invoices),
    prices: [...plans],
    asOf: '2025-02-10',
  }
}

const midMonthSeconds = 15 * 86_400

function live({ startMonth, changes, endMonth, asked, status }: Life, index: number) {
  const ids = { subscriptionId: `sub_${index}`, subscriptionItemId: `si_${index}` }
  const start = monthsLater(on('2023-01-01'), startMonth) + index
  const byMonth = [...changes].sort((a, b) => a.month - b.month)
  const invoices: PaymentInvoice[] = []
  let now: Change = byMonth[0] ?? { month: 0, plan: 1, quantity: 1, isProrated: false, offPercent: 0 }
  const lastMonth = endMonth ?? 13
  for (let month = 0; month < lastMonth; month++) {
    const from = monthsLater(start, month)
    const lines = [billed(now, from, ids)]
    for (const next of byMonth.filter((candidate) => candidate.month === month && candidate !== now)) {
      if (next.isProrated) lines.push(...switched(now, next, from, ids))
      now = next
    }
    const day = new Date(from * 1000).toISOString()
    invoices.push(invoice(day, lines, { id: `in_${index}_${month}`, subscriptionId: ids.subscriptionId }))
  }
  const endedAt = endMonth === null ? null : monthsLater(start, endMonth)
  const plan = planOf(now)
  const held = subscription(
    [
      item(plan, now.quantity, {
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
    },
  )
  return { subscription: held, invoices }
}

function planOf({ plan }: Change): PaymentPrice {
  return plans[plan] ?? price('basic', 999)
}

type Ids = { subscriptionId: string; subscriptionItemId: string }

function billed(now: Change, from: number, ids: Ids): InvoiceLine {
  const plan = planOf(now)
  const made = line(plan, now.quantity, { from: new Date(from * 1000).toISOString(), ...ids })
  const amountCents = Math.round(made.amountCents * (now.offPercent / 100))
  if (amountCents === 0) return made
  return { ...made, discountCents: amountCents, discounts: [{ id: `di_${now.offPercent}`, amountCents }] }
}

function switched(before: Change, after: Change, from: number, ids: Ids): InvoiceLine[] {
  const half = (of: Change): number => Math.round(Number(planOf(of).unitAmountDecimal) * of.quantity * 0.5)
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
