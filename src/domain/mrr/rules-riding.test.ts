import { expect, test } from 'vitest'
import { coupon, discount, invoice, item, ledger, line, price, subscription } from './examples.ts'

// Prorations that ride on the invoice of the next period: two service periods stand on one document.
const base = price('base', 10_000)
const extra = price('extra', 3000)

test('R12 a gone price is as long as its whole period, not as the stretch that was prorated first', () => {
  const added = { subscriptionItemId: 'si_2', from: '2025-01-16T12:00:00Z', to: '2025-02-01' }
  const invoices = [
    invoice('2025-01-01', [line(base, 1, { from: '2025-01-01' })]),
    invoice('2025-02-01', [
      line(extra, 1, { ...added, isProration: true, amountCents: 1500 }),
      line(extra, 1, { from: '2025-02-01', subscriptionItemId: 'si_2' }),
      line(base, 1, { from: '2025-02-01' }),
    ]),
    invoice('2025-02-15', [
      line(extra, 1, {
        subscriptionItemId: 'si_2',
        from: '2025-02-15',
        to: '2025-03-01',
        isProration: true,
        amountCents: -1500,
      }),
    ]),
  ]
  const account = { subscriptions: [subscription([item(base)])], invoices, asOf: '2025-02-20' }
  expect(ledger({ ...account, prices: [base] })).toEqual([
    '2025-01-01 New/new_subscription 0>10000 q0>1',
    '2025-01-16T12:00:00Z Upgrade/plan_change 10000>13000 q1>2',
    '2025-02-15 Downgrade/plan_change 13000>10000 q2>1',
  ])
})

test('R5 a fixed amount is off each period of its own, also where both stand on one invoice', () => {
  const seat = price('seat', 1000)
  const twoOff = discount(coupon('two', { amountOffCents: 200, currency: 'usd' }))
  const off = (amountCents: number) => ({ discounts: [{ id: twoOff.id, amountCents }] })
  const stretch = { from: '2025-01-16T12:00:00Z', to: '2025-02-01', isProration: true }
  const invoices = [
    invoice('2025-01-01', [line(seat, 2, { from: '2025-01-01', ...off(200) })]),
    invoice('2025-02-01', [
      line(seat, 2, { ...stretch, amountCents: -1000, ...off(-100) }),
      line(seat, 4, { ...stretch, amountCents: 2000, ...off(100) }),
      line(seat, 4, { from: '2025-02-01', ...off(200) }),
    ]),
  ]
  const subscriptions = [subscription([item(seat, 4)], { discounts: [twoOff] })]
  expect(ledger({ subscriptions, invoices, asOf: '2025-02-02' })).toEqual([
    '2025-01-01 New/new_subscription 0>1800 q0>2',
    '2025-01-16T12:00:00Z Upgrade/quantity_change 1800>3800 q2>4',
  ])
})
