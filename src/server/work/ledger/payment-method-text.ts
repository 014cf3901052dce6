import type { PaymentMethodLabel } from '#domain/payments.ts'
import { labelOf } from '#domain/subscription.ts'

const spelled: Readonly<Record<string, string>> = {
  amex: 'American Express',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  sepa_debit: 'SEPA Debit',
  us_bank_account: 'US Bank Account',
  paypal: 'PayPal',
}

/** A payment method in the words people know: 'Visa •••• 4242', 'SEPA Debit •••• 3000', 'PayPal'. */
export function paymentMethodText({ type, brand, last4 }: PaymentMethodLabel): string {
  const word = type === 'card' && brand !== null ? brand : type
  const name = spelled[word] ?? labelOf(word)
  return last4 === null ? name : `${name} •••• ${last4}`
}
