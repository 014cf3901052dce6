import type { PaymentCustomer } from '#domain/payments.ts'
import { type Coupons, toDiscounts } from './coupon.ts'
import { toDefaultPaymentMethod } from './payment-method.ts'
import { at, idOf, instantOrNull, isTrue, nameOrNull } from './read-fields.ts'
import { noJoins } from './subscription.ts'

/**
 * A customer with the one discount it may have, coupon joined, or the stub that stands for a deleted one. Throws
 * UnreadableObject without an id.
 */
export function toCustomer(value: unknown, { coupons }: { coupons: Coupons } = noJoins): PaymentCustomer {
  const customer = at(value)
  const discounts = toDiscounts(value, coupons)
  return {
    id: idOf(value),
    createdAt: instantOrNull(customer['created']) ?? 0,
    name: nameOrNull(customer['name']),
    email: nameOrNull(customer['email']),
    isDeleted: isTrue(customer['deleted']),
    paymentMethod: toDefaultPaymentMethod(value),
    ...(isRedacted(customer) && { isRedacted: true }),
    ...(discounts.length > 0 && { discounts }),
  }
}

/** Stripe puts a word in brackets in the place of what it has redacted. */
function isRedacted(customer: Record<string, unknown>): boolean {
  return ['name', 'email'].some((field) => /^\[redacted\]$/i.test(String(customer[field] ?? '').trim()))
}
