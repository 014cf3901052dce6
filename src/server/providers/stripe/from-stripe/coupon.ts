import { couponOfDiscount } from '#domain/mrr/terms/discounts/coupon.ts'
import type { DiscountHolder, PaymentCoupon, PaymentDiscount } from '#domain/payments.ts'
import {
  at,
  entriesOf,
  fieldsOf,
  idOf,
  idOrNull,
  instantOrNull,
  integerOr,
  integerOrNull,
  nameOrNull,
  textOr,
  textOrNull,
} from './read-fields.ts'

/** Coupons by id, for discounts that contain only the id. */
export type Coupons = ReadonlyMap<string, PaymentCoupon>

/** A coupon. Throws UnreadableObject without an id. */
export function toCoupon(value: unknown): PaymentCoupon {
  const coupon = at(value)
  const percentOff = Number(coupon['percent_off'] ?? Number.NaN)
  const products = at(value, 'applies_to')['products']
  const name = nameOrNull(coupon['name'])
  const options = Object.entries(at(value, 'currency_options')).map(
    ([currency, option]) => [currency.toLowerCase(), integerOr(at(option)['amount_off'], 0)] as const,
  )
  return {
    id: idOf(value),
    ...(name !== null && { name }),
    percentOff: Number.isFinite(percentOff) ? percentOff : null,
    amountOffCents: integerOrNull(coupon['amount_off']),
    currency: textOrNull(coupon['currency'])?.toLowerCase() ?? null,
    duration: textOr(coupon['duration'], 'unknown'),
    durationInMonths: integerOrNull(coupon['duration_in_months']),
    appliesToProductIds: Array.isArray(products) ? products.filter((id) => typeof id === 'string') : null,
    ...(options.length > 0 && { currencyOptions: Object.fromEntries(options) }),
  }
}

/**
 * A discount with its coupon: under `source` now, directly on the discount before 2025-09-30. Null when only an id
 * was sent.
 */
export function toDiscount(value: unknown, coupons: Coupons): PaymentDiscount | null {
  const discount = fieldsOf(value)
  const id = idOrNull(discount?.['id'])
  if (!discount || id === null) return null
  const coupon = at(discount, 'source')['coupon'] ?? discount['coupon']
  const couponId = idOrNull(coupon)
  const embedded = fieldsOf(coupon) && couponId !== null ? toCoupon(coupon) : null
  const holder = holders.find(([field]) => idOrNull(discount[field]) !== null)?.[1]
  return {
    id,
    coupon: couponOfDiscount(embedded, coupons.get(couponId ?? '')),
    couponId,
    startedAt: instantOrNull(discount['start']),
    endsAt: instantOrNull(discount['end']),
    ...(holder && { holder }),
  }
}

/** A discount of an item also names its subscription, and most discounts name the customer. */
const holders: [field: string, holder: DiscountHolder][] = [
  ['subscription_item', 'item'],
  ['subscription', 'subscription'],
  ['invoice_item', 'invoice'],
  ['invoice', 'invoice'],
  ['customer', 'customer'],
]

/**
 * An owner's discounts: the `discounts` array now, one `discount` object before 2025-03-31. A discount that is
 * only an id has no coupon here, but another object of the account may contain it.
 */
export function toDiscounts(owner: unknown, coupons: Coupons): PaymentDiscount[] {
  const { discounts, discount } = at(owner)
  return [...entriesOf(discounts), ...(discount ? [discount] : [])]
    .map((entry) => toDiscount(entry, coupons) ?? bareDiscount(idOrNull(entry)))
    .filter((entry) => entry !== null)
}

function bareDiscount(id: string | null): PaymentDiscount | null {
  return id === null ? null : { id, coupon: null, couponId: null, startedAt: null, endsAt: null }
}
