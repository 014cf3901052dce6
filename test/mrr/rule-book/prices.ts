import type { PaymentPrice, PriceTier } from '#domain/payments.ts'
import { invoice, item, line, price, prorations } from '../examples.ts'
import { bill, lived, newAt, type RuleExample } from './example.ts'

const tier = (upTo: number | null, unit: number | string | null, flat: number | null = null): PriceTier => ({
  upTo,
  unitAmountDecimal: unit === null ? null : String(unit),
  flatAmountDecimal: flat === null ? null : String(flat),
})
const tiered = (id: string, tiersMode: string, tiers: PriceTier[] | null): PaymentPrice =>
  price(id, null, 'month', { billingScheme: 'tiered', tiersMode, tiers })

// Units 1 to 5 cost 7 dollars, 6 to 10 cost 6.50, the rest 6; and 5 dollars, one less for each further five units.
const fonts = [tier(5, 700), tier(10, 650), tier(null, 600)]
const steps = [5, 10, 15, 20, null].map((upTo, step) => tier(upTo, 500 - 100 * step))
const withFees = [tier(5, null, 1000), tier(null, 100)]

type Row = readonly [
  name: string,
  mode: 'graduated' | 'volume',
  tiers: PriceTier[],
  quantity: number,
  cents: number,
  from?: string,
]

const rows: readonly Row[] = [
  ['5 fonts are 35 dollars', 'graduated', fonts, 5, 3500, 'ST-tier'],
  ['6 fonts graduated are 41.50', 'graduated', fonts, 6, 4150],
  ['5 fonts by volume are 35 dollars', 'volume', fonts, 5, 3500, 'ST-tier'],
  ['6 fonts by volume are 39 dollars', 'volume', fonts, 6, 3900, 'ST-tier'],
  ['20 fonts graduated are 127.50', 'graduated', fonts, 20, 12_750],
  ['6 units graduated are 29 dollars', 'graduated', steps, 6, 2900, 'ST-tier0'],
  ['6 units by volume are 24 dollars', 'volume', steps, 6, 2400, 'ST-tier0'],
  ['25 units by volume are 25 dollars', 'volume', steps, 25, 2500, 'ST-tier0'],
  ['a flat fee alone', 'graduated', withFees, 3, 1000],
  ['a flat fee and units beyond it', 'graduated', withFees, 8, 1300],
]

const graduated = tiered('fonts', 'graduated', fonts)
const cheaper = tiered('cheaper', 'volume', [tier(5, 700), tier(null, 500)])
const bare = tiered('bare', 'graduated', null)
const ofBare = (quantity: number, amountCents: number, id: string) =>
  line(bare, quantity, { from: '2025-01-01', amountCents, id })

