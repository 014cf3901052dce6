import type { PaymentCustomer } from '#domain/payments.ts'
import { toDefaultPaymentMethod } from './payment-method.ts'
import { at, idOf, instantOrNull, isTrue, textOrNull } from './read-fields.ts'

/** A customer, or the stub that stands for a deleted one. Throws UnreadableObject without an id. */
export function toCustomer(value: unknown): PaymentCustomer {
  const customer = at(value)
  return {
    id: idOf(value),
    createdAt: instantOrNull(customer['created']) ?? 0,
    name: textOrNull(customer['name']),
    email: textOrNull(customer['email']),
    isDeleted: isTrue(customer['deleted']),
    paymentMethod: toDefaultPaymentMethod(value),
  }
}
