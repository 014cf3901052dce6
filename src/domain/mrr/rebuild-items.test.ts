import { describe, expect, test } from 'vitest'
import { invoice, item, ledger, line, price, prorations, renewals, subscription } from './examples.ts'

const pro = price('pro', 2000)
const last = (lines: string[]): string | undefined => lines.at(-1)

describe('several items (R14)', () => {
  const quarterly = price('platform', 10_000, '3 month')
  const monthly = price('seat', 1500)
  const items = [item(quarterly), item(monthly, 1, { id: 'si_2' })]
  const seat = (from: string, quantity = 1) => line(monthly, quantity, { from, subscriptionItemId: 'si_2' })

  test('R14 a month without the quarterly line is no change: Stripe’s 100 a quarter and 15 a month', () => {
    const invoices = [
      invoice('2025-01-01', [line(quarterly, 1, { from: '2025-01-01' }), seat('2025-01-01')]),
      invoice('2025-02-01', [seat('2025-02-01')]),
      invoice('2025-03-01', [seat('2025-03-01')]),
      invoice('2025-04-01', [line(quarterly, 1, { from: '2025-04-01' }), seat('2025-04-01')]),
    ]
    expect(ledger({ subscriptions: [subscription(items)], invoices, asOf: '2025-04-02' })).toEqual([
      '2025-01-01 New/new_subscription 0>4833 q0>2',
    ])
  })

  test('R14 an item without its own renewal or credit ends with its own period', () => {
    const invoices = [
      invoice('2025-01-01', [line(quarterly, 1, { from: '2025-01-01' }), seat('2025-01-01')]),
      invoice('2025-02-01', [seat('2025-02-01')]),
      invoice('2025-04-01', [seat('2025-04-01')]),
    ]
    const account = {
      subscriptions: [subscription([item(monthly, 1, { id: 'si_2' })])],
      invoices,
      prices: [quarterly],
      asOf: '2025-04-05',
    }
    expect(ledger(account).slice(1)).toEqual(['2025-04-01 Downgrade/plan_change 4833>1500 q2>1'])
  })

  test('R12 an item taken away with a credit ends at the credit', () => {
    const credit = line(quarterly, 1, {
      from: '2025-01-11',
      to: '2025-04-01',
      amountCents: -8_889,
      isProration: true,
      isCredit: true,
    })
    const invoices = [
      invoice('2025-01-01', [line(quarterly, 1, { from: '2025-01-01' }), seat('2025-01-01')]),
      invoice('2025-02-01', [credit, seat('2025-02-01')]),
    ]
    const account = {
      subscriptions: [subscription([item(monthly, 1, { id: 'si_2' })])],
      invoices,
      prices: [quarterly],
      asOf: '2025-02-02',
    }
    expect(last(ledger(account))).toBe('2025-01-11 Downgrade/plan_change 4833>1500 q2>1')
  })

  test('R19 an item replaced by another in one second is one plan change (R37)', () => {
    const gold = price('gold', 5000)
    const options = { from: '2025-01-16', to: '2025-02-01' }
    const [credit] = prorations(
      { of: pro, quantity: 1, amountCents: 1000 },
      { of: pro, quantity: 1, amountCents: 0 },
      options,
    )
    const debit = line(gold, 1, {
      ...options,
      subscriptionItemId: 'si_9',
      amountCents: 2580,
      isProration: true,
    })
    const invoices = [
      ...renewals(pro, 1, ['2025-01-01']),
      invoice('2025-01-16', credit ? [credit, debit] : []),
    ]
    expect(
      ledger({
        subscriptions: [subscription([item(gold, 1, { id: 'si_9' })])],
        invoices,
        prices: [pro],
        asOf: '2025-01-20',
      }),
    ).toEqual([
      '2025-01-01 New/new_subscription 0>2000 q0>1',
      '2025-01-16 Upgrade/plan_change 2000>5000 q1>1',
    ])
  })
})
