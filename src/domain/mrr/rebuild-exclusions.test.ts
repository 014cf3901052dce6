import { describe, expect, test } from 'vitest'
import { invoice, item, ledger, line, price, rebuild, subscription } from './examples.ts'

const off = (amountCents: number, id = 'di_c') => ({ discounts: [{ id, amountCents }] })

describe('what is not MRR', () => {
  const plan = price('pro', 2000)
  const account = (lines: Parameters<typeof invoice>[1], more = {}) => ({
    subscriptions: [subscription([item(plan)], more)],
    invoices: [invoice('2025-01-01', lines)],
    asOf: '2025-01-02',
  })

  test('R8 a setup fee and a goodwill credit do not count', () => {
    const oneOff = { from: '2025-01-01', isSubscriptionItem: false, subscriptionItemId: null }
    const fee = line(price('setup', 50_000), 1, oneOff)
    const goodwill = line(price('sorry', -900), 1, oneOff)
    expect(ledger(account([line(plan, 1, { from: '2025-01-01' }), fee, goodwill]))).toEqual([
      '2025-01-01 New/new_subscription 0>2000 q0>1',
    ])
  })

  test('R9 inclusive tax is taken out, exclusive tax was never in', () => {
    const taxed = line(plan, 1, { from: '2025-01-01', inclusiveTaxCents: 319 })
    expect(ledger(account([taxed]))).toEqual(['2025-01-01 New/new_subscription 0>1681 q0>1'])
  })

  test('R9 inclusive tax is taken after the discount', () => {
    const taxed = line(plan, 1, { from: '2025-01-01', inclusiveTaxCents: 160, ...off(1000) })
    expect(ledger(account([taxed]))).toEqual(['2025-01-01 New/new_subscription 0>840 q0>1'])
  })

  test('R23 metered usage is left out and its licensed base counts', () => {
    const usage = price('usage', 3, 'month', { usageType: 'metered' })
    const lines = [
      line(plan, 1, { from: '2025-01-01' }),
      line(usage, 900, { from: '2025-01-01', subscriptionItemId: 'si_2' }),
    ]
    const items = [item(plan), item(usage, null, { id: 'si_2' })]
    expect(
      ledger({
        subscriptions: [subscription(items)],
        invoices: [invoice('2025-01-01', lines)],
        asOf: '2025-01-02',
      }),
    ).toEqual(['2025-01-01 New/new_subscription 0>2000 q0>1'])
  })

  test('R23 only metered items: no event, and supported', () => {
    const usage = price('usage', 3, 'month', { usageType: 'metered' })
    const made = rebuild({ subscriptions: [subscription([item(usage, null)])], asOf: '2025-01-02' })
    expect(made.events).toEqual([])
    expect(made.subscriptions[0]).toMatchObject({ currentMrrCents: 0, isUnsupported: null })
  })
})
