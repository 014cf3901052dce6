import { coupon, discount, invoice, item, line, on, price, renewals } from '../examples.ts'
import { bill, bought, lived, newAt, off, pro, type RuleExample, together } from './example.ts'

const year = price('year', 120_000, 'year')
const fifteen = price('fifteen', 1500)
const once = discount(coupon('once', { amountOffCents: 1400, currency: 'usd', duration: 'once' }))
const half = discount(coupon('half', { percentOff: 50 }))
const three = discount(coupon('three', { amountOffCents: 300, currency: 'usd' }))

const ten = discount(coupon('ten', { percentOff: 10 }))
/** A coupon that took the place of the billed one inside the period. */
const inPlaceOfTen = (percentOff: number, key = `off${percentOff}`, billed = ten) =>
  lived(item(pro), [bill(pro, 1, '2025-01-01', off(200, billed.id), { discounts: [billed] })], {
    held: {
      discounts: [{ ...discount(coupon(key, { percentOff })), id: 'di_later', startedAt: on('2025-01-18') }],
    },
  })

const gold = price('gold', 5000)
const forProduct = (productId: string) =>
  discount(coupon('limited', { percentOff: 50, appliesToProductIds: [productId] }), {
    startedAt: on('2025-01-01'),
  })
/** A switch to another product, without proration, under a coupon for one of the two. */
const switched = (limited: ReturnType<typeof forProduct>, billed = {}) =>
  lived(item(gold), [bill(pro, 1, '2025-01-01', billed)], { held: { discounts: [limited] }, prices: [pro] })

const withOnce = bought('sub_once', '2025-01-01', {}, fifteen)
const seventySeven = Array.from({ length: 77 }, (_, index) => {
  const { subscription, invoice: first } = bought(`sub_${index}`, '2025-01-01', {}, fifteen)
  const lines = first.lines.map((of) => ({ ...of, discountCents: 1400, ...off(1400, once.id) }))
  return { subscription, invoice: { ...first, lines, totalDiscountCents: 1400, discounts: [once] } }
})
const soldAt = (cents: number): string[] => seventySeven.map((_, index) => `sub_${index} ${newAt(cents)}`)

