import type { PaymentSubscription } from '#domain/payments.ts'
import { item, on, renewals } from '../examples.ts'
import { bought, ended, free, lived, newAt, pro, type RuleExample, together } from './example.ts'

const january = renewals(pro, 1, ['2025-01-01'])
const asked = { canceledAt: on('2025-01-11') }
const atEnd = { ...ended('2025-02-01'), ...asked }
const life = (held: Partial<PaymentSubscription>, asOf = '2025-01-20') =>
  lived(item(pro), january, { held, asOf })
const planned = '2025-01-11 Planned_Cancellation/cancellation 2000>2000 q1>1'
const churn = '2025-02-01 Churn/cancellation 2000>0 q1>0'

/** R18 and R30: when a subscription ends, and when the end was requested. */
export const endings: readonly RuleExample[] = [
  {
    rule: 'R18',
    name: 'Churn on ended_at for the full MRR',
    from: 'CS-churn',
    account: life(ended('2025-02-01'), '2025-03-01'),
    events: [newAt(2000), churn],
  },
  {
    rule: 'R18',
    name: 'at once in the middle of a paid period: that day, not the end of the period',
    from: 'CM-churn',
    account: life(ended('2025-01-10')),
    events: [newAt(2000), '2025-01-10 Churn/cancellation 2000>0 q1>0'],
  },
  {
    rule: 'R30',
    name: 'an end at once that takes effect a second later was not planned',
    account: life({ ...ended('2025-01-11T00:00:01Z'), ...asked }),
    events: [newAt(2000), '2025-01-11T00:00:01Z Churn/cancellation 2000>0 q1>0'],
  },
  {
    rule: 'R18',
    name: 'a yearly plan that ends early is a Churn then: a repurchase is not counted twice',
    from: 'RE-term',
    account: together(
      [bought('sub_a', '2025-01-01', ended('2025-01-10')), bought('sub_b', '2025-01-12')],
      '2025-02-01',
    ),
    events: [
      `sub_a ${newAt(2000)}`,
      'sub_a 2025-01-10 Churn/cancellation 2000>0 q1>0',
      'sub_b 2025-01-12 Reactivation/reactivation 0>2000 q0>1',
    ],
  },
  {
    rule: 'R18',
    name: 'seen from before its end, it still goes on',
    account: life(atEnd),
    events: [newAt(2000), planned],
  },
  {
    rule: 'R18',
    name: 'setting: Churn when it was asked for',
    from: 'ST-CFG',
    account: { ...life(atEnd, '2025-03-01'), policy: { churnAt: 'request' } },
    events: [newAt(2000), '2025-01-11 Churn/cancellation 2000>0 q1>0'],
  },
  {
    rule: 'R30',
    name: 'a planned end is a row of its own when it was asked for, and a Churn later',
    from: 'CS-churn',
    account: life(atEnd, '2025-03-01'),
    events: [newAt(2000), planned, churn],
  },
  {
    rule: 'R30',
    name: 'asked for by cancel_at_period_end',
    account: life({ ...asked, cancelAtPeriodEnd: true }),
    events: [newAt(2000), planned],
  },
  {
    rule: 'R30',
    name: 'asked for by cancel_at alone',
    account: life({ ...asked, cancelAt: on('2025-06-01') }),
    events: [newAt(2000), planned],
  },
  {
    rule: 'R30',
    name: 'a withdrawn one that nobody saw leaves nothing to invent',
    account: life({}),
    events: [newAt(2000)],
  },
]

const free0 = renewals(free, 1, ['2025-02-01'])

