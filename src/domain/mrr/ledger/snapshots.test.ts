import { describe, expect, test } from 'vitest'
import {
  invoice,
  item,
  ledger,
  line,
  on,
  price,
  rebuild,
  renewals,
  subscription,
} from '#test/mrr/examples.ts'
import { currentMrrOf } from '../events/subscription-mrr.ts'
import { snapshotsOf } from './snapshots.ts'

const pro = price('pro', 2000)

describe('currencies and snapshots', () => {
  test('R34 currencies are never added; minor units stay as they are', () => {
    const yen = price('yen', 1200, 'month', { currency: 'jpy' })
    const subscriptions = [
      subscription([item(pro)]),
      subscription([item(yen, 1, { id: 'si_y' })], { id: 'sub_y', currency: 'jpy' }),
    ]
    const made = rebuild({ subscriptions, asOf: '2025-02-02' })
    expect(currentMrrOf(made.subscriptions)).toEqual({ jpy: 1200, usd: 2000 })
    expect(snapshotsOf(made.events, on('2025-01-01'), on('2025-01-15'))).toEqual([
      { month: '2025-01', currency: 'jpy', mrrCents: 1200, activeSubscriptions: 1 },
      { month: '2025-01', currency: 'usd', mrrCents: 2000, activeSubscriptions: 1 },
    ])
  })

  test('R34 an invoice in another currency is no evidence', () => {
    const euros = invoice('2025-01-01', [line(pro, 7, { from: '2025-01-01' })], { currency: 'eur' })
    expect(
      ledger({ subscriptions: [subscription([item(pro)])], invoices: [euros], asOf: '2025-01-02' })[0],
    ).toContain('0>2000')
  })

  test('R38 a snapshot is the state at 00:00 of the 1st', () => {
    const ended = subscription([item(pro)], { status: 'canceled', endedAt: on('2025-03-15') })
    const { events } = rebuild({
      subscriptions: [ended],
      invoices: renewals(pro, 1, ['2025-01-10']),
      asOf: '2025-04-20',
    })
    expect(snapshotsOf(events, on('2025-01-10'), on('2025-04-20'))).toEqual([
      { month: '2025-02', currency: 'usd', mrrCents: 2000, activeSubscriptions: 1 },
      { month: '2025-03', currency: 'usd', mrrCents: 2000, activeSubscriptions: 1 },
      { month: '2025-04', currency: 'usd', mrrCents: 0, activeSubscriptions: 0 },
    ])
  })
})
