import type { ChangedKind, FetchedObjects } from '../../payments.ts'
import { toCoupon } from './coupon.ts'
import { toCustomer } from './customer.ts'
import { toInvoice } from './invoice.ts'
import { toInvoicePayment } from './invoice-payment.ts'
import { toPrice } from './price.ts'
import { toProduct } from './product.ts'
import { toSubscription } from './subscription.ts'

/** What reads an object of each kind. Each throws UnreadableObject without an id. */
export const mappers: { [K in ChangedKind]: (value: unknown) => FetchedObjects[K] } = {
  products: toProduct,
  prices: toPrice,
  coupons: toCoupon,
  customers: (value) => toCustomer(value),
  subscriptions: (value) => toSubscription(value),
  invoices: (value) => toInvoice(value),
  invoice_payments: toInvoicePayment,
}
