import type { PaymentPrice } from '#domain/payments.ts'
import { coupon, discount, invoice, item, line, on, price } from '../examples.ts'
import { bill, lived, newAt, off, pro, type RuleExample } from './example.ts'

const [addon, gold] = [price('addon', 3000), price('gold', 4000)]
const forAddons = discount(
  coupon('addons', { percentOff: 50, duration: 'forever', appliesToProductIds: ['prod_addon'] }),
)
const ofSecond = { subscriptionItemId: 'si_2' }
/** A line for the rest of January, whose amount includes the discounts that it names. */
const rest = (of: PaymentPrice, from: string, amountCents: number, ids: string[] = []) =>
  line(of, 1, {
    ...{ from, to: '2025-02-01', amountCents, isProration: true, isCredit: amountCents < 0, ...ofSecond },
    discounts: ids.map((id) => ({ id, amountCents: 0 })),
  })

const tiers = [
  { upTo: 5, unitAmountDecimal: '1000', flatAmountDecimal: '2000' },
  { upTo: 20, unitAmountDecimal: '800', flatAmountDecimal: null },
  { upTo: null, unitAmountDecimal: '600', flatAmountDecimal: '500' },
]
const tiered = price('tiered', null, 'month', { billingScheme: 'tiered', tiersMode: 'graduated', tiers })
const half = discount(coupon('half', { percentOff: 50 }))
const added = '2025-02-19T23:29:09Z'
/** Units, what they cost to 10 March, and what half of it was rounded to. */
const linesOfPart: [number, number, number][] = [
  [5, 3269, 1635],
  [0, 1307, 654],
  [15, 7847, 3924],
  [5, 1961, 981],
  [0, 326, 163],
]
const linesOfMonth: [number, number, number][] = [
  [5, 5000, 2500],
  [0, 2000, 1000],
  [15, 12_000, 6000],
  [5, 3000, 1500],
  [0, 500, 250],
]
const tierLines = (rows: typeof linesOfPart, from: string, to: string, isProration: boolean) =>
  rows.map(([quantity, amountCents, half], index) => {
    const own = { id: `il_${from}_${index}`, amountCents, isProration, ...ofSecond }
    return line(tiered, quantity, { from, to, ...own, ...off(half, 'di_half') })
  })
/** Lines with 20% tax inside: units, amount, and the tax of each line. */
const taxed = (rows: [number, number, number][], from: string, to: string) =>
  invoice(
    from,
    rows.map(([quantity, amountCents, inclusiveTaxCents], index) =>
      line(tiered, quantity, { from, to, id: `il_${from}_${index}`, amountCents, inclusiveTaxCents }),
    ),
  )
const noon = '2025-01-16T12:00:00Z'
const third = price('third', 1000, 'year')

/** R7, R9, R13: percentages of coupons and taxes on lines for a part of a period. */
export const centsOfParts: readonly RuleExample[] = [
  {
    rule: 'R13',
    name: 'a coupon of certain products is inside a part of one of them, whatever the item sells since',
    account: lived(
      [item(pro), item(gold, 1, { id: 'si_2', createdAt: on('2025-01-10') })],
      [
        bill(pro, 1, '2025-01-01'),
        invoice('2025-01-10', [rest(addon, '2025-01-10', 1064, ['di_addons'])], { discounts: [forAddons] }),
        invoice('2025-01-20', [
          rest(addon, '2025-01-20', -581, ['di_addons']),
          rest(gold, '2025-01-20', 1548),
        ]),
      ],
      { prices: [addon], held: { discounts: [forAddons] }, asOf: '2025-01-25' },
    ),
    events: [
      newAt(2000),
      '2025-01-10 Upgrade/plan_change 2000>3500 q1>2',
      '2025-01-20 Upgrade/plan_change 3500>6000 q2>2',
    ],
  },
  {
    rule: 'R13',
    name: 'a percentage off the tiers of a part is the coupon’s, though each line rounds its own',
    account: lived(
      [item(pro), item(tiered, 25, { id: 'si_2', createdAt: on(added), discounts: [half] })],
      [
        ...['2025-01-10', '2025-02-10'].map((day) => bill(pro, 1, day)),
        invoice('2025-03-10', [
          ...tierLines(linesOfPart, added, '2025-03-10', true),
          ...tierLines(linesOfMonth, '2025-03-10', '2025-04-10', false),
          line(pro, 1, { from: '2025-03-10' }),
        ]),
      ],
      { prices: [tiered], held: { createdAt: on('2025-01-10') }, asOf: '2025-03-11' },
    ),
    events: [newAt(2000, '2025-01-10'), `${added} Upgrade/plan_change 2000>13250 q1>26`],
  },
  {
    rule: 'R7',
    name: 'a short first period has the percentage of the whole ones, also where its coupon was deleted',
    account: lived(
      item(third, 1, { periodStart: on('2025-01-26'), periodEnd: on('2026-01-26') }),
      [
        bill(third, 1, '2025-01-01', { to: '2025-01-26', amountCents: 68, ...off(22) }),
        bill(third, 1, '2025-01-26', off(330)),
      ],
      { asOf: '2025-02-02' },
    ),
    events: [newAt(56)],
  },
  {
    rule: 'R7',
    name: 'a deleted coupon behind a few cents took off a whole percentage',
    account: lived(
      item(pro, 1, { periodStart: on('2025-01-31') }),
      [bill(pro, 1, '2025-01-31', { to: '2025-02-01', amountCents: 65, ...off(23) })],
      { held: { createdAt: on('2025-01-31') }, asOf: '2025-01-31T12:00:00Z' },
    ),
    events: [newAt(1300, '2025-01-31')],
  },
  {
    rule: 'R9',
    name: 'the tax inside the tiers of a part is at the rate of each line, and as the whole bill has it',
    account: lived(
      item(tiered, 8, { createdAt: on(noon), periodStart: on('2025-02-01') }),
      [
        taxed(
          [
            [5, 2500, 417],
            [0, 1000, 167],
            [3, 1200, 200],
          ],
          noon,
          '2025-02-01',
        ),
        taxed(
          [
            [5, 5000, 833],
            [0, 2000, 333],
            [3, 2400, 400],
          ],
          '2025-02-01',
          '2025-03-01',
        ),
      ],
      { prices: [tiered], held: { createdAt: on(noon) }, asOf: '2025-02-02' },
    ),
    events: [newAt(7834, noon, 8)],
  },
  {
    rule: 'R13',
    name: 'a part of a deleted price has the discount that it names inside its amount once',
    account: lived(
      item(addon),
      [
        bill(pro, 1, '2025-01-01', off(1000, 'di_half'), { discounts: [half] }),
        invoice('2025-01-17', [
          { ...rest(pro, noon, -500), subscriptionItemId: 'si_1' },
          { ...rest(gold, noon, 1000, ['di_half']), subscriptionItemId: 'si_1' },
        ]),
        invoice('2025-01-25', [
          { ...rest(gold, '2025-01-25', -452), subscriptionItemId: 'si_1' },
          { ...rest(addon, '2025-01-25', 338, ['di_half']), subscriptionItemId: 'si_1' },
        ]),
      ],
      { prices: [pro], held: { discounts: [half] }, asOf: '2025-01-27' },
    ),
    events: [
      newAt(1000),
      `${noon} Upgrade/plan_change 1000>2000 q1>1`,
      '2025-01-25 Downgrade/plan_change 2000>1500 q1>1',
    ],
  },
]
