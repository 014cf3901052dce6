import { coupon, discount, invoice, item, line, prorations, renewals } from '../examples.ts'
import { bill, bought, free, lived, newAt, off, pro, type RuleExample, together } from './example.ts'

const march = '2025-03-02'
const asOf = '2025-02-02'
const awayBy = (duration: string) => [
  ...renewals(pro, 1, ['2025-01-01', '2025-03-01']),
  bill(pro, 1, '2025-02-01', off(2000), {
    discounts: [discount(coupon('c', { percentOff: 100, duration }))],
  }),
]

const stretch = { from: '2025-01-16', to: '2025-02-01' }
const threeSeats = { of: pro, quantity: 3, amountCents: 3097 }
/** Only the credit of a change from three seats to none. */
const givenBack = invoice(
  '2025-01-16',
  prorations(threeSeats, { ...threeSeats, quantity: 0 }, stretch).slice(0, 1),
)
const noSeats = [newAt(6000, '2025-01-01', 3), '2025-01-16 Churn/quantity_change 6000>0 q3>0']

/** R10 and R11: subscriptions worth nothing, and those that fall to zero. */
export const zero: readonly RuleExample[] = [
  {
    rule: 'R10',
    name: 'a free plan alone makes no event',
    from: 'CM-set',
    account: lived(item(free), renewals(free, 1, ['2025-01-01'])),
    events: [],
  },
  {
    rule: 'R10',
    name: 'from free to paid is New',
    from: 'BM-mrr',
    account: lived(item(pro), [...renewals(free, 1, ['2025-01-01']), ...renewals(pro, 1, ['2025-02-01'])], {
      prices: [free],
      asOf,
    }),
    events: ['2025-02-01 New/new_subscription 0>2000 q0>1'],
  },
  {
    rule: 'R10',
    name: 'from free to paid inside a period: the credit of 0 is not what stands',
    account: lived(
      item(pro),
      [
        ...renewals(free, 1, ['2025-01-01']),
        invoice('2025-01-16', [
          line(pro, 1, { from: '2025-01-16', to: '2025-02-01', amountCents: 1032, isProration: true }),
          line(free, 1, { from: '2025-01-16', to: '2025-02-01', isProration: true }),
        ]),
      ],
      { prices: [free] },
    ),
    events: [newAt(2000, '2025-01-16')],
  },
  {
    rule: 'R10',
    name: 'a free subscription beside a first paid one does not make it a return',
    account: together(
      [bought('sub_free', '2025-01-01', {}, free), bought('sub_paid', '2025-01-10')],
      '2025-02-01',
    ),
    events: [`sub_paid ${newAt(2000, '2025-01-10')}`],
  },
  ...[
    { name: '100% for ever behind a passing 50% is a Churn', all: { percentOff: 100 }, half: {} },
    {
      name: 'an amount of the whole price for ever behind a passing 50% is a Churn',
      all: { amountOffCents: 2000, currency: 'usd' },
      half: {},
    },
    {
      name: '50% for ever behind a passing 100% comes back',
      all: { percentOff: 50 },
      half: { percentOff: 100 },
      isPassing: true,
    },
  ].map(({ name, all, half, isPassing = false }) => ({
    rule: 'R11',
    name,
    account: lived(
      item(pro),
      [
        bill(pro, 1, '2025-01-01'),
        bill(
          pro,
          1,
          '2025-02-01',
          {
            discounts: [
              { id: 'di_half', amountCents: isPassing ? 2000 : 1000 },
              { id: 'di_all', amountCents: isPassing ? 0 : 1000 },
            ],
          },
          {
            discounts: [
              discount(coupon('half', { percentOff: 50, duration: 'repeating', ...half })),
              discount(coupon('all', all)),
            ],
          },
        ),
      ],
      { asOf },
    ),
    events: [newAt(2000), `2025-02-01 ${isPassing ? 'Downgrade' : 'Churn'}/price_change 2000>0 q1>1`],
  })),
  {
    rule: 'R11',
    name: 'a passing 100% coupon is a Downgrade to 0 and an Upgrade back',
    account: lived(item(pro), awayBy('once'), { asOf: march }),
    events: [
      newAt(2000),
      '2025-02-01 Downgrade/price_change 2000>0 q1>1',
      '2025-03-01 Upgrade/price_change 0>2000 q1>1',
    ],
  },
  {
    rule: 'R11',
    name: 'a lasting 100% coupon is a Churn by price, and its end a Reactivation',
    from: 'BM-mrr',
    account: lived(item(pro), awayBy('forever'), { asOf: march }),
    events: [
      newAt(2000),
      '2025-02-01 Churn/price_change 2000>0 q1>1',
      '2025-03-01 Reactivation/reactivation 0>2000 q1>1',
    ],
  },
  {
    rule: 'R11',
    name: 'a coupon that nobody knows any more is judged by what came after it',
    account: lived(
      item(pro),
      awayBy('once').map(({ discounts: _, ...rest }) => rest),
      { asOf: march },
    ),
    events: [
      newAt(2000),
      '2025-02-01 Downgrade/price_change 2000>0 q1>1',
      '2025-03-01 Upgrade/price_change 0>2000 q1>1',
    ],
  },
  {
    rule: 'R11',
    name: 'such a coupon with nothing after it is a Churn',
    account: lived(item(pro), [...renewals(pro, 1, ['2025-01-01']), bill(pro, 1, '2025-02-01', off(2000))], {
      asOf,
    }),
    events: [newAt(2000), '2025-02-01 Churn/price_change 2000>0 q1>1'],
  },
  {
    rule: 'R11',
    name: 'to the free plan is a Churn by plan',
    from: 'ST-CH2',
    account: lived(item(free), [...renewals(pro, 1, ['2025-01-01']), ...renewals(free, 1, ['2025-02-01'])], {
      prices: [pro],
      asOf,
    }),
    events: [newAt(2000), '2025-02-01 Churn/plan_change 2000>0 q1>1'],
  },
  {
    rule: 'R11',
    name: 'to no seats is a Churn by quantity',
    account: lived(item(pro, 0), [...renewals(pro, 2, ['2025-01-01']), ...renewals(pro, 0, ['2025-02-01'])], {
      asOf,
    }),
    events: [newAt(4000, '2025-01-01', 2), '2025-02-01 Churn/quantity_change 4000>0 q2>0'],
  },
  {
    rule: 'R11',
    name: 'to no seats by a credit alone is a Churn at the credit',
    account: lived(item(pro, 0), [bill(pro, 3, '2025-01-01'), givenBack]),
    events: noSeats,
  },
  {
    rule: 'R11',
    name: 'the same once it was renewed without seats',
    account: lived(item(pro, 0), [bill(pro, 3, '2025-01-01'), givenBack, bill(pro, 0, '2025-02-01')], {
      asOf,
    }),
    events: noSeats,
  },
  {
    rule: 'R11',
    name: 'the same with seats again inside the period is a Reactivation',
    account: lived(
      item(pro, 2),
      [
        bill(pro, 3, '2025-01-01'),
        givenBack,
        invoice('2025-01-20', [
          line(pro, 2, { from: '2025-01-20', to: '2025-02-01', amountCents: 1548, isProration: true }),
        ]),
      ],
      { asOf: '2025-01-22' },
    ),
    events: [...noSeats, '2025-01-20 Reactivation/reactivation 0>4000 q0>2'],
  },
  {
    rule: 'R11',
    name: 'inside a free month by coupon more seats are still worth nothing',
    account: lived(
      item(pro, 5),
      [
        bill(pro, 1, '2025-01-01', off(2000), {
          discounts: [discount(coupon('c', { percentOff: 100, duration: 'once' }))],
        }),
        invoice(
          '2025-01-16',
          prorations(
            { of: pro, quantity: 1, amountCents: 0 },
            { of: pro, quantity: 5, amountCents: 0 },
            { from: '2025-01-16', to: '2025-02-01' },
          ),
        ),
        ...renewals(pro, 5, ['2025-02-01']),
      ],
      { asOf },
    ),
    events: [newAt(10_000, '2025-02-01', 5)],
  },
]
