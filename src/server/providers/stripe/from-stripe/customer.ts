import type { PaymentCustomer } from '#domain/payments.ts'
import { type Coupons, toDiscounts } from './coupon.ts'
import { noJoins } from './joins.ts'
import { toDefaultPaymentMethod } from './payment-method.ts'
import { at, idOf, instantOrNull, isRedacted, isTrue, personalOrNull, textOrNull } from './read-fields.ts'

/**
 * A customer with its one optional discount and the coupon, or a stub for a deleted customer. Throws
 * UnreadableObject without an id.
 */
export function toCustomer(value: unknown, { coupons }: { coupons: Coupons } = noJoins): PaymentCustomer {
  const customer = at(value)
  const discounts = toDiscounts(value, coupons)
  return {
    id: idOf(value),
    createdAt: instantOrNull(customer['created']) ?? 0,
    name: personalOrNull(customer['name']),
    email: personalOrNull(customer['email']),
    customerAccount: textOrNull(customer['customer_account']),
    isDeleted: isTrue(customer['deleted']),
    paymentMethod: toDefaultPaymentMethod(value),
    ...(discounts.length > 0 && { discounts }),
    ...((isRedacted(customer['name']) || isRedacted(customer['email'])) && { isRedacted: true }),
  }
}
