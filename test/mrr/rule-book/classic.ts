import type { PaymentPrice } from '#domain/payments.ts'
import { invoice, item, line, on, price } from '../examples.ts'
import { bill, lived, newAt, pro, type RuleExample } from './example.ts'

const addon = price('addon', 1000)

/** A part of a period as classic billing writes it: an invoice item, which names a price and no item. */
const part = (of: PaymentPrice, from: string, to: string, amountCents: number) =>
  line(of, 1, {
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
      [item(pro), item(addon, 2, { id: 'si_3', createdAt: on('2025-02-10') })],
      [
        invoice('2025-01-01', [
          line(pro, 1, { from: '2025-01-01' }),
          line(addon, 1, { from: '2025-01-01', subscriptionItemId: 'si_2' }),
        ]),
        invoice('2025-01-16', [part(addon, '2025-01-16', '2025-02-01', -516)]),
        bill(pro, 1, '2025-02-01'),
        invoice('2025-02-10', [part(addon, '2025-02-10', '2025-03-01', 679)]),
      ],
      { asOf: '2025-02-15' },
    ),
    events: [
      newAt(3000, '2025-01-01', 2),
      '2025-01-16 Downgrade/plan_change 3000>2000 q2>1',
      '2025-02-10 Upgrade/plan_change 2000>3000 q1>2',
      '2025-02-15 Upgrade/quantity_change 3000>4000 q2>3',
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
          part(price('gold', 4000), '2025-01-16T00:00:02Z', '2025-02-01', 2064),
        ]),
        bill(addon, 1, '2025-02-01'),
      ],
      { prices: [pro, price('gold', 4000)], asOf: '2025-02-02' },
    ),
    events: [
      newAt(2000),
      '2025-01-16 Upgrade/plan_change 2000>4000 q1>1',
      '2025-02-01 Downgrade/plan_change 4000>1000 q1>1',
    ],
  },
]
