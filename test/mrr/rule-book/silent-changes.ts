import type { PaymentPrice, PaymentSubscription } from '#domain/payments.ts'
import { coupon, discount, invoice, item, line, on, price, prorations } from '../examples.ts'
import { bill, lived, newAt, off, pro, type RuleExample } from './example.ts'

const yearly = price('yearly', 12_000, 'year')
const extra = { subscriptionItemId: 'si_2' }
const gold = price('gold', 4000)
const usage: PaymentPrice = price('usage', 3, 'month', { usageType: 'metered' })
const lasting = discount(coupon('lasting', { percentOff: 100 }))
const passing = discount(coupon('passing', { percentOff: 10, duration: 'once' }))
const quarter = discount(coupon('quarter', { percentOff: 25 }), { endsAt: on('2025-01-18') })
const dear = price('dear', 36_000, 'year')
const bothOf = (day: string) =>
  invoice(day, [line(yearly, 1, { from: day, ...extra }), line(pro, 1, { from: day })])

const weekly = price('weekly', 1_200, 'week')
/** A year that is gone when a month that began on one of its billing days is seen alone. */
const switchedInJuly = (held: Partial<PaymentSubscription>) =>
  lived(
    item(gold, 1, { id: 'si_2', periodStart: on('2025-09-01'), periodEnd: on('2025-10-01') }),
    [bill(yearly, 1, '2025-01-01'), bill(gold, 1, '2025-07-01', extra), bill(gold, 1, '2025-08-01', extra)],
    { prices: [yearly], asOf: '2025-09-10', held },
  )