/** R24: tiers and flat fees, from prices and from lines. */
export const tiers: readonly RuleExample[] = [
  ...rows.map(([name, mode, list, quantity, cents, from]): RuleExample => {
    const account = lived(item(tiered('t', mode, list), quantity), [])
    return {
      rule: 'R24',
      name,
      account,
      events: [newAt(cents, '2025-01-01', quantity)],
      ...(from && { from }),
    }
  }),
  {
    rule: 'R24',
    name: 'more seats can mean less MRR, and that is a Downgrade by quantity',
    account: lived(
      item(cheaper, 6),
      [
        bill(cheaper, 5, '2025-01-01', { amountCents: 3500 }),
        bill(cheaper, 6, '2025-02-01', { amountCents: 3000 }),
      ],
      { asOf: '2025-02-02' },
    ),
    events: [newAt(3500, '2025-01-01', 5), '2025-02-01 Downgrade/quantity_change 3500>3000 q5>6'],
  },
  {
    rule: 'R24',
    name: 'the lines of one item are summed; a flat fee has no quantity',
    account: lived(item(bare, 6), [
      invoice('2025-01-01', [ofBare(0, 1000, 'il_1'), ofBare(5, 3500, 'il_2'), ofBare(1, 650, 'il_3')]),
    ]),
    events: [newAt(5150, '2025-01-01', 6)],
  },
  {
    rule: 'R24',
    name: 'a proration is worth the tiers at its quantity',
    account: lived(item(graduated, 6), [
      bill(graduated, 5, '2025-01-01', { amountCents: 3500 }),
      invoice(
        '2025-01-16',
        prorations(
          { of: graduated, quantity: 5, amountCents: 1806 },
          { of: graduated, quantity: 6, amountCents: 2142 },
          { from: '2025-01-16', to: '2025-02-01' },
        ),
      ),
    ]),
    events: [newAt(3500, '2025-01-01', 5), '2025-01-16 Upgrade/quantity_change 3500>4150 q5>6'],
  },
  {
    rule: 'R24',
    name: 'tiers that nobody tells are reported until an invoice tells them',
    account: lived(item(bare, 4), []),
    events: [],
    unsupported: 'The price bare does not tell its amount in usd',
  },
  {
    rule: 'R24',
    name: 'tiers out of order are reported, not guessed',
    account: lived(item(tiered('odd', 'graduated', [tier(10, 700), tier(5, 650), tier(null, 600)]), 7), []),
    events: [],
    unsupported: 'The price odd does not tell its amount in usd',
  },
]

type PackageRow = readonly [name: string, round: 'up' | 'down', quantity: number, cents: number]

const packages: readonly PackageRow[] = [
  ['12 seats in packages of 5, up', 'up', 12, 3000],
  ['12 seats in packages of 5, down', 'down', 12, 2000],
  ['a whole number of packages', 'up', 10, 2000],
]

const yen = price('yen', 1200, 'year', { currency: 'jpy' })
const dinar = price('dinar', 12_345, 'month', { currency: 'kwd' })
const both = price('both', 2000, 'month', {
  currencyOptions: { eur: { unitAmountDecimal: '1800', tiers: null } },
})
const eur = { held: { currency: 'eur' } }

/** R25 and R34: packages and currencies. */
export const pricing: readonly RuleExample[] = [
  ...packages.map(([name, round, quantity, cents]): RuleExample => {
    const packed = price('packed', 1000, 'month', { transformQuantity: { divideBy: 5, round } })
    const account = lived(item(packed, quantity), [
      bill(packed, quantity, '2025-01-01', { amountCents: cents }),
    ])
    return { rule: 'R25', name, from: 'ST-tq', account, events: [newAt(cents, '2025-01-01', quantity)] }
  }),
  {
    rule: 'R25',
    name: 'without an invoice the price’s own packages count',
    account: lived(
      item(price('packed', 1000, 'month', { transformQuantity: { divideBy: 5, round: 'up' } }), 12),
      [],
    ),
    events: [newAt(3000, '2025-01-01', 12)],
  },
  {
    rule: 'R34',
    name: 'yen have no minor unit: 1,200 a year are 100',
    from: 'PH-help',
    account: lived(item(yen), [bill(yen, 1, '2025-01-01', {}, { currency: 'jpy' })], {
      held: { currency: 'jpy' },
    }),
    events: [newAt(100)],
  },
  {
    rule: 'R34',
    name: 'dinars have three digits',
    account: lived(item(dinar), [bill(dinar, 1, '2025-01-01', {}, { currency: 'kwd' })], {
      held: { currency: 'kwd' },
    }),
    events: [newAt(12_345)],
  },
  {
    rule: 'R34',
    name: 'a price sold in several currencies counts in the subscription’s',
    account: lived(item(both), [], eur),
    events: [newAt(1800)],
  },
  {
    rule: 'R34',
    name: 'an invoice in another currency is left out, never added',
    from: 'NP',
    account: lived(item(both), [
      bill(both, 1, '2025-01-01'),
      bill(both, 9, '2025-01-10', {}, { currency: 'eur' }),
    ]),
    events: [newAt(2000)],
  },
]
