import { coupon, discount, invoice, item, line, on, price, prorations, renewals } from '../examples.ts'
import { bill, ended, lived, newAt, off, pro, type RuleExample } from './example.ts'

const moved = { startedAt: on('2024-03-01'), createdAt: on('2025-01-15') }
const anchored = { createdAt: on('2025-01-15'), startedAt: on('2025-01-15'), anchorAt: on('2025-02-01') }
const firstPeriod = {
  createdAt: on('2025-01-15'),
  periodStart: on('2025-01-15'),
  periodEnd: on('2025-02-01'),
}
const yearly = price('yearly', 24_000, 'year')
const gold = price('gold', 9000)
const change = (status: string) =>
  invoice(
    '2025-01-16',
    prorations(
      { of: pro, quantity: 1, amountCents: 1000 },
      { of: gold, quantity: 1, amountCents: 4500 },
      { from: '2025-01-16T12:00:00Z', to: '2025-02-01' },
    ),
    { id: 'in_change', status },
  )
const waiting = { pendingInvoiceId: 'in_change' }

/** R32, R16: subscriptions whose first bill comes after their start. */
export const firstBills: readonly RuleExample[] = [
  {
    rule: 'R32',
    name: 'moved from another system and billed first a year later: New at its start',
    account: lived(item(pro, 1, { createdAt: on('2025-01-15') }), renewals(pro, 1, ['2025-03-01']), {
      held: moved,
      asOf: '2025-03-02',
    }),
    events: [newAt(2000, '2024-03-01')],
  },
  {
    rule: 'R32',
    name: 'the same, read before its first bill',
    account: lived(item(pro, 1, { createdAt: on('2025-01-15') }), [], { held: moved }),
    events: [newAt(2000, '2024-03-01')],
  },
  {
    rule: 'R32',
    name: 'the same where the customer leaves before the first bill, read only then',
    account: lived(item(pro, 1, { createdAt: on('2025-01-15') }), [], {
      held: { ...moved, ...ended('2025-02-20') },
      asOf: '2025-02-21',
    }),
    events: [newAt(2000, '2024-03-01'), '2025-02-20 Churn/cancellation 2000>0 q1>0'],
  },
  {
    rule: 'R32',
    name: 'a month and a year of one moved subscription are one New, though the year is billed months later',
    account: lived(
      [
        item(pro, 1, { createdAt: on('2025-01-15') }),
        item(yearly, 1, { id: 'si_2', createdAt: on('2025-01-15'), periodStart: on('2024-06-01') }),
      ],
      renewals(pro, 1, ['2025-02-01']),
      { held: moved, asOf: '2025-02-02' },
    ),
    events: [newAt(4000, '2024-03-01', 2)],
  },
  {
    rule: 'R32',
    name: 'what was added later to a moved subscription counts from its own first bill',
    account: lived(
      [
        item(pro, 1, { createdAt: on('2025-01-15') }),
        item(yearly, 1, { id: 'si_2', createdAt: on('2025-02-10') }),
      ],
      [...renewals(pro, 1, ['2025-02-01']), bill(yearly, 1, '2025-02-10', { subscriptionItemId: 'si_2' })],
      { held: moved, asOf: '2025-02-12' },
    ),
    events: [newAt(2000, '2024-03-01'), '2025-02-10 Upgrade/plan_change 2000>4000 q1>2'],
  },
  {
    rule: 'R16',
    name: 'nothing is billed until the first billing day: nothing until then',
    account: lived(item(pro, 1, firstPeriod), [], { held: anchored }),
    events: [],
    currentMrr: { usd: 0 },
  },
  {
    rule: 'R16',
    name: 'the same once it was billed: New on the first billing day',
    account: lived(item(pro), renewals(pro, 1, ['2025-02-01']), { held: anchored, asOf: '2025-02-02' }),
    events: [newAt(2000, '2025-02-01')],
  },
  {
    rule: 'R16',
    name: 'the same while the bill of that day is still a draft',
    account: lived(item(pro), [bill(pro, 1, '2025-02-01', {}, { status: 'draft' })], {
      held: anchored,
      asOf: '2025-02-01T00:30:00Z',
    }),
    events: [newAt(2000, '2025-02-01')],
  },
  {
    rule: 'R16',
    name: 'a line of 0 for the time before the first billing day says the same',
    account: lived(
      item(pro),
      [bill(pro, 1, '2025-01-15', { to: '2025-02-01', amountCents: 0 }), ...renewals(pro, 1, ['2025-02-01'])],
      { held: anchored, asOf: '2025-02-02' },
    ),
    events: [newAt(2000, '2025-02-01')],
  },
  {
    rule: 'R16',
    name: 'a trial line of 0 that names a coupon of more than it is a trial',
    account: lived(
      item(pro),
      [
        bill(pro, 1, '2025-01-01', {
          to: '2025-01-15',
          amountCents: 0,
          discounts: [{ id: 'di_five', amountCents: 500 }],
        }),
        bill(pro, 1, '2025-01-15', { discounts: [{ id: 'di_five', amountCents: 500 }] }),
      ],
      {
        held: {
          trialStart: on('2025-01-01'),
          trialEnd: on('2025-01-15'),
          discounts: [discount(coupon('five', { amountOffCents: 500, currency: 'usd' }))],
        },
      },
    ),
    events: [newAt(1500, '2025-01-15')],
  },
]

