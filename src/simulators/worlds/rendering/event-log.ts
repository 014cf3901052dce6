import type { Books } from '../model/books.ts'
import type { Invoice } from '../model/invoice.ts'
import type { Coupon, Price, WorldProduct } from '../model/offer.ts'
import type { WorldObject } from '../model/stripe-object.ts'
import type { Customer, WorldSubscription } from '../model/subscription.ts'
import { daySeconds } from '../time/calendar.ts'
import { renderCoupon, renderPrice, renderProduct } from './render-catalogue.ts'
import { renderCustomer } from './render-customer.ts'
import { renderInvoice, renderInvoicePayment } from './render-invoice.ts'
import { renderSubscription } from './render-subscription.ts'

const apiVersion = '2026-10-28.endive'

/** How long the provider keeps events. Source: docs.stripe.com/api/events. */
export const eventSeconds = 30 * daySeconds

/** Logs an event, unless it will be too old to appear when the present run ends. */
function logEvent(books: Books, type: string, render: () => WorldObject): void {
  if (books.now < books.until - eventSeconds) return
  books.events.push({
    id: books.newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: books.now,
    data: { object: render() },
    livemode: false,
    pending_webhooks: 0,
    request: { id: null, idempotency_key: null },
    type,
  })
}

export function logInvoice(books: Books, type: string, invoice: Invoice): void {
  logEvent(books, type, () => renderInvoice(invoice, books.accountId))
}

export function logInvoicePaid(books: Books, invoice: Invoice): void {
  const payment = renderInvoicePayment(invoice)
  if (payment !== null) logEvent(books, 'invoice_payment.paid', () => payment)
  logInvoice(books, 'invoice.paid', invoice)
}

type SubscriptionEvent =
  | 'created'
  | 'updated'
  | 'deleted'
  | 'paused'
  | 'pending_update_applied'
  | 'pending_update_expired'

export function logSubscription(
  books: Books,
  kind: SubscriptionEvent,
  subscription: WorldSubscription,
): void {
  logEvent(books, `customer.subscription.${kind}`, () => renderSubscription(subscription, books.now))
}

export function logProduct(books: Books, product: WorldProduct): void {
  logEvent(books, 'product.created', () => renderProduct(product))
}

export function logPrice(books: Books, price: Price): void {
  logEvent(books, 'price.created', () => renderPrice(price, false))
}

export function logCoupon(books: Books, coupon: Coupon): void {
  logEvent(books, 'coupon.created', () => renderCoupon(coupon))
}

export function logCustomer(books: Books, kind: 'created' | 'updated' | 'deleted', customer: Customer): void {
  logEvent(books, `customer.${kind}`, () => renderCustomer(customer))
}
