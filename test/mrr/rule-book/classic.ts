import type { PaymentPrice } from '#domain/payments.ts'
import { invoice, item, line, on, price } from '../examples.ts'
import { bill, lived, newAt, pro, type RuleExample } from './example.ts'

const addon = price('addon', 1000)
const gold = price('gold', 4000)

/** A part of a period as classic billing writes it: an invoice item, which names a price and no item. */
const part = (of: PaymentPrice, from: string, to: string, amountCents: number, quantity = 1) =>
  line(of, quantity, {
    from,
    to,
    amountCents,
    subscriptionItemId: null,
    isProration: true,
    isDiscountable: false,
    ...(amountCents < 0 && { isCredit: true }),
  })
const bought = part(addon, '2025-01-10', '2025-02-01', 710)
const givenBack = part(addon, '2025-01-20', '2025-02-01', -387)
const plus = (of: PaymentPrice, id = 'si_2', createdAt = on('2025-01-01')) => item(of, 1, { id, createdAt })
const both = (from: string, of: PaymentPrice = addon, id = 'si_2') => [
  line(pro, 1, { from }),
  line(of, 1, { from, subscriptionItemId: id }),
]
const upAndDown = [
  newAt(2000),
  '2025-01-10 Upgrade/plan_change 2000>3000 q1>2',
  '2025-01-20 Downgrade/plan_change 3000>2000 q2>1',
]

