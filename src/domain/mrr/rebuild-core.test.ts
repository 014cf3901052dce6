import { describe, expect, test } from 'vitest'
import {
  invoice,
  item,
  ledger,
  line,
  on,
  price,
  prorations,
  rebuild,
  renewals,
  subscription,
} from './examples.ts'

const pro = price('pro', 2000)

describe('intervals', () => {
  test.each([
    ['R1 year: 10,000 a year is 833', 10_000, 'year', 833],
    ['R1 quarter: 3,000 a quarter is 1,000', 3_000, '3 month', 1_000],
    ['R1 half year', 60_000, '6 month', 10_000],
    ['R1 two years', 24_000, '2 year', 1_000],
    ['R2 week x 52/12: 1,000 a week is 4,333', 1_000, 'week', 4_333],
    ['R2 two weeks', 1_000, '2 week', 2_167],
    ['R2 day x 365/12: 100 a day is 3,042', 100, 'day', 3_042],
    ['R28 half a cent goes up: 6 cents a year', 6, 'year', 1],
  ])('%s', (_, unit, every, mrrCents) => {
    const plan = price('p', unit, every)
    const account = {
      subscriptions: [subscription([item(plan)])],
      invoices: renewals(plan, 1, ['2025-01-01']),
      asOf: '2025-01-02',
    }
    expect(ledger(account)).toEqual([`2025-01-01 New/new_subscription 0>${mrrCents} q0>1`])
    expect(rebuild(account).subscriptions[0]?.currentMrrCents).toBe(mrrCents)
  })

  test('R27 28, 29 and 31 day months give the same MRR, so renewals are silent (R20)', () => {
    const invoices = renewals(pro, 1, ['2024-01-31', '2024-02-29', '2024-03-31', '2024-04-30'])
    expect(ledger({ subscriptions: [subscription([item(pro)])], invoices, asOf: '2024-05-02' })).toEqual([
      '2024-01-31 New/new_subscription 0>2000 q0>1',
    ])
  })

  test('R20 a missing invoice carries the last value on', () => {
    const invoices = renewals(pro, 1, ['2025-01-01', '2025-04-01'])
    expect(ledger({ subscriptions: [subscription([item(pro)])], invoices, asOf: '2025-05-01' })).toHaveLength(
      1,
    )
  })

  test('R28 items are summed before they are rounded once', () => {
    const third = price('third', 4, 'year')
    const lines = ['a', 'b', 'c'].map((key) =>
      line(third, 1, { from: '2025-01-01', subscriptionItemId: key, priceId: `third_${key}` }),
    )
    const items = ['a', 'b', 'c'].map((id) => item({ ...third, id: `third_${id}` }, 1, { id }))
    const account = {
      subscriptions: [subscription(items)],
      invoices: [invoice('2025-01-01', lines)],
      asOf: '2025-01-02',
    }
    expect(rebuild(account).subscriptions[0]?.currentMrrCents).toBe(1)
  })
})

