import type { PaymentPrice } from '#domain/payments.ts'
import { coupon, discount, invoice, item, line, on, price } from '../examples.ts'
import { bill, lived, newAt, off, type RuleExample } from './example.ts'

const seat = price('seat', 10_000)
const extra = price('extra', 10_000)
const ten = discount(coupon('ten', { percentOff: 10 }), { startedAt: on('2025-01-31') })
const february = {
  createdAt: on('2025-01-31'),
  periodStart: on('2025-01-31'),
  periodEnd: on('2025-02-28'),
}
const held = {
  createdAt: on('2025-01-31'),
  anchorAt: on('2025-01-31'),
  discounts: [ten],
}
const asOf = '2025-02-20'
const first = bill(seat, 1, '2025-01-31', { to: '2025-02-28', ...off(1000, 'di_ten') }, { discounts: [ten] })
/** A part of the 28 days from 31 January to 28 February, with its 10% inside. */
const part = (of: PaymentPrice, quantity: number, from: string, amountCents: number, more = {}) =>
  line(of, quantity, {
    from,
    to: '2025-02-28',
    amountCents,
    isProration: true,
    isDiscountable: false,
    ...more,
  })

/** R13: parts of a period that began on the last day of a longer month. */
export const monthEnds: readonly RuleExample[] = [
  {
    rule: 'R13',
    name: 'a second change in a February that began on 31 January keeps the share that is inside it',
    account: lived(
      item(seat, 3, february),
      [
        first,
        invoice('2025-02-10', [part(seat, 1, '2025-02-10', -5786), part(seat, 2, '2025-02-10', 11_571)]),
        invoice('2025-02-14', [part(seat, 2, '2025-02-14', -9000), part(seat, 3, '2025-02-14', 13_500)]),
      ],
      { held, asOf },
    ),
    events: [
      newAt(9000, '2025-01-31'),
      '2025-02-10 Upgrade/quantity_change 9000>18000 q1>2',
      '2025-02-14 Upgrade/quantity_change 18000>27000 q2>3',
    ],
  },
  {
    rule: 'R13',
    name: 'an item added in such a February has the share inside that its subscription has',
    account: lived(
      [item(seat, 1, february), item(extra, 1, { ...february, id: 'si_2', createdAt: on('2025-02-14') })],
      [first, invoice('2025-02-14', [part(extra, 1, '2025-02-14', 4500, { subscriptionItemId: 'si_2' })])],
      { held, asOf },
    ),
    events: [newAt(9000, '2025-01-31'), '2025-02-14 Upgrade/plan_change 9000>18000 q1>2'],
  },
]
