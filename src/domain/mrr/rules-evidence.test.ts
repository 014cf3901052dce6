import { describe, expect, test } from 'vitest'
import {
  coupon,
  discount,
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
const seat = price('seat', 1000)
const off = (...cents: number[]) => ({
  discounts: cents.map((amountCents, index) => ({ id: `di_${index}`, amountCents })),
})

describe('R7 what the invoice wrote stands', () => {
  test('R7 two coupons on one line are summed as written, not multiplied again', () => {
    const bill = invoice('2025-01-01', [line(pro, 1, { from: '2025-01-01', ...off(400, 160) })])
    const account = { subscriptions: [subscription([item(pro)])], invoices: [bill], asOf: '2025-01-02' }
    expect(ledger(account)).toEqual(['2025-01-01 New/new_subscription 0>1440 q0>1'])
  })

  test('R7 a coupon on the subscription that the line does not carry is not taken off', () => {
    const half = discount(coupon('half', { percentOff: 50 }), { startedAt: on('2024-12-01') })
    const account = {
      subscriptions: [subscription([item(pro)], { discounts: [half] })],
      invoices: renewals(pro, 1, ['2025-01-01']),
      asOf: '2025-01-02',
    }
    expect(ledger(account)).toEqual(['2025-01-01 New/new_subscription 0>2000 q0>1'])
  })
})

describe('R8 and R23: what never counts', () => {
  test('R23 a metered line and a licensed one of the same subscription', () => {
    const usage = price('usage', 10, 'month', { usageType: 'metered' })
    const lines = [
      line(pro, 1, { from: '2025-01-01' }),
      line(usage, 5000, { from: '2025-01-01', subscriptionItemId: 'si_2', amountCents: 50_000 }),
    ]
    const account = {
      subscriptions: [subscription([item(pro), item(usage, null, { id: 'si_2' })])],
      invoices: [invoice('2025-01-01', lines)],
      asOf: '2025-01-02',
    }
    const made = rebuild(account)
    expect(made.subscriptions[0]).toMatchObject({ currentMrrCents: 2000, quantity: 1 })
    expect(made.receipts.ofSubscription('sub_1')?.ignored).toMatchObject([
      { reason: 'Metered usage', rule: 'R23', amountCents: 50_000 },
    ])
  })

  test('R8 a one-off item and a credit for goodwill stand on the receipt with their reasons', () => {
    const oneOff = { from: '2025-01-01', isSubscriptionItem: false, subscriptionItemId: null }
    const lines = [
      line(pro, 1, { from: '2025-01-01' }),
      line(pro, 1, { ...oneOff, id: 'il_fee', amountCents: 25_000 }),
      line(pro, 1, { from: '2025-01-01', id: 'il_sorry', amountCents: -500 }),
    ]
    const account = {
      subscriptions: [subscription([item(pro)])],
      invoices: [invoice('2025-01-01', lines)],
      asOf: '2025-01-02',
    }
    expect(rebuild(account).receipts.ofSubscription('sub_1')?.ignored).toMatchObject([
      { lineId: 'il_fee', reason: 'One-off item' },
      { lineId: 'il_sorry', reason: 'A credit that is no proration' },
    ])
  })
})

describe('R29 money that moves is not revenue that recurs', () => {
  const bill = invoice('2025-01-01', [line(pro, 1, { from: '2025-01-01' })])
  const account = { subscriptions: [subscription([item(pro)])], asOf: '2025-01-20' }
  const expected = ['2025-01-01 New/new_subscription 0>2000 q0>1']

  test('R29 an invoice that was never collected counts as much as a paid one', () => {
    expect(ledger({ ...account, invoices: [{ ...bill, status: 'uncollectible' }] })).toEqual(expected)
  })

  test('R29 a credit for the balance on a later invoice changes nothing', () => {
    const balance = line(pro, 1, {
      from: '2025-01-10',
      to: '2025-01-10',
      amountCents: -2000,
      isSubscriptionItem: false,
      subscriptionItemId: null,
    })
    expect(ledger({ ...account, invoices: [bill, invoice('2025-01-10', [balance])] })).toEqual(expected)
  })

  test('R29 a cancellation that came with a refund is the Churn, for the full MRR', () => {
    const canceled = { status: 'canceled', canceledAt: on('2025-01-10'), endedAt: on('2025-01-10') }
    const subscriptions = [subscription([item(pro)], canceled)]
    expect(ledger({ ...account, subscriptions, invoices: [bill] })).toEqual([
      ...expected,
      '2025-01-10 Churn/cancellation 2000>0 q1>0',
    ])
  })
})

describe('R31 two things at once', () => {
  const change = (unit: number, quantity: number) => {
    const of = price('seat2', unit, 'month', { productId: 'prod_seat' })
    return ledger({
      subscriptions: [subscription([item(of, quantity)])],
      invoices: [...renewals(seat, 10, ['2025-01-01']), ...renewals(of, quantity, ['2025-02-01'])],
      prices: [seat],
      asOf: '2025-02-02',
    }).at(-1)
  }

  test.each([
    ['R31 dearer and more', 1200, 12, '2025-02-01 Upgrade/price_change 10000>14400 q10>12'],
    ['R31 dearer and fewer', 1200, 5, '2025-02-01 Downgrade/price_change 10000>6000 q10>5'],
    ['R31 cheaper and more', 900, 20, '2025-02-01 Upgrade/price_change 10000>18000 q10>20'],
    ['R31 no net change is no event', 500, 20, '2025-01-01 New/new_subscription 0>10000 q0>10'],
  ] as const)('%s', (_, unit, quantity, expected) => {
    expect(change(unit, quantity)).toBe(expected)
  })
})

describe('R33 what is planned does not count yet', () => {
  const dear = price('dear', 5000, 'month', { productId: 'prod_pro' })

  test('R33 a phase that begins next month counts from then on', () => {
    const invoices = [...renewals(pro, 1, ['2025-01-01']), ...renewals(dear, 1, ['2025-02-01'])]
    const account = { subscriptions: [subscription([item(pro)])], invoices, prices: [dear] }
    expect(ledger({ ...account, asOf: '2025-01-31' })).toHaveLength(1)
    expect(
      ledger({ ...account, subscriptions: [subscription([item(dear)])], asOf: '2025-02-01' }).at(-1),
    ).toBe('2025-02-01 Upgrade/price_change 2000>5000 q1>1')
  })

  test('R33 a coupon that starts later is not taken off', () => {
    const later = discount(coupon('half', { percentOff: 50 }), { startedAt: on('2025-03-01') })
    const subscriptions = [subscription([item(pro)], { discounts: [later] })]
    expect(ledger({ subscriptions, asOf: '2025-01-20' })).toEqual([
      '2025-01-01 New/new_subscription 0>2000 q0>1',
    ])
  })

  test('R33 periods billed ahead count one at a time', () => {
    const ahead = ['2025-01-01', '2025-02-01', '2025-03-01'].map((from, index) =>
      line({ ...pro, unitAmountDecimal: String(2000 + 100 * index) }, 1, { from, id: `il_${index}` }),
    )
    const account = { subscriptions: [subscription([item(pro)])], invoices: [invoice('2025-01-01', ahead)] }
    expect(ledger({ ...account, asOf: '2025-01-20' })).toEqual([
      '2025-01-01 New/new_subscription 0>2000 q0>1',
    ])
  })

  test('R33 one line for three months ahead is three times the price, and one month’s MRR', () => {
    const ahead = line(pro, 1, { from: '2025-01-01', to: '2025-04-01', amountCents: 6000 })
    const account = { subscriptions: [subscription([item(pro)])], invoices: [invoice('2025-01-01', [ahead])] }
    expect(ledger({ ...account, asOf: '2025-03-20' })).toEqual([
      '2025-01-01 New/new_subscription 0>2000 q0>1',
    ])
  })
})

describe('R37 one instant, one event', () => {
  const change = (from: string, before: number, after: number) =>
    prorations(
      { of: seat, quantity: before, amountCents: before * 500 },
      { of: seat, quantity: after, amountCents: after * 500 },
      { from, to: '2025-02-01' },
    )

  test('R37 lines of one invoice a few seconds apart come from one request', () => {
    const lines = [
      ...change('2025-01-16T10:00:00Z', 10, 12),
      ...change('2025-01-16T10:00:05Z', 12, 15),
      line(seat, 15, { from: '2025-02-01' }),
    ]
    const account = {
      subscriptions: [subscription([item(seat, 15)])],
      invoices: [...renewals(seat, 10, ['2025-01-01']), invoice('2025-02-01', lines)],
      asOf: '2025-02-02',
    }
    expect(ledger(account)).toEqual([
      '2025-01-01 New/new_subscription 0>10000 q0>10',
      '2025-01-16T10:00:00Z Upgrade/quantity_change 10000>15000 q10>15',
    ])
  })

  test('R37 there and back on different days of one period are two events', () => {
    const lines = [...change('2025-01-10', 10, 12), ...change('2025-01-20', 12, 10)]
    const account = {
      subscriptions: [subscription([item(seat, 10)])],
      invoices: [...renewals(seat, 10, ['2025-01-01']), invoice('2025-02-01', lines)],
      asOf: '2025-02-02',
    }
    expect(ledger(account).slice(1)).toEqual([
      '2025-01-10 Upgrade/quantity_change 10000>12000 q10>12',
      '2025-01-20 Downgrade/quantity_change 12000>10000 q12>10',
    ])
  })
})

describe('R34 minor units of every currency', () => {
  test.each([
    ['R34 yen have none', 'jpy', 1200, 'year', 100],
    ['R34 dinars have three digits', 'kwd', 12_345, 'month', 12_345],
    ['R34 an unknown currency is carried as it is', 'xyz', 500, 'month', 500],
  ] as const)('%s', (_, currency, unit, every, cents) => {
    const of = price('p', unit, every, { currency })
    const bill = invoice('2025-01-01', [line(of, 1, { from: '2025-01-01' })], { currency })
    const account = { subscriptions: [subscription([item(of)], { currency })], invoices: [bill] }
    expect(rebuild({ ...account, asOf: '2025-01-02' }).events[0]).toMatchObject({
      currency,
      currentMrrCents: cents,
    })
  })
})
