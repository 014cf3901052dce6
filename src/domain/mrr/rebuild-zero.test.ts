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
  renewals,
  subscription,
} from './examples.ts'

const last = (lines: string[]): string | undefined => lines.at(-1)

describe('falls to zero (R10, R11)', () => {
  const plan = price('pro', 2000)
  const free = price('free', 0)
  const away = { discounts: [{ id: 'di_c', amountCents: 2000 }] }
  const withCoupon = (duration: string) => {
    const held = discount(coupon('c', { percentOff: 100, duration }))
    return {
      subscriptions: [subscription([item(plan)])],
      invoices: [
        ...renewals(plan, 1, ['2025-01-01', '2025-03-01']),
        invoice('2025-02-01', [line(plan, 1, { from: '2025-02-01', ...away })], { discounts: [held] }),
      ],
      asOf: '2025-03-02',
    }
  }

  test('R11 a passing 100% coupon is a Downgrade to 0 and an Upgrade back', () => {
    expect(ledger(withCoupon('once')).slice(1)).toEqual([
      '2025-02-01 Downgrade/price_change 2000>0 q1>1',
      '2025-03-01 Upgrade/price_change 0>2000 q1>1',
    ])
  })

  test('R11 a lasting 100% coupon is a Churn by price, and its end a Reactivation (R22)', () => {
    expect(ledger(withCoupon('forever')).slice(1)).toEqual([
      '2025-02-01 Churn/price_change 2000>0 q1>1',
      '2025-03-01 Reactivation/reactivation 0>2000 q1>1',
    ])
  })

  test('R11 an unknown coupon is judged by what came after it', () => {
    const { subscriptions, invoices, asOf } = withCoupon('once')
    const unnamed = invoices.map(({ discounts: _, ...rest }) => rest)
    expect(ledger({ subscriptions, invoices: unnamed, asOf })[1]).toContain('Downgrade/price_change')
    expect(
      ledger({
        subscriptions,
        invoices: unnamed.filter(({ createdAt }) => createdAt < on('2025-03-01')),
        asOf,
      })[1],
    ).toContain('Churn/price_change')
  })

  test('R11 to the free plan is a Churn by plan', () => {
    const invoices = [...renewals(plan, 1, ['2025-01-01']), ...renewals(free, 1, ['2025-02-01'])]
    expect(
      last(
        ledger({ subscriptions: [subscription([item(free)])], invoices, prices: [plan], asOf: '2025-02-02' }),
      ),
    ).toBe('2025-02-01 Churn/plan_change 2000>0 q1>1')
  })

  test('R11 to no seats is a Churn by quantity', () => {
    const invoices = [...renewals(plan, 2, ['2025-01-01']), ...renewals(plan, 0, ['2025-02-01'])]
    expect(
      last(ledger({ subscriptions: [subscription([item(plan, 0)])], invoices, asOf: '2025-02-02' })),
    ).toBe('2025-02-01 Churn/quantity_change 4000>0 q2>0')
  })

  test('R10 free plans make no event; the first revenue is New', () => {
    const invoices = [...renewals(free, 1, ['2025-01-01']), ...renewals(plan, 1, ['2025-02-01'])]
    expect(
      ledger({ subscriptions: [subscription([item(plan)])], invoices, prices: [free], asOf: '2025-02-02' }),
    ).toEqual(['2025-02-01 New/new_subscription 0>2000 q0>1'])
  })
})
