import type { InvoicePayment } from '#domain/payments.ts'
import { toPaymentMethodLabel } from './payment-method.ts'
import { at, fieldsOf, idOf, idOrNull, instantOrNull } from './read-fields.ts'

/** How an invoice was paid, if the payment was sent expanded. Throws UnreadableObject without an id. */
export function toInvoicePayment(value: unknown): InvoicePayment {
  const fields = at(value)
  const intent = at(value, 'payment', 'payment_intent')
  const charge = fieldsOf(intent['latest_charge']) ?? at(value, 'payment', 'charge')
  return {
    id: idOf(value),
    invoiceId: idOrNull(fields['invoice']) ?? '',
    createdAt: instantOrNull(fields['created']) ?? 0,
    paymentMethod:
      toPaymentMethodLabel(intent['payment_method']) ??
      toPaymentMethodLabel(charge['payment_method_details']),
  }
}
