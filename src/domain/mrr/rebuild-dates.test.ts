import { describe, expect, test } from 'vitest'
import { invoice, item, ledger, line, on, price, renewals, subscription } from './examples.ts'

const pro = price('pro', 2000)

describe('dates and stubs', () => {
  test('R32 a backdated subscription begins at its start date with one period’s MRR', () => {
    const elapsed = line(pro, 1, {
      from: '2024-11-01',
      to: '2025-02-01',
      amountCents: 6000,
      isProration: true,
    })
    const account = {
      subscriptions: [
        subscription([item(pro)], { startedAt: on('2024-11-01'), createdAt: on('2025-01-15') }),
      ],
      invoices: [invoice('2025-01-15', [elapsed]), ...renewals(pro, 1, ['2025-02-01'])],
      asOf: '2025-02-02',
    }
    expect(ledger(account)).toEqual(['2024-11-01 New/new_subscription 0>2000 q0>1'])
  })

  test('R32 flexible billing writes one line per elapsed period; they are not more MRR', () => {
    const lines = ['2024-11-01', '2024-12-01', '2025-01-01'].map((from) => line(pro, 1, { from }))
    const account = {
      subscriptions: [
        subscription([item(pro)], { startedAt: on('2024-11-01'), createdAt: on('2025-01-15') }),
      ],
      invoices: [invoice('2025-01-15', lines)],
      asOf: '2025-01-16',
    }
    expect(ledger(account)).toEqual(['2024-11-01 New/new_subscription 0>2000 q0>1'])
  })

  test('R32 backdated without charging for what elapsed still begins at its start date', () => {
    const account = {
      subscriptions: [
        subscription([item(pro)], { startedAt: on('2024-11-01'), createdAt: on('2025-01-15') }),
      ],
      invoices: renewals(pro, 1, ['2025-01-15']),
      asOf: '2025-01-16',
    }
    expect(ledger(account)).toEqual(['2024-11-01 New/new_subscription 0>2000 q0>1'])
  })

  test.each([
    ['R35 a stub marked as proration', true],
    ['R35 a stub not marked as proration', false],
  ])('%s counts a whole period', (_, isProration) => {
    const stub = line(pro, 1, { from: '2025-01-20', to: '2025-02-01', amountCents: 774, isProration })
    const account = {
      subscriptions: [subscription([item(pro)], { createdAt: on('2025-01-20') })],
      invoices: [invoice('2025-01-20', [stub]), ...renewals(pro, 1, ['2025-02-01'])],
      asOf: '2025-02-02',
    }
    expect(ledger(account)).toEqual(['2025-01-20 New/new_subscription 0>2000 q0>1'])
  })

  test('R35 an anchor reset is no movement', () => {
    const credit = line(pro, 1, {
      from: '2025-01-16',
      to: '2025-02-01',
      amountCents: -1032,
      isProration: true,
      isCredit: true,
    })
    const invoices = [
      ...renewals(pro, 1, ['2025-01-01']),
      invoice('2025-01-16', [credit, line(pro, 1, { from: '2025-01-16' })]),
    ]
    expect(ledger({ subscriptions: [subscription([item(pro)])], invoices, asOf: '2025-01-20' })).toHaveLength(
      1,
    )
  })

  test('R33 what lies after the as-of instant has not happened', () => {
    const invoices = [...renewals(pro, 1, ['2025-01-01']), ...renewals(pro, 9, ['2025-02-01'])]
    expect(ledger({ subscriptions: [subscription([item(pro)])], invoices, asOf: '2025-01-20' })).toHaveLength(
      1,
    )
  })
})
