// The movements of accounts that published reports are about, held against what the definitions of these reports give.
// docs/mrr.md lists where the definitions differ.

import { describe, expect, test } from 'vitest'
import { coupon, discount, price, rebuild } from '#test/mrr/examples.ts'
import { type BilledDay, type Lived, lived } from '#test/mrr/published/lived.ts'
import { playbookCustomers, playbookMonths } from '#test/mrr/published/playbook.ts'
import { lastDayOf, monthOfInstant, monthsBetween } from '../month.ts'
import { type Movement, movements, periodsOf } from '../movement.ts'
import type { MrrPolicy } from './exact/policy.ts'

type Figures = Record<Movement, number> & { end: number }

/** The movements of each month over all customers, in dollars, as MRR Analytics adds them up. */
function monthsOf(
  customers: readonly (readonly Lived[])[],
  { from, to }: { from: string; to: string },
  policy: Partial<MrrPolicy> = {},
): Map<string, Figures> {
  const rows = customers.flatMap((own) => {
    const subscriptions = own.map(({ subscription }) => subscription)
    const invoices = own.flatMap((each) => each.invoices)
    const { events } = rebuild({ subscriptions, invoices, policy, asOf: `${to}-20` })
    return events.flatMap(({ mrrStatus, mrrChangeCents, occurredAt }) => {
      const movement = movements.find((one) => one === mrrStatus)
      const month = monthOfInstant(occurredAt)
      if (movement === undefined) return []
      return [{ month, movement, change: mrrChangeCents / 100, events: 1, subscriptions: 0 }]
    })
  })
  const days = { from: `${from}-01`, to: lastDayOf(to) }
  return new Map(
    periodsOf(rows, days, 'month', days.to).map(({ name, moves, end }) => {
      const [fresh = 0, reactivation = 0, upgrade = 0, downgrade = 0, churn = 0] = moves.map(
        ({ change }) => change,
      )
      return [
        name,
        { New: fresh, Reactivation: reactivation, Upgrade: upgrade, Downgrade: downgrade, Churn: churn, end },
      ]
    }),
  )
}

/** Months with what moved in them; the others moved nothing. */
function told(months: readonly string[], moved: Record<string, Partial<Figures>>): Map<string, Figures> {
  const still = { New: 0, Reactivation: 0, Upgrade: 0, Downgrade: 0, Churn: 0 }
  let end = 0
  return new Map(
    months.map((month) => {
      const own = { ...still, ...moved[month] }
      end += own.New + own.Reactivation + own.Upgrade + own.Downgrade + own.Churn
      return [month, { ...own, end }]
    }),
  )
}

const day = (month: string) => `${month}-01`

describe("dbt-labs' MRR playbook", () => {
  const span = { from: '2017-09', to: '2020-02' }
  const published = new Map(
    playbookMonths.map(([month, fresh, reactivation, upgrade, downgrade, churn, end]) => [
      month,
      { New: fresh, Reactivation: reactivation, Upgrade: upgrade, Downgrade: downgrade, Churn: churn, end },
    ]),
  )
  const periodsOfCustomer = (text: string) =>
    text.split(', ').map((each) => {
      const [days = '', dollars = ''] = each.split(' ')
      const [from = '', end = ''] = days.split('/')
      const of = price(`plan_${dollars}`, Number(dollars) * 100)
      const months = monthsBetween(from, end).slice(0, -1)
      return { from, end, billings: months.map((month): BilledDay => [day(month), [of, 1]]) }
    })

  test('gives the same movements in each of its 30 months, where a change of plan keeps the subscription', () => {
    const customers = playbookCustomers.map((text) => {
      const runs: { end: string; billings: BilledDay[] }[] = []
      for (const { from, end, billings } of periodsOfCustomer(text)) {
        const last = runs.at(-1)
        if (last?.end === from) Object.assign(last, { end, billings: [...last.billings, ...billings] })
        else runs.push({ end, billings })
      }
      return runs.map(({ end, billings }, index) => lived(`sub_${index}`, billings, day(end)))
    })
    expect(customers).toHaveLength(55)
    expect(monthsOf(customers, span)).toEqual(published)
  })

  test('gives the same New and MRR where each change of plan is a new subscription, which came back', () => {
    const customers = playbookCustomers.map((text) =>
      periodsOfCustomer(text).map(({ end, billings }, index) => lived(`sub_${index}`, billings, day(end))),
    )
    const found = [...monthsOf(customers, span)]
    expect(found.map(([month, { New, end }]) => [month, New, end])).toEqual(
      [...published].map(([month, { New, end }]) => [month, New, end]),
    )
    expect(found.every(([, { Upgrade, Downgrade }]) => Upgrade === 0 && Downgrade === 0)).toBe(true)
  })
})

