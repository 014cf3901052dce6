import { coupon, discount, invoice, item, line, on, price, prorations } from '../examples.ts'
import { bill, free, lived, newAt, off, type RuleExample } from './example.ts'

const asOf = '2025-02-02'
const late = { held: { createdAt: on('2025-01-20') }, asOf }
const stub = { to: '2025-02-01', isProration: true }

const place = price('place', 2100)
const shrunk = prorations(
  { of: place, quantity: 37, amountCents: 50_197 },
  { of: place, quantity: 7, amountCents: 10_185 },
  { from: '2025-01-10', to: '2025-02-01' },
)

const call = price('call', '12.5')
const quarter = discount(coupon('c', { percentOff: 25 }))

const small = price('small', 240)
const main = price('main', 9500)
const ofSmall = { subscriptionItemId: 'si_2' }
const withSmall = (quantity: number) => [item(main), item(small, quantity, { id: 'si_2' })]
/** Tax of 25%, included in the amount. */
const inside = (cents: number) => ({ inclusiveTaxCents: cents })

const graduated = price('graduated', null, 'month', {
  billingScheme: 'tiered',
  tiersMode: 'graduated',
  tiers: [
    { upTo: 10, unitAmountDecimal: '2100', flatAmountDecimal: null },
    { upTo: null, unitAmountDecimal: '1850', flatAmountDecimal: '1500' },
  ],
})
const third = discount(coupon('c', { percentOff: 33.33 }))
const tier = (quantity: number, amountCents: number, cents: number) =>
  line(graduated, quantity, { from: '2025-02-01', amountCents, ...off(cents) })

/** Cents that the provider rounds per line are no change of price, so the renewal makes no event (R20). */
export const cents: readonly RuleExample[] = [
  {
    rule: 'R13',
    name: 'itemized: a part that is a cent off its share has the share of its other bills',
    account: lived(
      item(place, 7),
      [
        bill(place, 37, '2025-01-01', off(7770)),
        invoice('2025-01-10', [
          ...shrunk.slice(0, 1),
          ...shrunk.slice(1).map((debit) => ({ ...debit, discountCents: 1018, ...off(1018) })),
        ]),
        bill(place, 7, '2025-02-01', off(1470)),
      ],
      { asOf },
    ),
    events: [newAt(69_930, '2025-01-01', 37), '2025-01-10 Downgrade/quantity_change 69930>13230 q37>7'],
  },
  {
    rule: 'R28',
    name: 'a share is taken of what the line is rounded to: 25% of 37.5 cents are 10',
    account: lived(
      item(call, 3),
      [
        {
          ...bill(call, 3, '2025-01-20', {
            ...stub,
            amountCents: 9,
            discounts: [{ id: quarter.id, amountCents: 0 }],
          }),
        },
        bill(call, 3, '2025-02-01', { amountCents: 38, ...off(10) }),
      ],
      { held: { ...late.held, discounts: [quarter] }, asOf },
    ),
    events: [newAt(28, '2025-01-20', 3)],
  },
  {
    rule: 'R9',
    name: 'the rate inside a few cents is that of the other bills',
    account: lived(
      withSmall(1),
      [
        invoice('2025-01-01', [line(main, 1, { from: '2025-01-01', ...inside(1900) })]),
        invoice('2025-01-24', [
          line(small, 1, { ...ofSmall, ...stub, from: '2025-01-24', amountCents: 63, ...inside(13) }),
        ]),
        invoice('2025-02-01', [
          line(main, 1, { from: '2025-02-01', ...inside(1900) }),
          line(small, 1, { ...ofSmall, from: '2025-02-01', ...inside(48) }),
        ]),
      ],
      { asOf },
    ),
    events: [newAt(7600), '2025-01-24 Upgrade/plan_change 7600>7792 q1>2'],
  },
  {
    rule: 'R9',
    name: 'an item whose bill was 0 has the tax inside that the other items show',
    account: lived(
      withSmall(3),
      [
        invoice('2025-01-01', [
          line(main, 1, { from: '2025-01-01', ...inside(1900) }),
          line(small, 0, { ...ofSmall, from: '2025-01-01' }),
        ]),
      ],
      {},
    ),
    events: [newAt(7600), '2025-01-20 Upgrade/quantity_change 7600>8176 q1>4'],
  },
  {
    rule: 'R24',
    name: 'a share of tiers is rounded tier by tier, as the first whole bill shows',
    account: lived(
      item(graduated, 14),
      [
        bill(graduated, 14, '2025-01-20', { ...stub, amountCents: 11_574, ...off(3858) }),
        invoice('2025-02-01', [tier(10, 21_000, 6999), tier(4, 7400, 2466), tier(0, 1500, 500)]),
      ],
      { held: { ...late.held, discounts: [third] }, asOf },
    ),
    events: [newAt(19_935, '2025-01-20', 14)],
  },
]

const tenOff = discount(coupon('ten', { amountOffCents: 1000, currency: 'usd' }))
const tenth = discount(coupon('tenth', { percentOff: 10 }), { startedAt: on('2025-01-15') })
const bigger = price('bigger', 16_800)
const thirdLate = discount(coupon('third', { percentOff: 33.33 }), { startedAt: on('2025-01-15') })
const wasFree = discount(coupon('half', { percentOff: 50 }))

/** Coupons that no invoice shows yet come off in the order of the next invoice (R7). */
export const ordered: readonly RuleExample[] = [
  {
    rule: 'R7',
    name: 'a share put on the item comes off before an amount of the subscription that was billed already',
    account: lived(
      item(bigger, 1, { discounts: [tenth] }),
      [bill(bigger, 1, '2025-01-01', off(1000, tenOff.id))],
      { held: { discounts: [tenOff] } },
    ),
    events: [newAt(15_800), '2025-01-20 Downgrade/price_change 15800>14120 q1>1'],
  },
  {
    rule: 'R7',
    name: 'a coupon that a free period named lowers what is seen in its place',
    account: lived(
      item(bigger),
      [bill(free, 1, '2025-01-01', { discounts: [{ id: wasFree.id, amountCents: 0 }] })],
      { prices: [free], held: { discounts: [wasFree] } },
    ),
    events: ['2025-01-20 New/new_subscription 0>8400 q0>1'],
  },
  {
    rule: 'R24',
    name: 'a share put on tiers comes off each line in whole cents before any bill shows it',
    account: lived(
      item(graduated, 14),
      [
        invoice('2025-01-01', [
          line(graduated, 10, { from: '2025-01-01', amountCents: 21_000 }),
          line(graduated, 4, { from: '2025-01-01', amountCents: 7400 }),
          line(graduated, 0, { from: '2025-01-01', amountCents: 1500 }),
        ]),
      ],
      { held: { discounts: [thirdLate] } },
    ),
    events: [newAt(29_900, '2025-01-01', 14), '2025-01-20 Downgrade/price_change 29900>19935 q14>14'],
  },
  {
    rule: 'R5',
    name: 'an amount that another bill spreads by a cent otherwise is what that bill wrote',
    account: lived(
      item(bigger),
      [bill(bigger, 1, '2025-01-01', off(7, tenOff.id)), bill(bigger, 1, '2025-02-01', off(6, tenOff.id))],
      { held: { discounts: [tenOff] }, asOf },
    ),
    events: [newAt(16_793), '2025-02-01 Upgrade/price_change 16793>16794 q1>1'],
  },
]