/** R12, R14: parts of a period that name no item. */
export const classic: readonly RuleExample[] = [
  {
    rule: 'R14',
    name: 'an item that came and went inside a period is no change of the only other one',
    account: lived(
      item(pro),
      [
        bill(pro, 1, '2025-01-01'),
        invoice('2025-02-01', [bought, givenBack, line(pro, 1, { from: '2025-02-01' })]),
      ],
      { prices: [addon], asOf: '2025-02-02' },
    ),
    events: upAndDown,
  },
  {
    rule: 'R14',
    name: 'the same where each change was billed at once',
    account: lived(
      item(pro),
      [bill(pro, 1, '2025-01-01'), invoice('2025-01-10', [bought]), invoice('2025-01-20', [givenBack])],
      { prices: [addon], asOf: '2025-01-25' },
    ),
    events: upAndDown,
  },
  ...['2025-02-02', '2025-01-20'].map((asOf) => ({
    rule: 'R37',
    name: `a plan that another took the place of within a second is not sold beside it, read on ${asOf}`,
    account: lived(
      item(gold, 2),
      [
        bill(pro, 1, '2025-01-01'),
        invoice('2025-01-16', [
          part(pro, '2025-01-16', '2025-02-01', -1032),
          part(addon, '2025-01-16', '2025-02-01', 516),
          part(addon, '2025-01-16', '2025-02-01', -516),
          part(gold, '2025-01-16', '2025-02-01', 4129, 2),
        ]),
        ...(asOf > '2025-02-01' ? [bill(gold, 2, '2025-02-01')] : []),
      ],
      { prices: [pro, addon], asOf },
    ),
    events: [newAt(2000), '2025-01-16 Upgrade/plan_change 2000>8000 q1>2'],
  })),
  {
    rule: 'R12',
    name: 'the same item twice in one period counts twice, and not in between',
    account: lived(
      item(pro),
      [
        bill(pro, 1, '2025-01-01'),
        invoice('2025-02-01', [
          part(addon, '2025-01-05', '2025-02-01', 871),
          part(addon, '2025-01-10', '2025-02-01', -710),
          part(addon, '2025-01-20', '2025-02-01', 387),
          part(addon, '2025-01-25', '2025-02-01', -226),
          line(pro, 1, { from: '2025-02-01' }),
        ]),
      ],
      { prices: [addon], asOf: '2025-02-02' },
    ),
    events: [
      newAt(2000),
      '2025-01-05 Upgrade/plan_change 2000>3000 q1>2',
      '2025-01-10 Downgrade/plan_change 3000>2000 q2>1',
      '2025-01-20 Upgrade/plan_change 2000>3000 q1>2',
      '2025-01-25 Downgrade/plan_change 3000>2000 q2>1',
    ],
  },
  {
    rule: 'R14',
    name: 'an item given back and bought again is two, and more of it counts from when it was seen',
    account: lived(
      [
        item(pro),
        item(addon, 2, { id: 'si_3', createdAt: on('2025-02-10') }),
        plus(gold, 'si_4', on('2025-02-10')),
      ],
      [
        invoice('2025-01-01', [
          line(pro, 1, { from: '2025-01-01' }),
          line(addon, 1, { from: '2025-01-01', subscriptionItemId: 'si_2' }),
        ]),
        invoice('2025-01-16', [part(addon, '2025-01-16', '2025-02-01', -516)]),
        bill(pro, 1, '2025-02-01'),
        invoice('2025-02-10', [
          part(addon, '2025-02-10', '2025-03-01', 679),
          part(gold, '2025-02-10', '2025-03-01', 2714),
        ]),
      ],
      { asOf: '2025-02-15' },
    ),
    events: [
      newAt(3000, '2025-01-01', 2),
      '2025-01-16 Downgrade/plan_change 3000>2000 q2>1',
      '2025-02-10 Upgrade/plan_change 2000>7000 q1>3',
      '2025-02-15 Upgrade/quantity_change 7000>8000 q3>4',
    ],
  },
  {
    rule: 'R12',
    name: 'a charge that begins seconds after the credit of the only item replaces that item',
    account: lived(
      item(addon),
      [
        bill(pro, 1, '2025-01-01'),
        invoice('2025-01-16', [
          part(pro, '2025-01-16', '2025-02-01', -1032),
          part(gold, '2025-01-16T00:00:02Z', '2025-02-01', 2064),
        ]),
        bill(addon, 1, '2025-02-01'),
      ],
      { prices: [pro, gold], asOf: '2025-02-02' },
    ),
    events: [
      newAt(2000),
      '2025-01-16 Upgrade/plan_change 2000>4000 q1>1',
      '2025-02-01 Downgrade/plan_change 4000>1000 q1>1',
    ],
  },
  {
    rule: 'R14',
    name: 'a price bought again counts beside the item that was switched from it',
    account: lived(
      item(gold),
      [
        bill(pro, 1, '2025-01-01'),
        invoice('2025-01-10', [
          part(pro, '2025-01-10', '2025-02-01', -1419),
          part(gold, '2025-01-10', '2025-02-01', 2838),
        ]),
        invoice('2025-01-20', [part(pro, '2025-01-20', '2025-02-01', 774)]),
        invoice('2025-01-25', [part(pro, '2025-01-25', '2025-02-01', -452)]),
      ],
      { prices: [pro], asOf: '2025-01-26' },
    ),
    events: [
      newAt(2000),
      '2025-01-10 Upgrade/plan_change 2000>4000 q1>1',
      '2025-01-20 Upgrade/plan_change 4000>6000 q1>2',
      '2025-01-25 Downgrade/plan_change 6000>4000 q2>1',
    ],
  },
  {
    rule: 'R12',
    name: 'a credit ends what was held before its second, not what begins in it',
    account: lived(
      [item(pro), plus(addon, 'si_4', on('2025-02-20'))],
      [
        invoice('2025-01-01', both('2025-01-01', gold)),
        invoice('2025-01-10', [
          part(gold, '2025-01-10', '2025-02-01', -2839),
          part(price('silver', 3000), '2025-01-10', '2025-02-01', 2129),
        ]),
        invoice('2025-01-20', [
          part(pro, '2025-01-20', '2025-02-01', -774),
          part(price('silver', 3000), '2025-01-20', '2025-02-01', -1161),
          ...both('2025-01-20', price('silver', 3000), 'si_3'),
        ]),
        invoice('2025-02-20', both('2025-02-20', addon, 'si_4')),
      ],
      { prices: [gold, price('silver', 3000)], asOf: '2025-02-21' },
    ),
    events: [
      newAt(6000, '2025-01-01', 2),
      '2025-01-10 Downgrade/plan_change 6000>5000 q2>2',
      '2025-02-20 Downgrade/plan_change 5000>3000 q2>2',
    ],
  },
  {
    rule: 'R12',
    name: 'more units of an item are its own, also where another item is renewed at its price',
    account: lived(
      item(addon),
      [
        invoice('2025-01-01', both('2025-01-01')),
        invoice('2025-02-01', [
          part(addon, '2025-01-10', '2025-02-01', -710),
          part(addon, '2025-01-10', '2025-02-01', 3548, 5),
          part(addon, '2025-01-20', '2025-02-01', -1935, 5),
          part(pro, '2025-01-25', '2025-02-01', -452),
          part(addon, '2025-01-25', '2025-02-01', 226),
          line(addon, 1, { from: '2025-02-01' }),
        ]),
      ],
      { prices: [pro], asOf: '2025-02-02' },
    ),
    events: [
      newAt(3000, '2025-01-01', 2),
      '2025-01-10 Upgrade/quantity_change 3000>7000 q2>6',
      '2025-01-20 Downgrade/plan_change 7000>2000 q6>1',
      '2025-01-25 Downgrade/plan_change 2000>1000 q1>1',
    ],
  },
  {
    rule: 'R14',
    name: 'an item bought beside two others is not the one of them that is switched to its price later',
    account: lived(
      [item(gold), plus(addon)],
      [
        invoice('2025-01-01', both('2025-01-01')),
        invoice('2025-02-01', [
          part(gold, '2025-01-10', '2025-02-01', 2838),
          part(gold, '2025-01-20', '2025-02-01', -1549),
          part(pro, '2025-01-25', '2025-02-01', -452),
          part(gold, '2025-01-25', '2025-02-01', 903),
          line(gold, 1, { from: '2025-02-01' }),
          line(addon, 1, { from: '2025-02-01', subscriptionItemId: 'si_2' }),
        ]),
      ],
      { prices: [pro], asOf: '2025-02-02' },
    ),
    events: [
      newAt(3000, '2025-01-01', 2),
      '2025-01-10 Upgrade/plan_change 3000>7000 q2>3',
      '2025-01-20 Downgrade/plan_change 7000>3000 q3>2',
      '2025-01-25 Upgrade/plan_change 3000>5000 q2>2',
    ],
  },
  {
    rule: 'R12',
    name: 'a switch that nothing billed leaves a credit of a price that the only item was never billed for',
    account: lived(
      item(gold),
      [
        bill(pro, 1, '2025-01-01'),
        invoice('2025-01-16', [
          part(addon, '2025-01-16', '2025-02-01', -516),
          part(gold, '2025-01-16', '2025-02-01', 2064),
        ]),
      ],
      { prices: [pro, addon], asOf: '2025-01-20' },
    ),
    events: [newAt(2000), '2025-01-16 Upgrade/plan_change 2000>4000 q1>1'],
  },
  {
    rule: 'R12',
    name: 'an item that took the place of another is the one created then, whatever it costs since',
    account: lived(
      [item(addon, 1, { id: 'si_3', createdAt: on('2025-01-10'), periodStart: on('2025-01-20') })],
      [
        bill(pro, 1, '2025-01-01'),
        invoice('2025-01-20', [
          part(pro, '2025-01-10', '2025-02-01', -1419),
          part(gold, '2025-01-10', '2025-02-01', 2838),
          line(addon, 1, { from: '2025-01-20', subscriptionItemId: 'si_3' }),
        ]),
      ],
      { prices: [pro, gold], asOf: '2025-02-02' },
    ),
    events: [
      newAt(2000),
      '2025-01-10 Upgrade/plan_change 2000>4000 q1>1',
      '2025-01-20 Downgrade/plan_change 4000>1000 q1>1',
    ],
  },
]
