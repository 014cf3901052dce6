import type { PriceTier } from '#domain/payments.ts'
import { coupon, discount, invoice, item, line, price, renewals, subscription } from '../examples.ts'
import { billed, type PageExample, plan } from './example.ts'

const yearly = (cents: number) => price('year', cents, 'year')
const one = (lines: Parameters<typeof invoice>[1], of = plan) =>
  billed(of, 1, { invoices: [invoice('2025-01-01', lines)] })
const from = '2025-01-01'

function tiered(
  mode: 'graduated' | 'volume',
  steps: readonly (readonly [upTo: number | null, cents: number])[],
) {
  const tiers = steps.map(([upTo, cents]): PriceTier => {
    return { upTo, unitAmountDecimal: String(cents), flatAmountDecimal: null }
  })
  return price('fonts', null, 'month', { billingScheme: 'tiered', tiersMode: mode, tiers })
}
const fonts = [
  [5, 700],
  [null, 650],
] as const
const unbilled = (of: typeof plan, quantity: number) => billed(of, quantity, { invoices: [] })

const packages = (round: 'up' | 'down') =>
  price('pack', 1000, 'month', { transformQuantity: { divideBy: 5, round } })
const usage = price('calls', 5, 'month', { usageType: 'metered' })

/** From price to monthly amount, exclusions, and discounts. */
export const amounts: PageExample[] = [
  { rule: 'R1', words: '$100.00 a year', account: billed(yearly(10_000)) },
  { rule: 'R1', words: '$30.00 a quarter', account: billed(price('quarter', 3000, '3 month')) },
  { rule: 'R1', words: '$600.00 every six months', account: billed(price('half', 60_000, '6 month')) },
  { rule: 'R1', words: '$240.00 every two years', account: billed(price('two', 24_000, '2 year')) },
  { rule: 'R2', words: '$10.00 a week', account: billed(price('week', 1000, 'week')) },
  { rule: 'R2', words: '$10.00 a day', account: billed(price('day', 1000, 'day')) },
  {
    rule: 'R2',
    words: '$10.00 a week, with the setting of 4 weeks in a month',
    account: billed(price('week', 1000, 'week'), 1, { policy: { weeksPerMonth: [4, 1] } }),
  },
  {
    rule: 'R27',
    words: 'A $20 plan billed for 31, 28 and 31 days',
    account: billed(plan, 1, {
      invoices: renewals(plan, 1, [from, '2025-02-01', '2025-03-01']),
      asOf: '2025-03-20',
    }),
  },
  {
    rule: 'R28',
    words: 'Three items of $0.04 a year each',
    account: {
      subscriptions: [
        subscription(['a', 'b', 'c'].map((id) => item(price(id, 4, 'year'), 1, { id: `si_${id}` }))),
      ],
      asOf: '2025-01-20',
    },
  },
  {
    rule: 'R3',
    words: 'A $20 plan and 2 seats of $5; a third seat and a $10 add-on on 1 February',
    account: {
      subscriptions: [
        subscription([
          item(plan),
          item(price('seat', 500), 3, { id: 'si_2' }),
          item(price('extra', 1000), 1, { id: 'si_3' }),
        ]),
      ],
      invoices: [
        invoice(from, [
          line(plan, 1, { from }),
          line(price('seat', 500), 2, { from, subscriptionItemId: 'si_2' }),
        ]),
        invoice('2025-02-01', [
          line(plan, 1, { from: '2025-02-01' }),
          line(price('seat', 500), 3, { from: '2025-02-01', subscriptionItemId: 'si_2' }),
          line(price('extra', 1000), 1, { from: '2025-02-01', subscriptionItemId: 'si_3' }),
        ]),
      ],
      asOf: '2025-02-10',
    },
  },
  {
    rule: 'R14',
    words: '$100.00 a quarter and $15.00 a month; the invoice of February contains only the $15.00',
    account: {
      subscriptions: [
        subscription([item(price('base', 10_000, '3 month')), item(price('addon', 1500), 1, { id: 'si_2' })]),
      ],
      invoices: [
        invoice(from, [
          line(price('base', 10_000, '3 month'), 1, { from }),
          line(price('addon', 1500), 1, { from, subscriptionItemId: 'si_2' }),
        ]),
        invoice('2025-02-01', [
          line(price('addon', 1500), 1, { from: '2025-02-01', subscriptionItemId: 'si_2' }),
        ]),
      ],
      asOf: '2025-02-10',
    },
  },
  {
    rule: 'R25',
    words: '12 seats in packages of 5 at $10.00, rounded up',
    account: unbilled(packages('up'), 12),
  },
  {
    rule: 'R25',
    words: '12 seats in packages of 5 at $10.00, rounded down',
    account: unbilled(packages('down'), 12),
  },
  {
    rule: 'R24',
    words: '6 fonts, graduated: 5 at $7.00, then $6.50',
    account: unbilled(tiered('graduated', fonts), 6),
  },
  { rule: 'R24', words: '6 fonts, by volume: all at $6.50', account: unbilled(tiered('volume', fonts), 6) },
  {
    rule: 'R34',
    words: '¥1,200 a year, beside a $20 plan',
    account: {
      subscriptions: [
        subscription([item(plan)]),
        subscription([item(price('jpy', 1200, 'year', { currency: 'jpy' }), 1, { id: 'si_2' })], {
          id: 'sub_2',
          currency: 'jpy',
        }),
      ],
      asOf: '2025-01-20',
    },
  },
  {
    rule: 'R8',
    words: 'A $250 setup fee beside a $20 plan',
    account: one([
      line(plan, 1, { from }),
      line(price('setup', 25_000), 1, { from, isSubscriptionItem: false, subscriptionItemId: null }),
    ]),
  },
  {
    rule: 'R23',
    words: '10,000 calls of $0.05 beside a $20 plan',
    account: {
      subscriptions: [subscription([item(plan), item(usage, null, { id: 'si_2' })])],
      invoices: [
        invoice(from, [line(plan, 1, { from }), line(usage, 10_000, { from, subscriptionItemId: 'si_2' })]),
      ],
      asOf: '2025-01-20',
    },
  },
  {
    rule: 'R9',
    words: '$20.00 including 19% tax, which is $3.19',
    account: one([line(plan, 1, { from, inclusiveTaxCents: 319 })]),
  },
  {
    rule: 'R4',
    words: '$1,200 a year with a one-time discount of 20%',
    account: one(
      [line(yearly(120_000), 1, { from, discounts: [{ id: 'di_once', amountCents: 24_000 }] })],
      yearly(120_000),
    ),
  },
  {
    rule: 'R4',
    words: 'the same, with the setting that only lasting discounts lower MRR',
    account: {
      ...one(
        [line(yearly(120_000), 1, { from, discounts: [{ id: 'di_once', amountCents: 24_000 }] })],
        yearly(120_000),
      ),
      invoices: [
        invoice(
          from,
          [line(yearly(120_000), 1, { from, discounts: [{ id: 'di_once', amountCents: 24_000 }] })],
          { discounts: [discount(coupon('once', { percentOff: 20, duration: 'once' }))] },
        ),
      ],
      policy: { discounts: 'lasting' },
    },
  },
  {
    rule: 'R5',
    words: '$600 a year with $60 off',
    account: one(
      [line(yearly(60_000), 1, { from, discounts: [{ id: 'di_60', amountCents: 6000 }] })],
      yearly(60_000),
    ),
  },
  {
    rule: 'R7',
    words: '$20.00 with two coupons; on the invoice they take off $4.00 and $1.60',
    account: one([
      line(plan, 1, {
        from,
        discounts: [
          { id: 'di_a', amountCents: 400 },
          { id: 'di_b', amountCents: 160 },
        ],
      }),
    ]),
  },
  {
    rule: 'R6',
    words: '25% off is added to a $20 plan on 18 January and first seen on the 20th',
    account: billed(plan, 1, {
      subscriptions: [
        subscription([item(plan)], {
          discounts: [
            discount(coupon('quarter', { percentOff: 25 }), { startedAt: Date.parse('2025-01-18') / 1000 }),
          ],
        }),
      ],
    }),
  },
]