/** R4 and R6: which discounts lower MRR, and during which time. */
export const discounts: readonly RuleExample[] = [
  {
    rule: 'R4',
    name: 'a one-time 20% on 1,200 a year is 80 a month for the year',
    from: 'CS-diff',
    account: lived(item(year), [bill(year, 1, '2025-01-01', off(24_000))], { asOf: '2025-06-01' }),
    events: [newAt(8000)],
  },
  {
    rule: 'R4',
    name: '77 subscriptions of 15 dollars less 14 once are 77 dollars',
    from: 'PO-8198',
    account: together(seventySeven, '2025-01-20'),
    events: soldAt(100),
  },
  {
    rule: 'R4',
    name: 'setting: without one-time discounts the same are 1,155 dollars',
    from: 'PO-8198',
    account: together(seventySeven, '2025-01-20', { policy: { discounts: 'recurring' } }),
    events: soldAt(1500),
  },
  {
    rule: 'R4',
    name: 'a coupon without end halves the MRR',
    from: 'ST-BA',
    account: lived(item(pro), [bill(pro, 1, '2025-01-01', off(1000, half.id))], {
      held: { discounts: [half] },
    }),
    events: [newAt(1000)],
  },
  {
    rule: 'R4',
    name: 'a one-time coupon holds to the end of the running period, also when it is gone from the subscription',
    account: lived(item(pro), [bill(pro, 1, '2025-01-01', off(1000))]),
    events: [newAt(1000)],
  },
  {
    rule: 'R4',
    name: 'coupons for another product, in another currency or run out take nothing off',
    account: lived(item(pro), [], {
      held: {
        discounts: [
          discount(coupon('a', { percentOff: 50, appliesToProductIds: ['prod_other'] })),
          discount(coupon('b', { amountOffCents: 300, currency: 'eur' })),
          discount(coupon('c', { percentOff: 50 }), { endsAt: on('2025-01-01') }),
        ],
      },
    }),
    events: [newAt(2000)],
  },
  {
    rule: 'R4',
    name: 'a coupon that only an invoice tells lowers what no invoice shows yet',
    account: lived(item(pro), [invoice('2025-01-01', [], { status: 'draft', discounts: [half] })], {
      held: { discounts: [{ ...half, coupon: null, couponId: null }] },
    }),
    events: [newAt(1000)],
  },
  {
    rule: 'R4',
    name: 'a coupon that would raise the price is reported, not counted',
    account: lived(item(pro), [], { held: { discounts: [discount(coupon('odd', { percentOff: -20 }))] } }),
    events: [],
    unsupported: 'The subscription: the coupon odd takes -20% off',
  },
  {
    rule: 'R6',
    name: 'a coupon that runs out is an Upgrade by price at the first period without it',
    from: 'CM-data',
    account: lived(
      item(pro),
      [
        bill(pro, 1, '2025-01-01', off(1000)),
        bill(pro, 1, '2025-02-01', off(1000)),
        ...renewals(pro, 1, ['2025-03-01']),
      ],
      { asOf: '2025-03-02' },
    ),
    events: [newAt(1000), '2025-03-01 Upgrade/price_change 1000>2000 q1>1'],
  },
  {
    rule: 'R6',
    name: 'a coupon that is added is a Downgrade by price',
    from: 'CM-data',
    account: lived(item(pro), [...renewals(pro, 1, ['2025-01-01']), bill(pro, 1, '2025-02-01', off(500))], {
      asOf: '2025-02-02',
    }),
    events: [newAt(2000), '2025-02-01 Downgrade/price_change 2000>1500 q1>1'],
  },
  {
    rule: 'R6',
    name: 'a coupon that no invoice carries yet counts from when it was first seen',
    account: lived(item(pro), renewals(pro, 1, ['2025-01-01']), {
      held: { discounts: [{ ...half, startedAt: on('2025-01-18') }] },
    }),
    events: [newAt(2000), '2025-01-20 Downgrade/price_change 2000>1000 q1>1'],
  },
  {
    rule: 'R6',
    name: 'a larger coupon in place of a billed one counts alone, from when it was first seen',
    account: inPlaceOfTen(20),
    events: [newAt(1800), '2025-01-20 Downgrade/price_change 1800>1600 q1>1'],
  },
  {
    rule: 'R6',
    name: 'a smaller coupon in place of a billed one changes nothing before the next period',
    account: inPlaceOfTen(5),
    events: [newAt(1800)],
  },
  {
    rule: 'R6',
    name: 'the same coupon put in place of itself changes nothing',
    account: inPlaceOfTen(10, 'ten'),
    events: [newAt(1800)],
  },
  {
    rule: 'R6',
    name: 'a coupon that is used up, given once more after its invoice, changes nothing',
    account: inPlaceOfTen(10, 'ten', discount(coupon('ten', { percentOff: 10, duration: 'once' }))),
    events: [newAt(1800)],
  },
  {
    rule: 'R6',
    name: 'a larger coupon after one that ran out inside its last period counts alone',
    account: inPlaceOfTen(20, 'more', { ...ten, endsAt: on('2025-01-10') }),
    events: [newAt(1800), '2025-01-20 Downgrade/price_change 1800>1600 q1>1'],
  },
  {
    rule: 'R19',
    name: 'more seats under another coupon of as much are a price change',
    account: lived(
      item(pro, 2),
      [bill(pro, 1, '2025-01-01', off(200, 'di_a')), bill(pro, 2, '2025-02-01', off(400, 'di_b'))],
      { asOf: '2025-02-02' },
    ),
    events: [newAt(1800), '2025-02-01 Upgrade/price_change 1800>3600 q1>2'],
  },
  {
    rule: 'R6',
    name: 'a coupon for the old product alone ends with a switch that no invoice shows',
    account: switched(forProduct('prod_pro'), off(1000, 'di_limited')),
    events: [newAt(1000), '2025-01-20 Upgrade/plan_change 1000>5000 q1>1'],
  },
  {
    rule: 'R6',
    name: 'a coupon for the new product alone begins with such a switch',
    account: switched(forProduct('prod_gold')),
    events: [newAt(2000), '2025-01-20 Upgrade/plan_change 2000>2500 q1>1'],
  },
]

