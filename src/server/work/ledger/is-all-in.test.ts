import { expect, it } from 'vitest'
import { isAllIn } from './is-all-in.ts'

const askedAfter = 1_000_000
type Named = {
  endedAt?: number
  priceId?: string
  productId?: string
  couponId?: string
  itemCouponId?: string
}
const had = (couponId?: string) => (couponId === undefined ? [] : [{ couponId }])
const subscription = (named: Named = {}) => ({
  id: 'sub_one',
  endedAt: named.endedAt ?? null,
  items: [
    {
      priceId: named.priceId ?? 'price_seat',
      price: { productId: named.productId ?? null },
      discounts: had(named.itemCouponId),
    },
  ],
  discounts: had(named.couponId),
})
const invoice = (createdAt: number, priceId: string | null = 'price_seat', subscriptionId = 'sub_one') => ({
  ...{ subscriptionId, createdAt },
  lines: [{ priceId }],
})
const long = askedAfter - 3_600

it.each([
  ['with its prices and read after its invoices', subscription(), invoice(long), true],
  ['of which an invoice is newer', subscription(), invoice(askedAfter + 5), false],
  ['of which no invoice is newer', subscription(), invoice(askedAfter), true],
  [
    'that has ended, whatever is newer',
    subscription({ endedAt: askedAfter - 9 }),
    invoice(askedAfter + 5),
    true,
  ],
  [
    'beside an invoice of another that is newer',
    subscription(),
    invoice(askedAfter + 5, null, 'sub_two'),
    true,
  ],
  ['with a price that stands in no list', subscription({ priceId: 'price_inline' }), invoice(long), false],
  ['with an invoice of a price that stands in no list', subscription(), invoice(long, 'price_inline'), false],
  ['of a product that is kept', subscription({ productId: 'prod_seats' }), invoice(long), true],
  ['of a product that stands in no list', subscription({ productId: 'prod_new' }), invoice(long), false],
  ['with a coupon that is kept', subscription({ couponId: 'half' }), invoice(long), true],
  ['with a coupon that stands in no list', subscription({ couponId: 'new' }), invoice(long), false],
  ['with one on an item that stands in no list', subscription({ itemCouponId: 'new' }), invoice(long), false],
  ['with a line of no price', subscription(), invoice(long, null), true],
])('tells whether everything is in of a subscription %s', (_, one, its, isIn) => {
  const customer = {
    ...{ discounts: [], subscriptions: [one], invoices: [its] },
    askedAfter: new Map([['sub_one', askedAfter]]),
  }
  const kept = (...ids: string[]) => new Map(ids.map((id) => [id, {}]))
  const catalog = { prices: kept('price_seat'), products: kept('prod_seats'), coupons: kept('half') }
  expect(isAllIn(customer, catalog)).toBe(isIn)
})
