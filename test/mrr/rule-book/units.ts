import { coupon, discount, invoice, item, line, on, price, prorations, renewals } from '../examples.ts'
import { bill, ended, lived, newAt, off, pro, type RuleExample, seat } from './example.ts'

const asOf = '2025-02-02'
const halfMonth = { from: '2025-01-16T12:00:00Z', to: '2025-02-01' }
const first = newAt(1000)
const ten = price('ten', 1000)
const gone = price('gone', 2000)
const nearly = { held: { createdAt: on('2025-01-03') }, asOf }

const flat = price('flat', null, 'month', {
  billingScheme: 'tiered',
  tiersMode: 'volume',
  tiers: [
    { upTo: 50, unitAmountDecimal: '1200', flatAmountDecimal: null },
    { upTo: null, unitAmountDecimal: '0', flatAmountDecimal: '60000' },
  ],
})
const tier = (quantity: number, amountCents: number) =>
  line(flat, quantity, { ...halfMonth, amountCents, isProration: true, id: `il_${quantity}_${amountCents}` })
const sixtySeats = invoice('2025-01-01', [
  line(flat, 60, { from: '2025-01-01', amountCents: 0, id: 'il_60' }),
  line(flat, 0, { from: '2025-01-01', amountCents: 60_000, id: 'il_flat' }),
])
const changed = (lines: ReturnType<typeof tier>[]) =>
  lived(item(flat, 80), [sixtySeats, invoice('2025-01-17', lines)])
const twenty = discount(coupon('c', { percentOff: 20 }), { startedAt: on('2025-02-01') })
const noLength = { from: '2025-02-01', to: '2025-02-01', isProration: true, amountCents: 0 }

/**
 * R12, R13: a partial period shows what is sold; its price, another bill or its share shows the cost of a whole period.
 */