const setup = line(price('setup', 2000), 1, {
  from: '2025-01-01',
  isSubscriptionItem: false,
  subscriptionItemId: null,
})
const extra = price('extra', 1000)
const third = price('third', 1000)
const alike = ['a', 'b', 'c'].map((key) =>
  line(third, 1, { from: '2025-01-01', id: `il_${key}`, subscriptionItemId: `si_${key}` }),
)
const alikeItems = ['a', 'b', 'c'].map((key) => item(third, 1, { id: `si_${key}` }))

/** R5 and R7: amounts off a whole invoice, and several coupons at once. */
export const amountsOff: readonly RuleExample[] = [
  {
    rule: 'R5',
    name: '60 off a year counts 5 a month',
    from: 'GH',
    account: lived(item(year), [bill(year, 1, '2025-01-01', off(6_000))]),
    events: [newAt(9500)],
  },
  {
    rule: 'R5',
    name: 'what is only off the whole invoice is spread; the one-off line keeps its share',
    from: 'PH-disc',
    account: lived(item(pro), [
      invoice('2025-01-01', [line(pro, 1, { from: '2025-01-01' }), setup], { totalDiscountCents: 1001 }),
    ]),
    events: [newAt(1499)],
  },
  {
    rule: 'R5',
    name: '100 cents over three equal lines are 34, 33 and 33: nothing is lost',
    from: 'PH-disc',
    account: lived(alikeItems, [invoice('2025-01-01', alike, { totalDiscountCents: 100 })]),
    events: [newAt(2900, '2025-01-01', 3)],
  },
  {
    rule: 'R5',
    name: 'more off than the price is 0 and not less',
    from: 'NP',
    account: lived(item(pro), [bill(pro, 1, '2025-01-01', off(9000))]),
    events: [],
  },
  {
    rule: 'R5',
    name: 'an amount off that no invoice shows yet is shared by all items it is for, once',
    account: lived([item(pro), item(extra, 1, { id: 'si_2' })], [], { held: { discounts: [three] } }),
    events: [newAt(2700, '2025-01-01', 2)],
  },
  {
    rule: 'R7',
    name: 'two coupons on one line are summed as written, not multiplied again',
    account: lived(item(pro), [
      bill(pro, 1, '2025-01-01', {
        discounts: [...off(400, 'di_a').discounts, ...off(160, 'di_b').discounts],
      }),
    ]),
    events: [newAt(1440)],
  },
  {
    rule: 'R7',
    name: 'a coupon on the subscription that the line does not carry is not taken off',
    account: lived(item(pro), renewals(pro, 1, ['2025-01-01']), {
      held: { discounts: [{ ...half, startedAt: on('2024-12-01') }] },
    }),
    events: [newAt(2000)],
  },
  {
    rule: 'R7',
    name: 'without an invoice the item’s own coupon comes off before the subscription’s',
    from: 'ST-API',
    account: lived(item(pro, 1, { discounts: [half] }), [], { held: { discounts: [three] } }),
    events: [newAt(700)],
  },
  {
    rule: 'R7',
    name: 'a coupon of the customer counts where the subscription has none of its own',
    from: 'SC-2',
    account: { ...together([withOnce], '2025-01-20'), invoices: [], customerDiscounts: [half] },
    events: [newAt(750)],
  },
]
