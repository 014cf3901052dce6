import type { PaymentMethodLabel } from '#domain/payments.ts'
import { at, fieldsOf, personalOrNull, textOr } from './read-fields.ts'

/** The name of a payment method, card or source on screens; null when only its id was sent, or nothing. */
export function toPaymentMethodLabel(value: unknown): PaymentMethodLabel | null {
  const method = fieldsOf(value)
  if (!method) return null
  const type = textOr(method['type'] ?? method['object'], 'unknown')
  const details = fieldsOf(method[type]) ?? method
  return {
    type,
    brand: personalOrNull(details['brand']) ?? personalOrNull(details['bank_name']),
    last4: personalOrNull(details['last4']),
  }
}

/** The method that pays, in Stripe's order: the default payment method before the older default source. */
export function toDefaultPaymentMethod(owner: unknown): PaymentMethodLabel | null {
  const fields = at(owner)
  return (
    toPaymentMethodLabel(fields['default_payment_method']) ??
    toPaymentMethodLabel(at(owner, 'invoice_settings')['default_payment_method']) ??
    toPaymentMethodLabel(fields['default_source'])
  )
}
