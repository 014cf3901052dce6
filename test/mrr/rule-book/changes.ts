import type { PaymentPrice } from '#domain/payments.ts'
import { invoice, item, line, on, price, prorations, renewals } from '../examples.ts'
import { bill, lived, newAt, off, pro, type RuleExample, seat } from './example.ts'

const asOf = '2025-02-02'
const basic = price('basic', 1000)
const sameProduct = (unit: number, every = 'month') =>
  price('basic_new', unit, every, { productId: basic.productId })
/** The basic plan in January, something else from February. */
const switched = (after: PaymentPrice, quantity: number, before = 1) =>
  lived(
    item(after, quantity),
    [...renewals(basic, before, ['2025-01-01']), ...renewals(after, quantity, ['2025-02-01'])],
    { prices: [basic], asOf },
  )

type Row = readonly [
  rule: string,
  name: string,
  after: PaymentPrice,
  quantities: readonly [number, number],
  event: string | null,
  from?: string,
]

const rows: readonly Row[] = [
  [
    'R19',
    'another product is a plan change',
    price('gold', 3000),
    [1, 1],
    'Upgrade/plan_change 1000>3000 q1>1',
    'CS-fld',
  ],
  [
    'R19',
    'monthly to a discounted year of the same product is a plan change and a Downgrade',
    sameProduct(9600, 'year'),
    [1, 1],
    'Downgrade/plan_change 1000>800 q1>1',
    'BM-cd',
  ],
  [
    'R19',
    'another unit price of the same product and interval is a price change',
    sameProduct(1200),
    [1, 1],
    'Upgrade/price_change 1000>1200 q1>1',
    'CS-fld',
  ],
  [
    'R19',
    'a new price object at the same amount with more seats is a quantity change',
    sameProduct(1000),
    [1, 3],
    'Upgrade/quantity_change 1000>3000 q1>3',
    'CS-fld',
  ],
  [
    'R19',
    'a dearer plan with fewer seats is down: the sign follows the MRR',
    price('gold', 1500),
    [10, 2],
    'Downgrade/plan_change 10000>3000 q10>2',
  ],
  [
    'R31',
    'dearer and more',
    sameProduct(1200),
    [10, 12],
    'Upgrade/price_change 10000>14400 q10>12',
    'CS-fld',
  ],
  ['R31', 'dearer and fewer', sameProduct(1200), [10, 5], 'Downgrade/price_change 10000>6000 q10>5'],
  ['R31', 'cheaper and more', sameProduct(900), [10, 20], 'Upgrade/price_change 10000>18000 q10>20'],
  ['R31', 'half the price for twice the seats is no event', sameProduct(500), [10, 20], null],
]

const third = (quantity: number) => off(200 * quantity)

/** R19 and R31: the type of a change. */
export const changeTypes: readonly RuleExample[] = [
  ...rows.map(([rule, name, after, [before, quantity], event, from]): RuleExample => {
    const first = newAt(1000 * before, '2025-01-01', before)
    const events = event === null ? [first] : [first, `2025-02-01 ${event}`]
    return { rule, name, account: switched(after, quantity, before), events, ...(from && { from }) }
  }),
  {
    rule: 'R19',
    name: 'seats under the same coupon are a quantity change although more cents come off',
    account: lived(
      item(pro, 3),
      [bill(pro, 1, '2025-01-01', third(1)), bill(pro, 3, '2025-02-01', third(3))],
      { asOf },
    ),
    events: [newAt(1800), '2025-02-01 Upgrade/quantity_change 1800>5400 q1>3'],
  },
  {
    rule: 'R19',
    name: 'an item replaced by another in one second is one plan change',
    from: 'BR',
    account: lived(
      item(price('gold', 5000), 1, { id: 'si_9' }),
      [
        ...renewals(pro, 1, ['2025-01-01']),
        invoice('2025-01-16', [
          line(pro, 1, {
            from: '2025-01-16',
            to: '2025-02-01',
            amountCents: -1000,
            isProration: true,
            isCredit: true,
          }),
          line(price('gold', 5000), 1, {
            from: '2025-01-16',
            to: '2025-02-01',
            subscriptionItemId: 'si_9',
            amountCents: 2580,
            isProration: true,
          }),
        ]),
      ],
      { prices: [pro] },
    ),
    events: [newAt(2000), '2025-01-16 Upgrade/plan_change 2000>5000 q1>1'],
  },
]

const tenSeats = renewals(seat, 10, ['2025-01-01'])
const first = newAt(10_000, '2025-01-01', 10)
const seats = (from: string, before: number, after: number) =>
  prorations(
    { of: seat, quantity: before, amountCents: before * 500 },
    { of: seat, quantity: after, amountCents: after * 500 },
    { from, to: '2025-02-01' },
  )
const inFebruary = (lines: ReturnType<typeof seats>, now: number) =>
  lived(
    item(seat, now),
    [...tenSeats, invoice('2025-02-01', [...lines, line(seat, now, { from: '2025-02-01' })])],
    {
      asOf,
    },
  )
const unbilled = item(price('extra', 500), 1, { id: 'si_2', createdAt: on('2025-01-10') })

