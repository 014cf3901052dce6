import type { Invoice } from '../model/invoice.ts'
import type { StripeJson, WorldObject } from '../model/stripe-object.ts'

/**
 * The PaymentIntent of an invoice, made when the invoice becomes final; null if nothing is due.
 * Source: docs.stripe.com/api/payment_intents/object.
 */
export function renderPaymentIntent(invoice: Invoice): WorldObject | null {
  if (invoice.paymentId === null || invoice.finalizedAt === null) return null
  const { paymentIntent: id, status } = invoice
  const isPaid = status === 'paid'
  return {
    ...unusedSettings(),
    id,
    object: 'payment_intent',
    amount: invoice.amountDue,
    amount_received: isPaid ? invoice.amountPaid : 0,
    canceled_at: status === 'void' ? invoice.voidedAt : null,
    cancellation_reason: status === 'void' ? 'void_invoice' : null,
    created: invoice.finalizedAt,
    currency: invoice.currency,
    customer: invoice.customer.id,
    description: invoice.reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    last_payment_error: isPaid || invoice.attempts === 0 ? null : declined(invoice),
    latest_charge: isPaid || invoice.attempts > 0 ? id.replace('pi_', 'ch_') : null,
    payment_method: isPaid ? cardOf(invoice) : null,
    status: isPaid ? 'succeeded' : status === 'void' ? 'canceled' : 'requires_payment_method',
  }
}

/** The card's id, or the whole card if its customer is deleted, because no list holds it any more. */
function cardOf({ customer }: Invoice): string | StripeJson | null {
  const card = customer.paymentMethod
  if (card === null || customer.deletedAt === null) return card?.id ?? null
  return { ...card, customer: null }
}

/** After a refusal the intent waits for another card; the error names the refused one. */
function declined(invoice: Invoice): StripeJson {
  return {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    doc_url: 'https://stripe.com/docs/error-codes/card-declined',
    message: 'Your card has insufficient funds.',
    ...(invoice.customer.paymentMethod && { payment_method: { ...invoice.customer.paymentMethod } }),
    type: 'card_error',
  }
}

function unusedSettings(): StripeJson {
  return {
    allowed_payment_method_types: null,
    amount_capturable: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    capture_method: 'automatic',
    client_secret: null,
    confirmation_method: 'automatic',
    customer_account: null,
    excluded_payment_method_types: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: 'off_session',
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    transfer_group: null,
  }
}
