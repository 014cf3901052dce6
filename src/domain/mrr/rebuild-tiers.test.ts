import { describe, expect, test } from 'vitest'
import type { PriceTier } from '../payments.ts'
import { invoice, item, ledger, line, price, prorations, rebuild, subscription } from './examples.ts'

const last = (lines: string[]): string | undefined => lines.at(-1)

describe('tiers and packages', () => {
  const tier = (upTo: number | null, unit: number | null, flat: number | null): PriceTier => ({
    upTo,
    unitAmountDecimal: unit === null ? null : String(unit),
    flatAmountDecimal: flat === null ? null : String(flat),
  })
  // Stripe's published example: 1-5 at 7 dollars, 6-10 at 6.50, beyond at 6.
  const tiers = [tier(5, 700, null), tier(10, 650, null), tier(null, 600, null)]
  const graduated = price('fonts', null, 'month', { billingScheme: 'tiered', tiersMode: 'graduated', tiers })
  const volume = { ...graduated, id: 'fonts_v', tiersMode: 'volume' as const }
  const stepped = (tiersMode: 'graduated' | 'volume') => ({
    ...graduated,
    tiersMode,
    tiers: [5, 10, 15, 20, null].map((upTo, step) => tier(upTo, 500 - 100 * step, null)),
  })
  const now = (of: typeof graduated, quantity: number) =>
    rebuild({ subscriptions: [subscription([item(of, quantity)])], asOf: '2025-01-02' }).subscriptions[0]
      ?.currentMrrCents

  test.each([
    ['R24 graduated 1', graduated, 1, 700],
    ['R24 graduated 5', graduated, 5, 3500],
    ['R24 graduated 6', graduated, 6, 4150],
    ['R24 graduated 20', graduated, 20, 12_750],
    ['R24 graduated 25', graduated, 25, 15_750],
    ['R24 volume 5', volume, 5, 3500],
    ['R24 volume 6: the 39 dollars of Stripe’s page', volume, 6, 3900],
    ['R24 volume 20', volume, 20, 12_000],
    ['R24 Stripe’s 6 units graduated are 29 dollars', stepped('graduated'), 6, 2900],
    ['R24 Stripe’s 6 units by volume are 24 dollars', stepped('volume'), 6, 2400],
    ['R24 Stripe’s 25 units by volume are 25 dollars', stepped('volume'), 25, 2500],
  ] as const)('%s from the price', (_, of, quantity, cents) => {
    expect(now(of, quantity)).toBe(cents)
  })

  test('R24 more seats can mean less MRR, and that is a Downgrade by quantity', () => {
    const cheap = { ...volume, tiers: [tier(5, 700, null), tier(null, 500, null)] }
    const bill = (from: string, quantity: number, amountCents: number) =>
      invoice(from, [line(cheap, quantity, { from, amountCents })])
    const account = {
      subscriptions: [subscription([item(cheap, 6)])],
      invoices: [bill('2025-01-01', 5, 3500), bill('2025-02-01', 6, 3000)],
      asOf: '2025-02-02',
    }
    expect(last(ledger(account))).toBe('2025-02-01 Downgrade/quantity_change 3500>3000 q5>6')
  })

  test('R24 the lines of one item are summed; a flat fee has no quantity', () => {
    const bare = price('bare', null, 'month', { billingScheme: 'tiered', tiersMode: 'graduated' })
    const part = (quantity: number, amountCents: number, id: string) =>
      line(bare, quantity, { from: '2025-01-01', amountCents, id })
    const bill = invoice('2025-01-01', [part(0, 1000, 'il_1'), part(5, 3500, 'il_2'), part(1, 650, 'il_3')])
    expect(
      ledger({ subscriptions: [subscription([item(bare, 6)])], invoices: [bill], asOf: '2025-01-02' }),
    ).toEqual(['2025-01-01 New/new_subscription 0>5150 q0>6'])
  })

  test('R24 a proration of a tiered price is worth the tiers at its quantity', () => {
    const first = invoice('2025-01-01', [line(graduated, 5, { from: '2025-01-01', amountCents: 3500 })])
    const change = prorations(
      { of: graduated, quantity: 5, amountCents: 1806 },
      { of: graduated, quantity: 6, amountCents: 2142 },
      { from: '2025-01-16', to: '2025-02-01' },
    )
    const account = {
      subscriptions: [subscription([item(graduated, 6)])],
      invoices: [first, invoice('2025-01-16', change)],
      asOf: '2025-01-20',
    }
    expect(last(ledger(account))).toBe('2025-01-16 Upgrade/quantity_change 3500>4150 q5>6')
  })

  test.each([
    ['R25 12 seats in packages of 5, up', 'up', 12, 3000],
    ['R25 12 seats in packages of 5, down', 'down', 12, 2000],
    ['R25 a whole number of packages', 'up', 10, 2000],
  ])('%s', (_, round, quantity, cents) => {
    const packed = price('packed', 1000, 'month', { transformQuantity: { divideBy: 5, round } })
    const bill = invoice('2025-01-01', [line(packed, quantity, { from: '2025-01-01', amountCents: cents })])
    expect(
      ledger({
        subscriptions: [subscription([item(packed, quantity)])],
        invoices: [bill],
        asOf: '2025-01-02',
      }),
    ).toEqual([`2025-01-01 New/new_subscription 0>${cents} q0>${quantity}`])
  })
})
