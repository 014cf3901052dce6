import { coupon, discount, invoice, item, on, price, prorations, renewals } from '../examples.ts'
import { bill, ended, lived, newAt, off, pro, type RuleExample } from './example.ts'

const march = '2025-03-02'
const asOf = '2025-02-02'
const trial = { trialStart: on('2025-01-01'), trialEnd: on('2025-01-15') }
const onTrial = bill(pro, 1, '2025-01-01', { to: '2025-01-15', amountCents: 0 })
const gold = price('gold', 5000)
/** The trial ended in a pause, which was resumed on 28 January. */
const resumed = item(pro, 1, { periodStart: on('2025-01-28'), periodEnd: on('2025-02-28') })
const sinceResumed = { held: { ...trial, anchorAt: on('2025-01-28') }, asOf: '2025-01-29' }

/** R16: all kinds of trials. */
export const trials: readonly RuleExample[] = [
  {
    rule: 'R16',
    name: 'a trial makes no event',
    from: 'ST-BA',
    account: lived(item(pro), [onTrial], { held: { ...trial, status: 'trialing' }, asOf: '2025-01-05' }),
    events: [],
  },
  {
    rule: 'R16',
    name: 'New at the first paid period, which is the end of the trial',
    account: lived(item(pro), [onTrial, ...renewals(pro, 1, ['2025-01-15'])], { held: trial }),
    events: [newAt(2000, '2025-01-15')],
  },
  {
    rule: 'R16',
    name: 'New at the switch to active, even if that first invoice is not paid',
    from: 'ST-CH1',
    account: lived(item(pro), [onTrial, bill(pro, 1, '2025-01-15', {}, { status: 'open' })], { held: trial }),
    events: [newAt(2000, '2025-01-15')],
  },
  {
    rule: 'R16',
    name: 'New at the switch to active, while that first invoice is still a draft',
    from: 'ST-CH1',
    account: lived(item(pro), [onTrial, bill(pro, 1, '2025-01-15', {}, { status: 'draft' })], {
      held: trial,
    }),
    events: [newAt(2000, '2025-01-15')],
  },
  {
    rule: 'R16',
    name: 'without any invoice it begins after the trial',
    account: lived(item(pro), [], { held: trial }),
    events: [newAt(2000, '2025-01-15')],
  },
  {
    rule: 'R16',
    name: 'a trial that was moved here counts from its end, not from its start before',
    account: lived(item(pro), [], {
      held: { ...trial, startedAt: on('2024-12-01'), createdAt: on('2025-01-01') },
    }),
    events: [newAt(2000, '2025-01-15')],
  },
  {
    rule: 'R16',
    name: 'a trial that ended in a pause is free until it is resumed, while the bill of that is still a draft',
    account: lived(resumed, [onTrial, bill(pro, 1, '2025-01-28', {}, { status: 'draft' })], sinceResumed),
    events: [newAt(2000, '2025-01-28')],
  },
  {
    rule: 'R16',
    name: 'a trial that ended in a pause is free until it is resumed, without any invoice',
    account: lived(resumed, [], sinceResumed),
    events: [newAt(2000, '2025-01-28')],
  },
  ...[
    { name: 'a trial that ends before the first billing day is free until then', seen: '2025-01-20' },
    { name: 'the same once that day has come', seen: '2025-02-02' },
    { name: 'the same without any invoice', seen: '2025-01-20', isBare: true },
  ].map(({ name, seen, isBare = false }) => {
    const day = '2025-02-01'
    const hasCome = seen > day
    return {
      rule: 'R16',
      name,
      account: lived(item(pro), isBare ? [] : [onTrial, ...(hasCome ? renewals(pro, 1, [day]) : [])], {
        held: { ...trial, anchorAt: on(day) },
        asOf: seen,
      }),
      events: hasCome ? [newAt(2000, day)] : [],
    }
  }),
  {
    rule: 'R16',
    name: 'a cancelled trial makes no event, not even a planned cancellation',
    account: lived(item(pro), [onTrial], {
      held: { ...trial, status: 'canceled', canceledAt: on('2025-01-10'), endedAt: on('2025-01-15') },
      asOf,
    }),
    events: [],
  },
  {
    rule: 'R16',
    name: 'an upgrade inside a trial is still worth nothing',
    account: lived(
      item(gold),
      [
        onTrial,
        invoice(
          '2025-01-05',
          prorations(
            { of: pro, quantity: 1, amountCents: 0 },
            { of: gold, quantity: 1, amountCents: 0 },
            { from: '2025-01-05', to: '2025-01-15' },
          ),
        ),
        ...renewals(gold, 1, ['2025-01-15']),
      ],
      { held: trial, prices: [pro] },
    ),
    events: [newAt(5000, '2025-01-15')],
  },
  {
    rule: 'R16',
    name: 'a free month given to a payer keeps the MRR while no invoice says 0',
    from: 'GH-26533',
    account: lived(item(pro), renewals(pro, 1, ['2025-01-01']), {
      held: { status: 'trialing', trialStart: on('2025-02-01'), trialEnd: on('2025-03-01') },
      asOf: '2025-02-10',
    }),
    events: [newAt(2000)],
  },
  {
    rule: 'R16',
    name: 'a free month that is over counts again from its end, while the next invoice is still a draft',
    account: lived(
      item(pro, 1, { periodStart: on('2025-03-01'), periodEnd: on('2025-04-01') }),
      [...renewals(pro, 1, ['2025-01-01']), bill(pro, 1, '2025-02-01', { amountCents: 0 })],
      { asOf: march },
    ),
    events: [
      newAt(2000),
      '2025-02-01 Downgrade/price_change 2000>0 q1>1',
      '2025-03-01 Upgrade/price_change 0>2000 q1>1',
    ],
  },
  {
    rule: 'R16',
    name: 'a free month that an invoice says is a Downgrade and an Upgrade, never a Churn',
    from: 'GH-26533',
    account: lived(
      item(pro),
      [...renewals(pro, 1, ['2025-01-01', '2025-03-01']), bill(pro, 1, '2025-02-01', { amountCents: 0 })],
      { asOf: march },
    ),
    events: [
      newAt(2000),
      '2025-02-01 Downgrade/price_change 2000>0 q1>1',
      '2025-03-01 Upgrade/price_change 0>2000 q1>1',
    ],
  },
  {
    rule: 'R16',
    name: 'a free stretch of a payer who then leaves is the Churn, where MRR fell to 0, once',
    account: lived(
      item(pro),
      [...renewals(pro, 1, ['2025-01-01']), bill(pro, 1, '2025-02-01', { amountCents: 0 })],
      { held: ended('2025-02-20'), asOf: march },
    ),
    events: [newAt(2000), '2025-02-01 Churn/price_change 2000>0 q1>1'],
  },
  {
    rule: 'R16',
    name: 'a free month without an invoice, and then cancelled: the Churn is at its end',
    account: lived(item(pro), renewals(pro, 1, ['2025-01-01']), {
      held: { ...ended('2025-03-01'), trialStart: on('2025-02-01'), trialEnd: on('2025-03-01') },
      asOf: march,
    }),
    events: [newAt(2000), '2025-03-01 Churn/cancellation 2000>0 q1>0'],
  },
  {
    rule: 'R11',
    name: 'a coupon of 100 % for once, and then cancelled: the fall to 0 is the Churn',
    account: lived(
      item(pro),
      [...renewals(pro, 1, ['2025-01-01']), bill(pro, 1, '2025-02-01', off(2000, 'di_all'))],
      {
        held: {
          ...ended('2025-02-20'),
          discounts: [discount(coupon('all', { percentOff: 100, duration: 'once' }))],
        },
        asOf: march,
      },
    ),
    events: [newAt(2000), '2025-02-01 Churn/price_change 2000>0 q1>1'],
  },
]