describe("Fivetran's dbt_stripe", () => {
  const months = monthsBetween('2025-01', '2025-12')
  const span = { from: '2025-01', to: '2025-12' }
  const billed = (from: string, to: string, ...charges: BilledDay[1][]): BilledDay[] =>
    monthsBetween(from, to).map((month): BilledDay => [day(month), ...charges])
  const seat = price('seat', 4_000)
  const [base, extra] = [price('base', 10_000), price('extra', 5_000)]
  const quarterly = price('quarterly', 9_000, '3 month')
  const weekly = price('weekly', 1_200, 'week')
  const off = { discounts: [{ id: 'di_half', amountCents: 1_800 }] }
  const weeks = ['03-01', '03-08', '03-15', '03-22', '03-29'].map((each) => `2025-${each}`)
  const alder = [
    lived(
      'sub_alder',
      [
        ...billed('2025-01', '2025-02', [seat, 2]),
        ...billed('2025-03', '2025-04', [seat, 3]),
        ...billed('2025-05', '2025-06', [seat, 1]),
      ],
      '2025-07-01',
    ),
    lived('sub_back', billed('2025-10', '2025-12', [seat, 1])),
  ]
  const birch = [
    lived('sub_birch', [
      ...billed('2025-02', '2025-03', [base, 1], [extra, 1]),
      ...billed('2025-04', '2025-12', [base, 1]),
    ]),
  ]
  const cedar = [
    lived('sub_cedar', [
      ['2025-01-01', [quarterly, 1, off]],
      ['2025-04-01', [quarterly, 1, off]],
      ['2025-07-01', [quarterly, 1]],
      ['2025-10-01', [quarterly, 1]],
    ]),
  ]
  const dogwood = [lived('sub_dogwood', [['2025-03-01', [price('yearly', 120_000, 'year'), 1]]])]
  const elm = [
    lived('sub_elm', billed('2025-02', '2025-12', [price('monthly', 6_000), 1])),
    lived(
      'sub_second',
      weeks.map((from): BilledDay => [from, [weekly, 1]]),
      '2025-04-05',
    ),
  ]
  const customers = [alder, birch, cedar, dogwood, elm]

  /**
   * By stripe__subscription_item_mrr_report and stripe__customer_mrr_analysis (github.com/fivetran/dbt_stripe), worked out
   * by hand: billed MRR, a year as 12 months, a week as 12/52, each customer's month against the one before.
   */
  const published = told(months, {
    // Alder's 2 seats, and Cedar's $30 less 20%.
    '2025-01': { New: 80 + 24 },
    // Birch's two items, and Elm.
    '2025-02': { New: 150 + 60 },
    // Dogwood's year; Alder's third seat, and Elm's $12 a week.
    '2025-03': { New: 100, Upgrade: 40 + 52 },
    // Birch's second item, and Elm's second subscription.
    '2025-04': { Downgrade: -50 - 52 },
    '2025-05': { Downgrade: -80 },
    // Cedar's coupon ends; Alder leaves.
    '2025-07': { Upgrade: 6, Churn: -40 },
    // A return by its definition, though its query asks for expansion first and so calls this one that.
    '2025-10': { Reactivation: 40 },
  })

  test('gives the same movements, where a further subscription of a customer is a movement', () => {
    expect(monthsOf(customers, span, { furtherSubscription: 'movement' })).toEqual(published)
  })

  test('has as expansion and contraction what by default is New and Churn of the further subscription', () => {
    const found = monthsOf(customers, span)
    expect(found.get('2025-03')).toMatchObject({ New: 100 + 52, Upgrade: 40 })
    expect(found.get('2025-04')).toMatchObject({ Downgrade: -50, Churn: -52 })
    const others = (all: Map<string, Figures>) =>
      [...all].filter(([month]) => month !== '2025-03' && month !== '2025-04')
    expect(others(found)).toEqual(others(published))
  })
})

test('a fall to $0 is a churn in both reports; here only if it lasts, and a free month is Downgrade and Upgrade', () => {
  const plan = price('plan', 5_000)
  const whole = discount(coupon('free', { percentOff: 100, duration: 'once' }), { id: 'di_free' })
  const january = (['2025-01', '2025-02', '2025-03'] as const).map(
    (month): BilledDay => [day(month), [plan, 1]],
  )
  const free: BilledDay = ['2025-04-01', [plan, 1, { discounts: [{ id: 'di_free', amountCents: 5_000 }] }]]
  const fir = lived('sub_fir', [...january, free, ['2025-05-01', [plan, 1]]])
  const withCoupon = fir.invoices.map((each) =>
    each.totalDiscountCents > 0 ? { ...each, discounts: [whole] } : each,
  )
  const gum = lived('sub_gum', [
    ...january,
    ['2025-04-01', [price('none', 0), 1]],
    ['2025-05-01', [price('none', 0), 1]],
  ])
  const months = monthsBetween('2025-01', '2025-05')
  const span = { from: '2025-01', to: '2025-05' }
  expect(monthsOf([[{ ...fir, invoices: withCoupon }]], span)).toEqual(
    told(months, { '2025-01': { New: 50 }, '2025-04': { Downgrade: -50 }, '2025-05': { Upgrade: 50 } }),
  )
  expect(monthsOf([[gum]], span)).toEqual(told(months, { '2025-01': { New: 50 }, '2025-04': { Churn: -50 } }))
})
