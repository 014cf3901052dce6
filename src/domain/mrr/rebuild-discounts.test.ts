import { describe, expect, test } from 'vitest'
import {
  coupon,
  discount,
  invoice,
  item,
  ledger,
  line,
  price,
  prorations,
  rebuild,
  renewals,
  subscription,
} from './examples.ts'
import { sharesByLargestRemainder } from './invoice-discount.ts'

const off = (amountCents: number, id = 'di_c') => ({ discounts: [{ id, amountCents }] })
const last = (lines: string[]): string | undefined => lines.at(-1)

describe('discounts', () => {
  const year = price('year', 120_000, 'year')
  const month = price('pro', 2000)

  test('R4 a one-time 20% on 1,200 a year is 80 a month for the year', () => {
    const account = {
      subscriptions: [subscription([item(year)])],
      invoices: [invoice('2025-01-01', [line(year, 1, { from: '2025-01-01', ...off(24_000) })])],
      asOf: '2025-06-01',
    }
    expect(ledger(account)).toEqual(['2025-01-01 New/new_subscription 0>8000 q0>1'])
  })

  test('R6 a coupon that runs out is an Upgrade by price at the first period without it', () => {
    const invoices = [
      invoice('2025-01-01', [line(month, 1, { from: '2025-01-01', ...off(1000) })]),
      invoice('2025-02-01', [line(month, 1, { from: '2025-02-01', ...off(1000) })]),
      ...renewals(month, 1, ['2025-03-01']),
    ]
    expect(ledger({ subscriptions: [subscription([item(month)])], invoices, asOf: '2025-03-02' })).toEqual([
      '2025-01-01 New/new_subscription 0>1000 q0>1',
      '2025-03-01 Upgrade/price_change 1000>2000 q1>1',
    ])
  })

  test('R6 a coupon that is added is a Downgrade by price', () => {
    const invoices = [
      ...renewals(month, 1, ['2025-01-01']),
      invoice('2025-02-01', [line(month, 1, { from: '2025-02-01', ...off(500) })]),
    ]
    expect(last(ledger({ subscriptions: [subscription([item(month)])], invoices, asOf: '2025-02-02' }))).toBe(
      '2025-02-01 Downgrade/price_change 2000>1500 q1>1',
    )
  })

  test.each([
    ['R4 setting: once coupons left out', 'recurring', 'once', 10_000],
    ['R4 setting: repeating coupons kept when only once ones are left out', 'recurring', 'repeating', 8_000],
    ['R4 setting: only lasting coupons count', 'lasting', 'repeating', 10_000],
    ['R4 setting: a lasting coupon always counts', 'lasting', 'forever', 8_000],
  ] as const)('%s', (_, discounts, duration, mrrCents) => {
    const held = discount(coupon('c', { percentOff: 20, duration }))
    const bill = invoice('2025-01-01', [line(year, 1, { from: '2025-01-01', ...off(24_000) })], {
      discounts: [held],
    })
    const account = {
      subscriptions: [subscription([item(year)])],
      invoices: [bill],
      policy: { discounts },
      asOf: '2025-01-02',
    }
    expect(rebuild(account).subscriptions[0]?.currentMrrCents).toBe(mrrCents)
  })

  test('R5 60 off a year counts 5 a month', () => {
    const bill = invoice('2025-01-01', [line(year, 1, { from: '2025-01-01', ...off(6_000) })])
    expect(
      last(ledger({ subscriptions: [subscription([item(year)])], invoices: [bill], asOf: '2025-01-02' })),
    ).toContain('0>9500')
  })

  test('R5 a discount only on the invoice is spread; the one-off line keeps its share', () => {
    const setup = line(price('setup', 2000), 1, {
      from: '2025-01-01',
      isSubscriptionItem: false,
      subscriptionItemId: null,
    })
    const bill = invoice('2025-01-01', [line(month, 1, { from: '2025-01-01' }), setup], {
      totalDiscountCents: 1001,
    })
    expect(
      last(ledger({ subscriptions: [subscription([item(month)])], invoices: [bill], asOf: '2025-01-02' })),
    ).toContain('0>1499')
  })

  test('R5 shares by largest remainder add up to the cent and never exceed a line', () => {
    expect(
      sharesByLargestRemainder(
        100,
        [1, 1, 1].map((n) => n * 1000),
      ),
    ).toEqual([34, 33, 33])
    expect(sharesByLargestRemainder(5000, [300, 0, 200])).toEqual([300, 0, 200])
    expect(sharesByLargestRemainder(7, [10, 30, 60])).toEqual([1, 2, 4])
  })

  test('R5 more off than the price is 0 and not less', () => {
    const bill = invoice('2025-01-01', [line(month, 1, { from: '2025-01-01', ...off(9000) })])
    expect(
      ledger({ subscriptions: [subscription([item(month)])], invoices: [bill], asOf: '2025-01-02' }),
    ).toEqual([])
  })

  test('R7 stacked coupons are what the line says, not multiplied again', () => {
    const discounts = [
      { id: 'di_a', amountCents: 200 },
      { id: 'di_b', amountCents: 900 },
    ]
    const bill = invoice('2025-01-01', [line(month, 1, { from: '2025-01-01', discounts })])
    expect(
      last(ledger({ subscriptions: [subscription([item(month)])], invoices: [bill], asOf: '2025-01-02' })),
    ).toContain('0>900')
  })

  test('R19 seats under the same coupon are a quantity change although more cents come off', () => {
    const bill = (from: string, quantity: number) =>
      invoice(from, [line(month, quantity, { from, ...off(200 * quantity) })])
    const account = {
      subscriptions: [subscription([item(month, 3)])],
      invoices: [bill('2025-01-01', 1), bill('2025-02-01', 3)],
      asOf: '2025-02-02',
    }
    expect(last(ledger(account))).toBe('2025-02-01 Upgrade/quantity_change 1800>5400 q1>3')
  })
})

