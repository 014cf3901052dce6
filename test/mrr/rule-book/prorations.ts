import type { InvoiceLine, PaymentDiscount } from '#domain/payments.ts'
import { coupon, discount, invoice, item, line, price, prorations, renewals } from '../examples.ts'
import { bill, lived, newAt, off, pro, type RuleExample, seat } from './example.ts'

const [ten, twenty] = [price('ten', 1000), price('twenty', 2000)]
const halfMonth = { from: '2025-01-16T12:00:00Z', to: '2025-02-01' }
const seats = (before: number, after: number, from: string, more: Partial<InvoiceLine> = {}) =>
  prorations(
    { of: seat, quantity: before, amountCents: before * 500 },
    { of: seat, quantity: after, amountCents: after * 500 },
    { from, to: '2025-02-01', ...more },
  )
const renewed = (change: InvoiceLine[], quantity: number) =>
  invoice('2025-02-01', [...change, line(seat, quantity, { from: '2025-02-01' })])
const tenSeats = renewals(seat, 10, ['2025-01-01'])
const asOf = '2025-02-02'

const month = price('pro', 2000)
const yearly = price('pro_year', 99_900, 'year', { productId: month.productId })

/** R12: the value of a change inside a period, and its start. */
export const changesInside: readonly RuleExample[] = [
  {
    rule: 'R12',
    name: '10 to 20 dollars (-5, +10, renewal 20) is one change of 10',
    from: 'ST-PRO',
    account: lived(
      item(twenty),
      [
        ...renewals(ten, 1, ['2025-04-01']),
        invoice('2025-05-01', [
          ...prorations(
            { of: ten, quantity: 1, amountCents: 500 },
            { of: twenty, quantity: 1, amountCents: 1000 },
            { from: '2025-04-16', to: '2025-05-01' },
          ),
          line(twenty, 1, { from: '2025-05-01' }),
        ]),
      ],
      { prices: [ten], asOf: '2025-05-02' },
    ),
    events: [newAt(1000, '2025-04-01'), '2025-04-16 Upgrade/plan_change 1000>2000 q1>1'],
  },
  {
    rule: 'R12',
    name: 'a seat added in mid-month counts in full from the line’s start, not from the invoice',
    account: lived(item(seat, 11), [...tenSeats, renewed(seats(10, 11, '2025-01-16'), 11)], { asOf }),
    events: [newAt(10_000, '2025-01-01', 10), '2025-01-16 Upgrade/quantity_change 10000>11000 q10>11'],
  },
  {
    rule: 'R12',
    name: 'prorations of the classic kind name no item; the price tells it',
    account: lived(
      item(seat, 4),
      [...tenSeats, renewed(seats(10, 4, '2025-01-16', { subscriptionItemId: null }), 4)],
      { asOf },
    ),
    events: [newAt(10_000, '2025-01-01', 10), '2025-01-16 Downgrade/quantity_change 10000>4000 q10>4'],
  },
  {
    rule: 'R12',
    name: 'two changes in one period each count on their own day',
    account: lived(
      item(seat, 5),
      [...tenSeats, renewed([...seats(20, 5, '2025-01-20'), ...seats(10, 20, '2025-01-10')], 5)],
      { asOf },
    ),
    events: [
      newAt(10_000, '2025-01-01', 10),
      '2025-01-10 Upgrade/quantity_change 10000>20000 q10>20',
      '2025-01-20 Downgrade/quantity_change 20000>5000 q20>5',
    ],
  },
  {
    rule: 'R12',
    name: 'month to year inside the period: the year stands from the switch, the month is only given back',
    account: lived(
      item(yearly),
      [
        ...renewals(month, 1, ['2025-01-01']),
        invoice('2025-01-16', [
          line(yearly, 1, { from: '2025-01-16' }),
          line(month, 1, {
            from: '2025-01-16',
            to: '2025-02-01',
            amountCents: -1032,
            isProration: true,
            isCredit: true,
          }),
        ]),
      ],
      { prices: [month] },
    ),
    events: [newAt(2000), '2025-01-16 Upgrade/plan_change 2000>8325 q1>1'],
  },
]

const changed = (amounts: readonly [number, number], more: Partial<InvoiceLine> = {}) => {
  const [credit, debit] = prorations(
    { of: seat, quantity: 10, amountCents: amounts[0] },
    { of: seat, quantity: 20, amountCents: amounts[1] },
    halfMonth,
  )
  return [
    credit,
    debit && { ...debit, discountCents: more.discounts?.[0]?.amountCents ?? 0, ...more },
  ].filter((entry) => entry !== undefined)
}
/** Ten discounted seats, and twenty since the middle of January. */
const underCoupon = (offCents: number, lines: InvoiceLine[], known: PaymentDiscount[] = []) =>
  lived(item(seat, 20), [
    bill(seat, 10, '2025-01-01', off(offCents), { discounts: known }),
    invoice('2025-01-17', lines),
  ])