export const unitsOfParts: readonly RuleExample[] = [
  {
    rule: 'R13',
    name: 'a last period that a cancellation cuts short is a part of the month that it begins',
    account: lived(
      [],
      [bill(gone, 1, '2025-02-01'), bill(gone, 1, '2025-03-01', { to: '2025-03-15', amountCents: 903 })],
      { held: ended('2025-03-15'), asOf: '2025-03-16' },
    ),
    events: [newAt(2000, '2025-02-01'), '2025-03-15 Churn/cancellation 2000>0 q1>0'],
  },
  {
    rule: 'R12',
    name: 'a plan that is gone and has no regular bill is worth what its part of the period says',
    account: lived(
      item(ten),
      [
        ...renewals(ten, 1, ['2025-01-01']),
        invoice('2025-01-16', [
          ...prorations(
            { of: ten, quantity: 1, amountCents: 500 },
            // 2000 x 16 / 31, rounded down.
            { of: gone, quantity: 1, amountCents: 1032 },
            { from: '2025-01-16', to: '2025-02-01' },
          ),
        ]),
        ...renewals(ten, 1, ['2025-02-01']),
      ],
      { asOf },
    ),
    events: [
      first,
      '2025-01-16 Upgrade/plan_change 1000>2000 q1>1',
      '2025-02-01 Downgrade/plan_change 2000>1000 q1>1',
    ],
  },
  {
    rule: 'R12',
    name: 'a part without a length, of a plan that is gone and was never billed, is left out',
    account: lived(
      item(ten),
      [
        ...renewals(ten, 1, ['2025-01-01', '2025-02-01']),
        invoice('2025-01-16', [
          line(gone, 1, { ...noLength, from: '2025-01-16', to: '2025-01-16', amountCents: 1032 }),
        ]),
      ],
      { asOf },
    ),
    events: [first],
  },
  {
    rule: 'R6',
    name: 'parts without a length at a renewal do not take its coupon away',
    account: lived(
      item(pro, 2),
      [
        ...renewals(pro, 1, ['2025-01-01']),
        invoice('2025-02-01', [
          line(pro, 1, { ...noLength, id: 'il_a', isCredit: true }),
          line(pro, 2, { ...noLength, id: 'il_b' }),
          line(pro, 2, { from: '2025-02-01', ...off(800, twenty.id) }),
        ]),
      ],
      { held: { discounts: [twenty] }, asOf },
    ),
    events: [newAt(2000), '2025-02-01 Upgrade/price_change 2000>3200 q1>2'],
  },
  {
    rule: 'R35',
    name: 'a first period that lacks two days of a month is no price of its own',
    account: lived(
      item(pro),
      [
        bill(pro, 1, '2025-01-03', { to: '2025-02-01', amountCents: 1870, unitAmountDecimal: '1870' }),
        ...renewals(pro, 1, ['2025-02-01']),
      ],
      nearly,
    ),
    events: [newAt(2000, '2025-01-03')],
  },
  {
    rule: 'R35',
    name: 'nor is it where the plan is gone',
    account: lived(
      item(ten),
      [
        bill(gone, 1, '2025-01-03', { to: '2025-02-01', amountCents: 1870, unitAmountDecimal: '1870' }),
        ...renewals(gone, 1, ['2025-02-01']),
        ...renewals(ten, 1, ['2025-03-01']),
      ],
      { ...nearly, asOf: '2025-03-02' },
    ),
    events: [newAt(2000, '2025-01-03'), '2025-03-01 Downgrade/plan_change 2000>1000 q1>1'],
  },
  {
    rule: 'R35',
    name: 'a last period that is cut short is no price of its own',
    account: lived(
      item(pro),
      [
        ...renewals(pro, 1, ['2025-01-01']),
        bill(pro, 1, '2025-02-01', { to: '2025-02-20', amountCents: 1357, unitAmountDecimal: '1357' }),
      ],
      { held: ended('2025-02-20'), asOf: '2025-03-01' },
    ),
    events: [newAt(2000), '2025-02-20 Churn/cancellation 2000>0 q1>0'],
  },
  {
    rule: 'R33',
    name: 'a part of three months billed ahead is three prices and a half, and no discount',
    account: lived(
      item(seat, 2),
      [
        bill(seat, 1, '2025-01-01', { to: '2025-04-01', amountCents: 3000 }),
        invoice(
          '2025-01-17',
          prorations(
            { of: seat, quantity: 1, amountCents: 2500 },
            { of: seat, quantity: 2, amountCents: 5000 },
            { from: '2025-01-16T12:00:00Z', to: '2025-04-01' },
          ),
        ),
      ],
      {
        held: { discounts: [discount(coupon('five', { percentOff: 5 }), { startedAt: on('2026-01-01') })] },
        asOf,
      },
    ),
    events: [first, '2025-01-16T12:00:00Z Upgrade/quantity_change 1000>2000 q1>2'],
  },
  {
    rule: 'R24',
    name: 'a credit of seats that cost nothing, in words that nobody knows, is no seat',
    account: changed([tier(60, 0), tier(0, -30_000), tier(80, 0), tier(0, 30_000)]),
    events: [newAt(60_000, '2025-01-01', 60)],
  },
  {
    rule: 'R24',
    name: 'seats that cost nothing change twice in one second: the last change stands',
    account: changed([
      { ...tier(60, 0), isCredit: true },
      tier(70, 0),
      tier(0, -30_000),
      { ...tier(0, 30_000), id: 'il_flat_70' },
      { ...tier(70, 0), id: 'il_back_70', isCredit: true },
      tier(80, 0),
      { ...tier(0, -30_000), id: 'il_back_flat' },
      tier(0, 30_000),
    ]),
    events: [newAt(60_000, '2025-01-01', 60)],
  },
  {
    rule: 'R8',
    name: 'a change that the invoice of another subscription bills goes to whose item it is',
    account: lived(
      item(seat, 2),
      [
        ...renewals(seat, 1, ['2025-01-01']),
        invoice(
          '2025-01-17',
          prorations(
            { of: seat, quantity: 1, amountCents: 500 },
            { of: seat, quantity: 2, amountCents: 1000 },
            { ...halfMonth, subscriptionId: 'sub_other' },
          ),
          { subscriptionId: 'sub_other' },
        ),
      ],
      { asOf },
    ),
    events: [first, '2025-01-16T12:00:00Z Upgrade/quantity_change 1000>2000 q1>2'],
  },
  {
    rule: 'R13',
    name: 'an amount that is neither its price nor its own unit is for a person to look at',
    account: lived(item(pro, 2), [
      bill(pro, 2, '2025-01-01', { amountCents: 9900, unitAmountDecimal: '2500' }),
    ]),
    events: [],
    unsupported: 'its amount 9900 is not 2 times its unit amount 2500',
  },
]