/** R12, R14, R23: items that come or go without a line of their own. */
export const silentChanges: readonly RuleExample[] = [
  {
    rule: 'R14',
    name: 'an item changed with a credit and then gone without one ends with what was billed',
    account: lived(
      item(pro),
      [
        bothOf('2023-01-01'),
        invoice(
          '2023-07-01',
          prorations(
            { of: yearly, quantity: 1, amountCents: 6_049 },
            { of: yearly, quantity: 2, amountCents: 12_099 },
            { from: '2023-07-01', to: '2024-01-01', ...extra },
          ),
        ),
      ],
      { prices: [yearly] },
    ),
    events: [
      newAt(3000, '2023-01-01', 2),
      '2023-07-01 Upgrade/quantity_change 3000>4000 q2>3',
      '2024-01-01 Downgrade/plan_change 4000>2000 q3>1',
    ],
  },
  {
    rule: 'R23',
    name: 'an item that goes over to usage ends with what was billed',
    account: lived(
      [item(usage, null), item(pro, 1, { id: 'si_2' })],
      [bill(yearly, 1, '2024-01-01'), bill(pro, 1, '2024-01-01', extra, { id: 'in_pro' })],
      { prices: [yearly] },
    ),
    events: [newAt(3000, '2024-01-01', 2), '2025-01-01 Downgrade/plan_change 3000>2000 q2>1'],
  },
  {
    rule: 'R14',
    name: 'an item in the place of another, not billed yet: the other is gone since then',
    account: lived(
      item(gold, 1, { id: 'si_2', createdAt: on('2025-01-11'), periodStart: on('2025-01-01') }),
      [bill(pro, 1, '2025-01-01')],
      { prices: [pro] },
    ),
    events: [newAt(2000), '2025-01-11 Upgrade/plan_change 2000>4000 q1>1'],
  },
  {
    rule: 'R14',
    name: 'an item taken away with a credit and added again without a bill counts again',
    account: lived(
      [
        item(yearly, 1, { id: 'si_2', periodEnd: on('2026-01-01') }),
        item(pro, 1, { id: 'si_3', createdAt: on('2025-01-15') }),
      ],
      [
        bothOf('2025-01-01'),
        bill(pro, 1, '2025-01-11', {
          to: '2025-02-01',
          isProration: true,
          isCredit: true,
          amountCents: -1355,
        }),
      ],
    ),
    events: [
      newAt(3000, '2025-01-01', 2),
      '2025-01-11 Downgrade/plan_change 3000>1000 q2>1',
      '2025-01-15 Upgrade/plan_change 1000>3000 q1>2',
    ],
  },
  {
    rule: 'R9',
    name: 'an item not billed yet has its tax inside at the rate of the others',
    account: lived(
      [item(pro), item(price('extra', 1000), 1, { id: 'si_2', createdAt: on('2025-01-11') })],
      [bill(pro, 1, '2025-01-01', { inclusiveTaxCents: 319 })],
    ),
    events: [newAt(1681), '2025-01-11 Upgrade/plan_change 1681>2521 q1>2'],
  },
  {
    rule: 'R9',
    name: 'the tax of a small part of a period is read at the rate that the item had',
    account: lived(
      item(pro, 2),
      [
        bill(pro, 1, '2025-01-01', { inclusiveTaxCents: 400 }),
        invoice(
          '2025-01-31',
          prorations(
            { of: pro, quantity: 1, amountCents: 48 },
            { of: pro, quantity: 2, amountCents: 97 },
            { from: '2025-01-31T06:00:00Z', to: '2025-02-01' },
          ).map((part) => (part.amountCents > 0 ? { ...part, inclusiveTaxCents: 19 } : part)),
        ),
      ],
      { asOf: '2025-01-31T12:00:00Z' },
    ),
    events: [newAt(1600), '2025-01-31T06:00:00Z Upgrade/quantity_change 1600>3200 q1>2'],
  },
  {
    rule: 'R11',
    name: 'a passing coupon that takes nothing off does not make a lasting fall pass',
    account: lived(item(pro), [bill(pro, 1, '2025-01-01')], {
      held: { discounts: [lasting, passing].map((each) => ({ ...each, startedAt: on('2025-01-10') })) },
    }),
    events: [newAt(2000), '2025-01-20 Churn/price_change 2000>0 q1>1'],
  },
  {
    rule: 'R13',
    name: 'included: a new item bears the coupon that its line names, also when that has ended since',
    account: lived(
      [item(pro), item(gold, 1, { id: 'si_2', createdAt: on('2025-01-16T12:00:00Z') })],
      [
        bill(pro, 1, '2025-01-01'),
        bill(
          gold,
          1,
          '2025-01-16T12:00:00Z',
          {
            ...{ ...extra, to: '2025-02-01', isProration: true, amountCents: 1500 },
            ...off(0, quarter.id),
          },
          { discounts: [quarter] },
        ),
      ],
    ),
    events: [newAt(2000), '2025-01-16T12:00:00Z Upgrade/plan_change 2000>5000 q1>2'],
  },
  {
    rule: 'R19',
    name: 'an item in the place of another, with a new cycle and no credit: the other is gone since then',
    account: lived(
      item(dear, 1, { id: 'si_2', periodStart: on('2025-07-01'), periodEnd: on('2026-07-01') }),
      [bill(yearly, 1, '2025-01-01'), bill(dear, 1, '2025-07-01', extra)],
      { prices: [yearly], asOf: '2025-10-10' },
    ),
    events: [newAt(1000), '2025-07-01 Upgrade/plan_change 1000>3000 q1>1'],
  },
  {
    rule: 'R19',
    name: 'the same from months to years, on another day of the month, long ago',
    account: lived(
      item(yearly, 1, { id: 'si_2', periodStart: on('2026-01-16'), periodEnd: on('2027-01-16') }),
      [
        bill(gold, 1, '2025-01-01'),
        bill(yearly, 1, '2025-01-16', extra),
        bill(yearly, 1, '2026-01-16', extra),
      ],
      { prices: [gold], asOf: '2026-03-01' },
    ),
    events: [newAt(4000), '2025-01-16 Downgrade/plan_change 4000>1000 q1>1'],
  },
  {
    rule: 'R14',
    name: 'an item beside a year that is gone later, on its billing day: the year counts until it was seen gone',
    account: switchedInJuly({}),
    events: [
      newAt(1000),
      '2025-07-01 Upgrade/plan_change 1000>5000 q1>2',
      '2025-09-10 Downgrade/plan_change 5000>4000 q2>1',
    ],
  },
  {
    rule: 'R19',
    name: 'from years to months on a billing day: the new item set the anchor, so the year is gone since then',
    account: switchedInJuly({ anchorAt: on('2025-07-01') }),
    events: [newAt(1000), '2025-07-01 Upgrade/plan_change 1000>4000 q1>1'],
  },
  {
    rule: 'R19',
    name: 'the same in the classic billing mode, whose items have one interval, wherever the anchor is now',
    account: switchedInJuly({ anchorAt: on('2025-09-01'), mixesIntervalsSince: null }),
    events: [newAt(1000), '2025-07-01 Upgrade/plan_change 1000>4000 q1>1'],
  },
  {
    rule: 'R19',
    name: 'the same before the subscription went over to the flexible billing mode',
    account: switchedInJuly({ mixesIntervalsSince: on('2025-08-01') }),
    events: [newAt(1000), '2025-07-01 Upgrade/plan_change 1000>4000 q1>1'],
  },
  {
    rule: 'R14',
    name: 'and not since then: both may have counted until one was seen gone',
    account: switchedInJuly({ anchorAt: on('2025-01-01'), mixesIntervalsSince: on('2025-01-01') }),
    events: [
      newAt(1000),
      '2025-07-01 Upgrade/plan_change 1000>5000 q1>2',
      '2025-09-10 Downgrade/plan_change 5000>4000 q2>1',
    ],
  },
  {
    rule: 'R19',
    name: 'from weeks to months inside a week, without a credit',
    account: lived(
      item(gold, 1, { id: 'si_2', periodStart: on('2025-01-05'), periodEnd: on('2025-02-05') }),
      [
        bill(weekly, 1, '2025-01-01', { to: '2025-01-08' }),
        bill(gold, 1, '2025-01-05', { ...extra, to: '2025-02-05' }),
      ],
      { prices: [weekly], held: { anchorAt: on('2025-01-05') } },
    ),
    events: [newAt(5200), '2025-01-05 Downgrade/plan_change 5200>4000 q1>1'],
  },
]