describe('changes inside a period', () => {
  const seats = price('seat', 1000)
  const first = renewals(seats, 10, ['2025-01-01'])

  test('R12 a seat added in mid-month counts in full from the line’s start, not from the invoice', () => {
    const change = prorations(
      { of: seats, quantity: 10, amountCents: 5000 },
      { of: seats, quantity: 11, amountCents: 5500 },
      { from: '2025-01-16', to: '2025-02-01' },
    )
    const renewal = invoice('2025-02-01', [...change, line(seats, 11, { from: '2025-02-01' })])
    expect(
      ledger({
        subscriptions: [subscription([item(seats, 11)])],
        invoices: [...first, renewal],
        asOf: '2025-02-02',
      }),
    ).toEqual([
      '2025-01-01 New/new_subscription 0>10000 q0>10',
      '2025-01-16 Upgrade/quantity_change 10000>11000 q10>11',
    ])
  })

  test('R12 Stripe’s 10 to 20 example (-500, +1,000, renewal 2,000) is one change of 1,000', () => {
    const [ten, twenty] = [price('ten', 1000), price('twenty', 2000)]
    const change = prorations(
      { of: ten, quantity: 1, amountCents: 500 },
      { of: twenty, quantity: 1, amountCents: 1000 },
      { from: '2025-04-16', to: '2025-05-01' },
    )
    const invoices = [
      ...renewals(ten, 1, ['2025-04-01']),
      invoice('2025-05-01', [...change, line(twenty, 1, { from: '2025-05-01' })]),
    ]
    expect(
      ledger({ subscriptions: [subscription([item(twenty)])], invoices, prices: [ten], asOf: '2025-05-02' }),
    ).toEqual([
      '2025-04-01 New/new_subscription 0>1000 q0>1',
      '2025-04-16 Upgrade/plan_change 1000>2000 q1>1',
    ])
  })

  test('R12 classic prorations name no item; the price tells it', () => {
    const bare = { subscriptionItemId: null }
    const change = prorations(
      { of: seats, quantity: 10, amountCents: 5000 },
      { of: seats, quantity: 4, amountCents: 2000 },
      { from: '2025-01-16', to: '2025-02-01', ...bare },
    )
    const renewal = invoice('2025-02-01', [...change, line(seats, 4, { from: '2025-02-01' })])
    expect(
      ledger({
        subscriptions: [subscription([item(seats, 4)])],
        invoices: [...first, renewal],
        asOf: '2025-02-02',
      }),
    ).toEqual([
      '2025-01-01 New/new_subscription 0>10000 q0>10',
      '2025-01-16 Downgrade/quantity_change 10000>4000 q10>4',
    ])
  })

  test('R12 two changes in one period each count on their own day', () => {
    const up = prorations(
      { of: seats, quantity: 10, amountCents: 7000 },
      { of: seats, quantity: 20, amountCents: 14_000 },
      { from: '2025-01-10', to: '2025-02-01' },
    )
    const down = prorations(
      { of: seats, quantity: 20, amountCents: 7000 },
      { of: seats, quantity: 5, amountCents: 1750 },
      { from: '2025-01-20', to: '2025-02-01' },
    )
    const renewal = invoice('2025-02-01', [...down, ...up, line(seats, 5, { from: '2025-02-01' })])
    expect(
      ledger({
        subscriptions: [subscription([item(seats, 5)])],
        invoices: [...first, renewal],
        asOf: '2025-02-02',
      }).slice(1),
    ).toEqual([
      '2025-01-10 Upgrade/quantity_change 10000>20000 q10>20',
      '2025-01-20 Downgrade/quantity_change 20000>5000 q20>5',
    ])
  })

  test('R37 a flip and back in one second is no event, whatever else the invoice holds', () => {
    const options = { from: '2025-01-10', to: '2025-02-01' }
    const there = prorations(
      { of: seats, quantity: 10, amountCents: 7000 },
      { of: seats, quantity: 20, amountCents: 14_000 },
      options,
    )
    const back = prorations(
      { of: seats, quantity: 20, amountCents: 14_000 },
      { of: seats, quantity: 10, amountCents: 7000 },
      options,
    )
    const account = {
      subscriptions: [subscription([item(seats, 10)])],
      invoices: [...first, invoice('2025-01-10', [...there, ...back])],
      asOf: '2025-01-12',
    }
    expect(ledger(account)).toEqual(['2025-01-01 New/new_subscription 0>10000 q0>10'])
  })

  test('R21 without proration the change is dated at the cycle line that first shows it', () => {
    const invoices = [...first, ...renewals(seats, 12, ['2025-02-01'])]
    expect(
      ledger({ subscriptions: [subscription([item(seats, 12)])], invoices, asOf: '2025-02-03' }).at(-1),
    ).toBe('2025-02-01 Upgrade/quantity_change 10000>12000 q10>12')
  })

  test('R21 the event names the invoice that shows it, R12 never its making', () => {
    const change = prorations(
      { of: seats, quantity: 10, amountCents: 5000 },
      { of: seats, quantity: 11, amountCents: 5500 },
      { from: '2025-01-16', to: '2025-02-01' },
    )
    const renewal = invoice('2025-02-01', [...change, line(seats, 11, { from: '2025-02-01' })])
    const { events } = rebuild({
      subscriptions: [subscription([item(seats, 11)])],
      invoices: [renewal, ...first],
      asOf: '2025-02-02',
    })
    expect(events.map(({ invoiceId, occurredAt }) => [invoiceId, occurredAt])).toEqual([
      ['in_2025-01-01', on('2025-01-01')],
      ['in_2025-02-01', on('2025-01-16')],
    ])
  })
})

describe('change types', () => {
  const base = price('basic', 1000)
  const change = (after: typeof base, quantity: number, quantityBefore = 1): string | undefined =>
    ledger({
      subscriptions: [subscription([item(after, quantity)])],
      invoices: [
        ...renewals(base, quantityBefore, ['2025-01-01']),
        ...renewals(after, quantity, ['2025-02-01']),
      ],
      prices: [base],
      asOf: '2025-02-02',
    })[1]

  test('R19 another product is a plan change', () => {
    expect(change(price('gold', 3000), 1)).toBe('2025-02-01 Upgrade/plan_change 1000>3000 q1>1')
  })

  test('R19 monthly to a discounted year of the same product is a plan change and a Downgrade', () => {
    expect(change(price('basic_year', 9600, 'year', { productId: base.productId }), 1)).toBe(
      '2025-02-01 Downgrade/plan_change 1000>800 q1>1',
    )
  })

  test('R19 another unit price of the same product and interval is a price change', () => {
    expect(change(price('basic_new', 1200, 'month', { productId: base.productId }), 1)).toBe(
      '2025-02-01 Upgrade/price_change 1000>1200 q1>1',
    )
  })

  test('R19 a new price object at the same amount with more seats is a quantity change', () => {
    expect(change(price('basic_new', 1000, 'month', { productId: base.productId }), 3)).toBe(
      '2025-02-01 Upgrade/quantity_change 1000>3000 q1>3',
    )
  })

  test('R31 price and quantity at once are one price change; the sign follows the MRR', () => {
    expect(change(price('basic_new', 300, 'month', { productId: base.productId }), 3)).toBe(
      '2025-02-01 Downgrade/price_change 1000>900 q1>3',
    )
  })

  test('R31 half the price for twice the seats is no event, and the record is still up to date', () => {
    const half = price('basic_new', 500, 'month', { productId: base.productId })
    expect(change(half, 2)).toBeUndefined()
    const { subscriptions } = rebuild({
      subscriptions: [subscription([item(half, 2)])],
      invoices: [...renewals(base, 1, ['2025-01-01']), ...renewals(half, 2, ['2025-02-01'])],
      prices: [base],
      asOf: '2025-02-02',
    })
    expect(subscriptions[0]).toMatchObject({ quantity: 2, currentMrrCents: 1000 })
  })
})