describe('discounts on prorations (R13)', () => {
  const seats = price('seat', 1000)
  const half = { discounts: [{ id: 'di_c', amountCents: 5000 }] }
  const first = invoice('2025-01-01', [line(seats, 10, { from: '2025-01-01', ...half })])
  const account = (amounts: [number, number], debitOff = 0) => {
    const lines = prorations(
      { of: seats, quantity: 10, amountCents: amounts[0] },
      { of: seats, quantity: 20, amountCents: amounts[1] },
      { from: '2025-01-16T12:00:00Z', to: '2025-02-01' },
    )
    const debit = lines[1]
    if (debit && debitOff > 0)
      lines[1] = { ...debit, discountCents: debitOff, discounts: [{ id: 'di_c', amountCents: debitOff }] }
    return {
      subscriptions: [subscription([item(seats, 20)])],
      invoices: [first, invoice('2025-01-17', lines)],
      asOf: '2025-01-20',
    }
  }

  test('R13 included: the amount is net already and the old discount goes on', () => {
    expect(last(ledger(account([2500, 5000])))).toBe(
      '2025-01-16T12:00:00Z Upgrade/quantity_change 5000>10000 q10>20',
    )
  })

  test('R13 itemized: the amount is gross and the line names the discount', () => {
    expect(last(ledger(account([5000, 10_000], 5000)))).toBe(
      '2025-01-16T12:00:00Z Upgrade/quantity_change 5000>10000 q10>20',
    )
  })

  test('R13 a proration at the full price shows that the coupon is gone', () => {
    expect(last(ledger(account([2500, 10_000])))).toBe(
      '2025-01-16T12:00:00Z Upgrade/price_change 5000>20000 q10>20',
    )
  })

  test('R5 a fixed amount off stays the same amount when seats are added', () => {
    const fixed = discount(coupon('c', { amountOffCents: 1000, currency: 'usd' }))
    const opening = invoice(
      '2025-01-01',
      [line(seats, 10, { from: '2025-01-01', discounts: [{ id: 'di_c', amountCents: 1000 }] })],
      {
        discounts: [fixed],
      },
    )
    const change = prorations(
      { of: seats, quantity: 10, amountCents: 4500 },
      { of: seats, quantity: 20, amountCents: 9500 },
      { from: '2025-01-16T12:00:00Z', to: '2025-02-01' },
    )
    const invoices = [opening, invoice('2025-01-17', change)]
    expect(
      last(ledger({ subscriptions: [subscription([item(seats, 20)])], invoices, asOf: '2025-01-20' })),
    ).toBe('2025-01-16T12:00:00Z Upgrade/quantity_change 9000>19000 q10>20')
  })
})