/** R26: changes that take effect only when paid. */
export const pendingChanges: readonly RuleExample[] = [
  {
    rule: 'R26',
    name: 'the open invoice of a change that waits for its payment says nothing',
    account: lived(item(pro), [...renewals(pro, 1, ['2025-01-01']), change('open')], { held: waiting }),
    events: [newAt(2000)],
  },
  {
    rule: 'R26',
    name: 'paid between the reading of the subscription and of the invoice it still says nothing',
    account: lived(item(pro), [...renewals(pro, 1, ['2025-01-01']), change('paid')], { held: waiting }),
    events: [newAt(2000)],
  },
  {
    rule: 'R26',
    name: 'an open invoice of a change that was made counts',
    account: lived(item(gold), [...renewals(pro, 1, ['2025-01-01']), change('open')], {
      prices: [pro],
    }),
    events: [newAt(2000), '2025-01-16T12:00:00Z Upgrade/plan_change 2000>9000 q1>1'],
  },
  {
    rule: 'R26',
    name: 'the regular invoice that is the latest one counts, whatever waits',
    account: lived(item(pro), [bill(pro, 1, '2025-01-01', {}, { id: 'in_change' })], { held: waiting }),
    events: [newAt(2000)],
  },
  ...[
    { name: 'a trial that ends early once it is paid goes on until then', every: pro, isTrial: true },
    { name: 'a new cycle at the full price, without proration, waits for its payment too', every: gold },
  ].map(({ name, every, isTrial = false }) => ({
    rule: 'R26',
    name,
    account: lived(
      item(pro, 1, { periodEnd: on('2025-01-31') }),
      [
        bill(pro, 1, '2025-01-01', isTrial ? { to: '2025-01-31', amountCents: 0 } : {}),
        bill(every, 1, '2025-01-16', {}, { id: 'in_change', status: 'open' }),
      ],
      {
        held: {
          ...waiting,
          ...(isTrial && {
            status: 'trialing',
            trialStart: on('2025-01-01'),
            trialEnd: on('2025-01-31'),
          }),
        },
        prices: [gold],
      },
    ),
    events: isTrial ? [] : [newAt(2000)],
  })),
  {
    rule: 'R26',
    name: 'the open renewal of a month beside a year counts, whatever waits',
    account: lived(
      [
        item(pro, 1, { periodStart: on('2025-02-01'), periodEnd: on('2025-03-01') }),
        item(yearly, 1, { id: 'si_2', periodEnd: on('2026-01-01') }),
      ],
      [
        invoice('2025-01-01', [
          line(pro, 1, { from: '2025-01-01' }),
          line(yearly, 1, { from: '2025-01-01', subscriptionItemId: 'si_2' }),
        ]),
        bill(pro, 1, '2025-02-01', off(500), { status: 'open' }),
      ],
      { held: waiting, asOf: '2025-02-10' },
    ),
    events: [newAt(4000, '2025-01-01', 2), '2025-02-01 Downgrade/price_change 4000>3500 q2>2'],
  },
]