/** R20, R21 and R37: whether there is an event, and when. */
export const instants: readonly RuleExample[] = [
  {
    rule: 'R20',
    name: 'renewals are silent',
    from: 'CM-moves',
    account: lived(item(pro), renewals(pro, 1, ['2025-01-01', '2025-02-01', '2025-03-01']), {
      asOf: '2025-03-02',
    }),
    events: [newAt(2000)],
  },
  {
    rule: 'R20',
    name: 'a missing invoice carries the last value on',
    from: 'FT',
    account: lived(item(pro), renewals(pro, 1, ['2025-01-01', '2025-04-01']), { asOf: '2025-05-01' }),
    events: [newAt(2000)],
  },
  {
    rule: 'R20',
    name: 'no bill for 45 days and more is no Churn while the status counts',
    from: 'PH-mrr',
    account: lived(item(pro), renewals(pro, 1, ['2025-01-01']), { asOf: '2025-06-01' }),
    events: [newAt(2000)],
  },
  {
    rule: 'R21',
    name: 'without proration the change is dated at the cycle line that first shows it',
    from: 'CM-diff',
    account: lived(item(seat, 12), [...tenSeats, ...renewals(seat, 12, ['2025-02-01'])], { asOf }),
    events: [first, '2025-02-01 Upgrade/quantity_change 10000>12000 q10>12'],
  },
  {
    rule: 'R21',
    name: 'with a proration it is dated at its line, up to a month before its invoice',
    from: 'CS-ov',
    account: inFebruary(seats('2025-01-16', 10, 11), 11),
    events: [first, '2025-01-16 Upgrade/quantity_change 10000>11000 q10>11'],
  },
  {
    rule: 'R21',
    name: 'seats that no invoice shows count from when they were first seen',
    account: lived(item(pro, 3), renewals(pro, 1, ['2025-01-01'])),
    events: [newAt(2000), '2025-01-20 Upgrade/quantity_change 2000>6000 q1>3'],
  },
  {
    rule: 'R21',
    name: 'an item that no invoice shows begins when it was made',
    account: lived([item(pro), unbilled], renewals(pro, 1, ['2025-01-01'])),
    events: [newAt(2000), '2025-01-10 Upgrade/plan_change 2000>2500 q1>2'],
  },
  {
    rule: 'R21',
    name: 'seats of a new period without its invoice count from the start of that period',
    account: lived(
      item(pro, 3, { periodStart: on('2025-02-01'), periodEnd: on('2025-03-01') }),
      [...renewals(pro, 1, ['2025-01-01']), bill(pro, 3, '2025-02-01', {}, { status: 'draft' })],
      { asOf },
    ),
    events: [newAt(2000), '2025-02-01 Upgrade/quantity_change 2000>6000 q1>3'],
  },
  {
    rule: 'R20',
    name: 'a new cycle on the day of a credit is no gap',
    account: lived(item(pro, 1, { periodStart: on('2025-01-10T12:00:00Z') }), [
      bill(pro, 1, '2025-01-01'),
      invoice('2025-01-10', [
        line(pro, 1, {
          from: '2025-01-10',
          to: '2025-02-01',
          amountCents: -1419,
          isProration: true,
          isCredit: true,
        }),
      ]),
      bill(pro, 1, '2025-01-10T12:00:00Z'),
    ]),
    events: [newAt(2000)],
  },
  {
    rule: 'R21',
    name: 'a service period that ends before it starts is reported, not counted',
    account: lived(item(pro), [bill(pro, 1, '2025-02-01', { to: '2025-01-01' })], { asOf }),
    events: [],
    unsupported: 'the service period ends at 2025-01-01T00:00:00Z, before it starts at 2025-02-01T00:00:00Z',
  },
  {
    rule: 'R21',
    name: 'a service period that starts in 1970 is reported, not counted',
    account: lived(item(pro), [bill(pro, 1, '1970-01-01')]),
    events: [],
    unsupported: 'the service period starts at 1970-01-01T00:00:00Z',
  },
  {
    rule: 'R37',
    name: 'a flip and back in one second is no event',
    account: inFebruary([...seats('2025-01-10', 10, 20), ...seats('2025-01-10', 20, 10)], 10),
    events: [first],
  },
  {
    rule: 'R37',
    name: 'lines of one invoice a few seconds apart come from one request',
    account: inFebruary(
      [...seats('2025-01-16T10:00:00Z', 10, 12), ...seats('2025-01-16T10:00:05Z', 12, 15)],
      15,
    ),
    events: [first, '2025-01-16T10:00:00Z Upgrade/quantity_change 10000>15000 q10>15'],
  },
  {
    rule: 'R37',
    name: 'a flip undone hours later on the same day, billed by one invoice, is no event',
    from: 'BM-cd',
    account: inFebruary(
      [...seats('2025-01-16T10:00:00Z', 10, 12), ...seats('2025-01-16T15:30:00Z', 12, 10)],
      10,
    ),
    events: [first],
  },
  {
    rule: 'R37',
    name: 'changes of one day on one invoice are one event, when the last of them begins',
    account: inFebruary(
      [...seats('2025-01-16T10:00:00Z', 10, 12), ...seats('2025-01-16T15:30:00Z', 12, 15)],
      15,
    ),
    events: [first, '2025-01-16T15:30:00Z Upgrade/quantity_change 10000>15000 q10>15'],
  },
  {
    rule: 'R37',
    name: 'there and back on different days of one period are two events',
    from: 'ST-CH1',
    account: inFebruary([...seats('2025-01-10', 10, 12), ...seats('2025-01-20', 12, 10)], 10),
    events: [
      first,
      '2025-01-10 Upgrade/quantity_change 10000>12000 q10>12',
      '2025-01-20 Downgrade/quantity_change 12000>10000 q12>10',
    ],
  },
]