/** R22 and R36: the customer's history. */
export const returns: readonly RuleExample[] = [
  {
    rule: 'R22',
    name: 'a customer who comes back after any gap is a Reactivation on the new subscription',
    from: 'CM-data',
    account: together(
      [bought('sub_a', '2022-01-01', ended('2022-02-01')), bought('sub_b', '2025-02-02')],
      '2025-03-01',
    ),
    events: [
      `sub_a ${newAt(2000, '2022-01-01')}`,
      'sub_a 2022-02-01 Churn/cancellation 2000>0 q1>0',
      'sub_b 2025-02-02 Reactivation/reactivation 0>2000 q0>1',
    ],
  },
  {
    rule: 'R22',
    name: 'the same subscription from 0 back to more is a Reactivation',
    from: 'ST-CH2',
    account: lived(item(pro), [...january, ...free0, ...renewals(pro, 1, ['2025-03-01'])], {
      prices: [free],
      asOf: '2025-03-02',
    }),
    events: [
      newAt(2000),
      '2025-02-01 Churn/plan_change 2000>0 q1>1',
      '2025-03-01 Reactivation/reactivation 0>2000 q1>1',
    ],
  },
  {
    rule: 'R22',
    name: 'while another subscription still pays, a further one is no return',
    account: together(
      [
        bought('sub_a', '2025-01-01', ended('2025-02-01')),
        bought('sub_b', '2025-01-05'),
        bought('sub_c', '2025-03-01'),
      ],
      '2025-03-02',
    ),
    events: [
      `sub_a ${newAt(2000)}`,
      `sub_b ${newAt(2000, '2025-01-05')}`,
      'sub_a 2025-02-01 Churn/cancellation 2000>0 q1>0',
      `sub_c ${newAt(2000, '2025-03-01')}`,
    ],
  },
  {
    rule: 'R22',
    name: 'of two that begin in one second the first brings the customer back, the second is a further one',
    account: together(
      [
        bought('sub_a', '2025-01-01', ended('2025-02-01')),
        bought('sub_b', '2025-03-01'),
        bought('sub_c', '2025-03-01'),
      ],
      '2025-03-02',
    ),
    events: [
      `sub_a ${newAt(2000)}`,
      'sub_a 2025-02-01 Churn/cancellation 2000>0 q1>0',
      'sub_b 2025-03-01 Reactivation/reactivation 0>2000 q0>1',
      `sub_c ${newAt(2000, '2025-03-01')}`,
    ],
  },
  {
    rule: 'R22',
    name: 'what ends and begins in one second is a return',
    account: together(
      [bought('sub_a', '2025-01-01', ended('2025-03-01')), bought('sub_b', '2025-03-01')],
      '2025-03-02',
      {
        policy: { recreateWithinSeconds: 0 },
      },
    ),
    events: [
      `sub_a ${newAt(2000)}`,
      'sub_a 2025-03-01 Churn/cancellation 2000>0 q1>0',
      'sub_b 2025-03-01 Reactivation/reactivation 0>2000 q0>1',
    ],
  },
  {
    rule: 'R36',
    name: 'two customer ids are two customers, each New',
    from: 'PW-csv',
    account: together([bought('sub_b', '2025-03-01', { customerId: 'cus_2' })], '2025-04-01'),
    events: [newAt(2000, '2025-03-01')],
  },
  {
    rule: 'R36',
    name: 'joined under one customer the second is a Reactivation, the amounts stay',
    from: 'CM-mig',
    account: together(
      [bought('sub_a', '2025-01-01', ended('2025-02-01')), bought('sub_b', '2025-03-01')],
      '2025-04-01',
    ),
    events: [
      `sub_a ${newAt(2000)}`,
      'sub_a 2025-02-01 Churn/cancellation 2000>0 q1>0',
      'sub_b 2025-03-01 Reactivation/reactivation 0>2000 q0>1',
    ],
  },
  {
    rule: 'R36',
    name: 'joined while the first still pays, both are New',
    from: 'CM-mig',
    account: together([bought('sub_a', '2025-01-01'), bought('sub_b', '2025-03-01')], '2025-04-01'),
    events: [`sub_a ${newAt(2000)}`, `sub_b ${newAt(2000, '2025-03-01')}`],
  },
  {
    rule: 'R36',
    name: 'names and addresses on invoices decide nothing',
    account: lived(
      item(pro),
      january.map((of) => ({ ...of, customerName: 'Ada', customerEmail: 'ada@example.com' })),
    ),
    events: [newAt(2000)],
  },
]