const upgraded = (before: number, after: number, type = 'quantity_change') => [
  newAt(before, '2025-01-01', 10),
  `2025-01-16T12:00:00Z Upgrade/${type} ${before}>${after} q10>20`,
]
const thousandOff = discount(coupon('c', { amountOffCents: 1000, currency: 'usd' }))
const bothOff = { discounts: [...off(1000, 'di_c').discounts, ...off(300, 'di_fixed').discounts] }

/** R13: the meaning of a line in each of its forms, especially a proration under a discount. */
export const lineForms: readonly RuleExample[] = [
  {
    rule: 'R13',
    name: 'included: the amount is net already and the old discount goes on',
    from: 'ST-item',
    account: underCoupon(5000, changed([2500, 5000])),
    events: upgraded(5000, 10_000),
  },
  {
    rule: 'R13',
    name: 'itemized: the amount is gross and the line names the discount',
    from: 'ST-item',
    account: underCoupon(5000, changed([5000, 10_000], off(5000))),
    events: upgraded(5000, 10_000),
  },
  {
    rule: 'R13',
    name: 'a proration at the full price shows that the coupon is gone',
    account: underCoupon(5000, changed([2500, 10_000])),
    events: upgraded(5000, 20_000, 'price_change'),
  },
  {
    rule: 'R13',
    name: 'included: a fixed amount stays the same amount when seats are added',
    account: underCoupon(1000, changed([4500, 9500]), [thousandOff]),
    events: upgraded(9000, 19_000),
  },
  {
    rule: 'R13',
    name: 'included: a fixed amount whose coupon was deleted is told by the amount alone',
    account: underCoupon(1000, changed([4500, 9500])),
    events: upgraded(9000, 19_000),
  },
  {
    rule: 'R13',
    name: 'included: a share whose coupon was deleted is told by the amount alone',
    account: underCoupon(1000, changed([4500, 9000])),
    events: upgraded(9000, 18_000),
  },
  {
    rule: 'R13',
    name: 'included: another price less the same deleted 3 dollars, and a silent renewal',
    account: lived(
      item(price('gold', 4000)),
      [
        bill(pro, 1, '2025-01-01', off(300)),
        invoice(
          '2025-01-17',
          prorations(
            { of: pro, quantity: 1, amountCents: 850 },
            { of: price('gold', 4000), quantity: 1, amountCents: 1850 },
            halfMonth,
          ),
        ),
        bill(price('gold', 4000), 1, '2025-02-01', off(300)),
      ],
      { prices: [pro], asOf },
    ),
    events: [newAt(1700), '2025-01-16T12:00:00Z Upgrade/plan_change 1700>3700 q1>1'],
  },
  {
    rule: 'R13',
    name: 'included: a deleted amount that begins with the change is told by the next bill',
    account: lived(
      item(price('gold', 4000)),
      [
        bill(pro, 1, '2025-01-01'),
        invoice(
          '2025-01-17',
          prorations(
            { of: pro, quantity: 1, amountCents: 1000 },
            { of: price('gold', 4000), quantity: 1, amountCents: 1850 },
            halfMonth,
          ),
        ),
        bill(price('gold', 4000), 1, '2025-02-01', off(300)),
      ],
      { prices: [pro], asOf },
    ),
    events: [newAt(2000), '2025-01-16T12:00:00Z Upgrade/plan_change 2000>3700 q1>1'],
  },
  {
    rule: 'R13',
    name: 'included: 10% and a deleted 3 dollars go on as what they are',
    account: lived(item(seat, 20), [
      bill(seat, 10, '2025-01-01', bothOff, { discounts: [discount(coupon('c', { percentOff: 10 }))] }),
      invoice('2025-01-17', changed([4350, 8850])),
    ]),
    events: upgraded(8700, 17_700),
  },
  {
    rule: 'R13',
    name: 'included: too late in the period for the amount to tell, the discount of the next bill holds',
    account: lived(
      item(seat, 20),
      [
        bill(seat, 10, '2025-01-01', off(1000)),
        invoice(
          '2025-01-31',
          prorations(
            { of: seat, quantity: 10, amountCents: 0 },
            { of: seat, quantity: 20, amountCents: 0 },
            { from: '2025-01-31T23:59:58Z', to: '2025-02-01' },
          ).map((entry) => ({ ...entry, id: `${entry.id}_late` })),
        ),
        bill(seat, 20, '2025-02-01', off(2000)),
      ],
      { asOf },
    ),
    events: [newAt(9000, '2025-01-01', 10), '2025-01-31T23:59:58Z Upgrade/quantity_change 9000>18000 q10>20'],
  },
  {
    rule: 'R13',
    name: 'a deleted price: the line alone is enough',
    account: lived(
      item(pro),
      [...renewals(price('gone', 24_000, 'year'), 1, ['2024-01-01']), ...renewals(pro, 1, ['2025-01-01'])],
      { asOf: '2025-01-02' },
    ),
    events: [newAt(2000, '2024-01-01')],
  },
]
