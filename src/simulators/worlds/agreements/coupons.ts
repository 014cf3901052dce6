import type { Books } from '../model/books.ts'
import type { Coupon } from '../model/offer.ts'
import type { Customer, Discount, Item, WorldSubscription } from '../model/subscription.ts'
import { addMonths } from '../time/calendar.ts'

/** Puts a coupon on a subscription, or on one of its items; the next invoice is the first that carries it. */
export function attachCoupon(
  books: Books,
  subscription: WorldSubscription,
  key: string,
  now: number,
  item?: Item,
): void {
  const discount = newDiscount(books, subscription.customer, key, now)
  discount.subscription = subscription.id
  discount.item = item?.id ?? null
  const holder = item ?? subscription
  holder.discounts.push(discount)
  for (const held of item === undefined ? subscription.items : [item]) held.unshown = true
}

/** Puts a coupon on a customer; it applies to subscriptions that have no discount of their own. */
export function attachCustomerCoupon(books: Books, customer: Customer, key: string, now: number): void {
  customer.discount = newDiscount(books, customer, key, now)
  for (const item of customer.subscriptions.flatMap(({ items }) => items)) item.unshown = true
}

/** Takes every coupon off a subscription; earlier bills keep their discounts. */
export function removeCoupons(subscription: WorldSubscription): void {
  subscription.discounts = []
}

function newDiscount(books: Books, customer: Customer, key: string, now: number): Discount {
  const coupon: Coupon | undefined = books.catalogue.coupons.get(key)
  if (coupon === undefined) throw new RangeError(`no coupon ${key}`)
  coupon.timesRedeemed += 1
  const end = coupon.months === null ? null : addMonths(now, coupon.months)
  return {
    id: books.newId('di'),
    coupon,
    customer: customer.id,
    subscription: null,
    item: null,
    start: now,
    end,
    spent: false,
  }
}
