import { invoice, item, line, price, prorations, renewals } from '../examples.ts'
import { bought, ended, lived, newAt, pro, type RuleExample, together } from './example.ts'

const extra = price('extra', 500)
const platform = price('platform', 10_000, '3 month')
const monthly = price('monthly', 1500)
const both = [item(platform), item(monthly, 1, { id: 'si_2' })]
const second = { subscriptionItemId: 'si_2' }
const ofMonth = (from: string) => line(monthly, 1, { from, ...second })
const firstQuarter = invoice('2025-01-01', [line(platform, 1, { from: '2025-01-01' }), ofMonth('2025-01-01')])

const pair = (from: string, cents: readonly [number, number]) =>
  invoice(from, [
    line({ ...pro, unitAmountDecimal: String(cents[0]) }, 1, { from }),
    line({ ...extra, unitAmountDecimal: String(cents[1]) }, 1, { from, ...second }),
  ])

const two = [bought('sub_a', '2025-01-01', ended('2025-03-01')), bought('sub_b', '2025-01-10')]
const bothEnd = [
  bought('sub_a', '2025-01-01', ended('2025-03-01')),
  bought('sub_b', '2025-01-10', ended('2025-03-10')),
]
const movement = { policy: { furtherSubscription: 'movement' } } as const

/** R3, R14, R15: subscriptions, their items, and customers with several subscriptions. */
export const grain: readonly RuleExample[] = [
  {
    rule: 'R3',
    name: 'the items of one subscription make one event, not one each',
    from: 'CS-fld',
    account: lived(
      [item(pro), item(extra, 2, { id: 'si_2' })],
      [
        invoice('2025-01-01', [
          line(pro, 1, { from: '2025-01-01' }),
          line(extra, 2, { from: '2025-01-01', ...second }),
        ]),
      ],
    ),
    events: [newAt(3000, '2025-01-01', 3)],
  },
  {
    rule: 'R3',
    name: 'two subscriptions of one customer keep two ledgers',
    from: 'CS-fld',
    account: together([bought('sub_a', '2025-01-01'), bought('sub_b', '2025-01-10')], '2025-02-01'),
    events: [`sub_a ${newAt(2000)}`, `sub_b ${newAt(2000, '2025-01-10')}`],
  },
  {
    rule: 'R3',
    name: 'one item up and another down by as much in one second is no event',
    account: lived(
      [item(pro), item(extra, 1, { id: 'si_2' })],
      [pair('2025-01-01', [2000, 500]), pair('2025-02-01', [1500, 1000])],
      { asOf: '2025-02-02' },
    ),
    events: [newAt(2500, '2025-01-01', 2)],
  },
  {
    rule: 'R14',
    name: '100 a quarter and 15 a month: a month without the quarterly line is no change',
    from: 'ST-mix',
    account: lived(
      both,
      [
        firstQuarter,
        invoice('2025-02-01', [ofMonth('2025-02-01')]),
        invoice('2025-03-01', [ofMonth('2025-03-01')]),
        invoice('2025-04-01', [line(platform, 1, { from: '2025-04-01' }), ofMonth('2025-04-01')]),
      ],
      { asOf: '2025-04-02' },
    ),
    events: [newAt(4833, '2025-01-01', 2)],
  },
  {
    rule: 'R14',
    name: 'an item without its own renewal or credit ends with its own period',
    account: lived(
      item(monthly, 1, { id: 'si_2' }),
      [
        firstQuarter,
        invoice('2025-02-01', [ofMonth('2025-02-01')]),
        invoice('2025-04-01', [ofMonth('2025-04-01')]),
      ],
      { prices: [platform], asOf: '2025-04-05' },
    ),
    events: [newAt(4833, '2025-01-01', 2), '2025-04-01 Downgrade/plan_change 4833>1500 q2>1'],
  },
  {
    rule: 'R14',
    name: 'items billed on separate invoices are one sum',
    from: 'ST-mix',
    account: lived(both, [
      invoice('2025-01-01', [line(platform, 1, { from: '2025-01-01' })], { id: 'in_platform' }),
      invoice('2025-01-01', [ofMonth('2025-01-01')], { id: 'in_monthly' }),
    ]),
    events: [newAt(4833, '2025-01-01', 2)],
  },
  {
    rule: 'R14',
    name: 'a bill that names an unknown item for the same price and seats is of the item that has none',
    account: lived(item(pro, 1, { id: 'si_new' }), [
      invoice('2025-01-01', [line(pro, 1, { from: '2025-01-01', subscriptionItemId: 'si_old' })]),
    ]),
    events: [newAt(2000)],
  },
  {
    rule: 'R15',
    name: 'a further subscription is New and its end a Churn',
    from: 'CS-churn',
    account: together(two, '2025-04-01'),
    events: [
      `sub_a ${newAt(2000)}`,
      `sub_b ${newAt(2000, '2025-01-10')}`,
      'sub_a 2025-03-01 Churn/cancellation 2000>0 q1>0',
    ],
  },
  {
    rule: 'R15',
    name: 'setting: an Upgrade and a Downgrade while another pays',
    from: 'CM-life',
    account: together(two, '2025-04-01', movement),
    events: [
      `sub_a ${newAt(2000)}`,
      'sub_b 2025-01-10 Upgrade/new_subscription 0>2000 q0>1',
      'sub_a 2025-03-01 Downgrade/cancellation 2000>0 q1>0',
    ],
  },
  {
    rule: 'R15',
    name: 'setting: the last one to go is a Churn all the same',
    from: 'CM-life',
    account: together(bothEnd, '2025-04-01', movement),
    events: [
      `sub_a ${newAt(2000)}`,
      'sub_b 2025-01-10 Upgrade/new_subscription 0>2000 q0>1',
      'sub_a 2025-03-01 Downgrade/cancellation 2000>0 q1>0',
      'sub_b 2025-03-10 Churn/cancellation 2000>0 q1>0',
    ],
  },
  {
    rule: 'R12',
    name: 'an item taken away with a credit ends at the credit',
    account: lived(
      item(monthly, 1, { id: 'si_2' }),
      [
        firstQuarter,
        invoice('2025-02-01', [
          ...prorations(
            { of: platform, quantity: 1, amountCents: 8_889 },
            { of: platform, quantity: 1, amountCents: 0 },
            { from: '2025-01-11', to: '2025-04-01' },
          ).slice(0, 1),
          ofMonth('2025-02-01'),
        ]),
      ],
      { prices: [platform], asOf: '2025-02-02' },
    ),
    events: [newAt(4833, '2025-01-01', 2), '2025-01-11 Downgrade/plan_change 4833>1500 q2>1'],
  },
  {
    rule: 'R12',
    name: 'a part of a month is carried to the whole: 5 of 10 dollars for a seat are 10',
    from: 'RE-mid',
    account: lived(item(price('ten', 1000), 2), [
      ...renewals(price('ten', 1000), 1, ['2025-01-01']),
      invoice(
        '2025-01-16',
        prorations(
          { of: price('ten', 1000), quantity: 1, amountCents: 500 },
          { of: price('ten', 1000), quantity: 2, amountCents: 1000 },
          { from: '2025-01-16', to: '2025-02-01' },
        ),
      ),
    ]),
    events: [newAt(1000), '2025-01-16 Upgrade/quantity_change 1000>2000 q1>2'],
  },
]
