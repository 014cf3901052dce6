import { coupon, discount, invoice, item, line, on, price, renewals } from '../examples.ts'
import { bill, bought, ended, lived, newAt, pro, type RuleExample, together } from './example.ts'

const backdated = { startedAt: on('2024-11-01'), createdAt: on('2025-01-15') }
const half = discount(coupon('half', { percentOff: 50 }))
const elapsed = (amountCents: number) =>
  line(pro, 1, { from: '2024-11-01', to: '2025-02-01', amountCents, isProration: true })

/** R32: subscriptions that began before they were created. */
export const backdating: readonly RuleExample[] = [
  {
    rule: 'R32',
    name: 'one prorated line for what elapsed: New at the start date with one period’s MRR',
    from: 'ST-back',
    account: lived(item(pro), [invoice('2025-01-15', [elapsed(6000)]), ...renewals(pro, 1, ['2025-02-01'])], {
      held: backdated,
      asOf: '2025-02-02',
    }),
    events: [newAt(2000, '2024-11-01')],
  },
  {
    rule: 'R32',
    name: 'one line for each period that elapsed: they are not more MRR',
    from: 'ST-back',
    account: lived(
      item(pro),
      [
        invoice(
          '2025-01-15',
          ['2024-11-01', '2024-12-01', '2025-01-01'].map((from) => line(pro, 1, { from })),
        ),
      ],
      { held: backdated },
    ),
    events: [newAt(2000, '2024-11-01')],
  },
  {
    rule: 'R32',
    name: 'without charging for what elapsed it still begins at its start date',
    account: lived(item(pro), renewals(pro, 1, ['2025-01-15']), { held: backdated }),
    events: [newAt(2000, '2024-11-01')],
  },
  {
    rule: 'R32',
    name: 'a coupon inside the amount of what had elapsed',
    account: lived(item(pro), [invoice('2025-01-15', [elapsed(3000)])], {
      held: { ...backdated, discounts: [half] },
    }),
    events: [newAt(1000, '2024-11-01')],
  },
]

const dear = price('dear', 5000, 'month', { productId: 'prod_pro' })
const january = renewals(pro, 1, ['2025-01-01'])
const ahead = ['2025-01-01', '2025-02-01', '2025-03-01'].map((from, index) =>
  line({ ...pro, unitAmountDecimal: String(2000 + 100 * index) }, 1, { from, id: `il_${index}` }),
)

/** R33: planned changes. */
export const schedules: readonly RuleExample[] = [
  {
    rule: 'R33',
    name: 'a phase that begins next month is not in the MRR of now',
    from: 'CB-flexi',
    account: lived(item(pro), [...january, ...renewals(dear, 1, ['2025-02-01'])], { prices: [dear] }),
    events: [newAt(2000)],
  },
  {
    rule: 'R33',
    name: 'a phase counts from its start',
    from: 'CB-flexi',
    account: lived(item(dear), [...january, ...renewals(dear, 1, ['2025-02-01'])], {
      prices: [pro],
      asOf: '2025-02-01',
    }),
    events: [newAt(2000), '2025-02-01 Upgrade/price_change 2000>5000 q1>1'],
  },
  {
    rule: 'R33',
    name: 'a coupon that starts later is not taken off',
    account: lived(item(pro), [], { held: { discounts: [{ ...half, startedAt: on('2025-03-01') }] } }),
    events: [newAt(2000)],
  },
  {
    rule: 'R33',
    name: 'periods billed ahead count one at a time',
    account: lived(item(pro), [invoice('2025-01-01', ahead)]),
    events: [newAt(2000)],
  },
  {
    rule: 'R33',
    name: 'one line for three months ahead is three times the price, and one month’s MRR',
    account: lived(item(pro), [bill(pro, 1, '2025-01-01', { to: '2025-04-01', amountCents: 6000 })]),
    events: [newAt(2000)],
  },
]

const stub = (isProration: boolean) =>
  lived(
    item(pro),
    [
      bill(pro, 1, '2025-01-20', { to: '2025-02-01', amountCents: 774, isProration }),
      ...renewals(pro, 1, ['2025-02-01']),
    ],
    { held: { createdAt: on('2025-01-20') }, asOf: '2025-02-02' },
  )
const endsAt = '2025-03-01T08:00:00Z'
const again = [bought('sub_a', '2025-01-01', ended(endsAt)), bought('sub_b', '2025-03-01')] as const
const moved = (event: string, cents = 2000, end = endsAt) => [
  `sub_a ${newAt(2000)}`,
  `sub_b 2025-03-01 ${event} 0>${cents} q0>1`,
  `sub_a ${end} Churn/cancellation 2000>0 q1>0`,
]

/** R35: billing days, and subscriptions that moved. */
export const anchors: readonly RuleExample[] = [
  {
    rule: 'R35',
    name: 'a stub marked as proration counts a whole period',
    from: 'ST-cycle',
    account: stub(true),
    events: [newAt(2000, '2025-01-20')],
  },
  {
    rule: 'R35',
    name: 'a stub not marked as proration counts a whole period',
    from: 'ST-cycle',
    account: stub(false),
    events: [newAt(2000, '2025-01-20')],
  },
  {
    rule: 'R35',
    name: 'an anchor reset is no movement',
    account: lived(item(pro), [
      ...january,
      invoice('2025-01-16', [
        line(pro, 1, {
          from: '2025-01-16',
          to: '2025-02-01',
          amountCents: -1032,
          isProration: true,
          isCredit: true,
        }),
        line(pro, 1, { from: '2025-01-16' }),
      ]),
    ]),
    events: [newAt(2000)],
  },
  {
    rule: 'R35',
    name: 'cancelled and made again within a day at the same MRR is a Churn and a Reactivation, never New',
    from: 'CM-mig',
    account: together([...again], '2025-03-02'),
    events: moved('Reactivation/reactivation'),
  },
  {
    rule: 'R35',
    name: 'made again at another MRR, it is a further subscription',
    account: together([again[0], bought('sub_b', '2025-03-01', {}, dear)], '2025-03-02'),
    events: moved('New/new_subscription', 5000),
  },
  {
    rule: 'R35',
    name: 'made again more than a day before the other ends, it is a further subscription',
    account: together([bought('sub_a', '2025-01-01', ended('2025-03-02T08:00:00Z')), again[1]], '2025-03-03'),
    events: moved('New/new_subscription', 2000, '2025-03-02T08:00:00Z'),
  },
  {
    rule: 'R35',
    name: 'one that ends moves to one that starts: another that starts within the day is a further subscription',
    account: together(
      [
        bought('sub_a', '2025-01-01', ended('2025-03-02')),
        bought('sub_b', '2025-03-01T12:00:00Z'),
        bought('sub_c', '2025-03-01T18:00:00Z'),
      ],
      '2025-03-03',
    ),
    events: [
      `sub_a ${newAt(2000)}`,
      'sub_b 2025-03-01T12:00:00Z Reactivation/reactivation 0>2000 q0>1',
      `sub_c ${newAt(2000, '2025-03-01T18:00:00Z')}`,
      'sub_a 2025-03-02 Churn/cancellation 2000>0 q1>0',
    ],
  },
  {
    rule: 'R35',
    name: 'setting: not paired, it is a further subscription',
    account: together([...again], '2025-03-02', { policy: { recreateWithinSeconds: 0 } }),
    events: moved('New/new_subscription'),
  },
]
