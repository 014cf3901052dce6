import type { Invoice } from '../model/invoice.ts'
import { listOf, type StripeJson, type WorldObject } from '../model/stripe-object.ts'
import { renderTax } from './render-line.ts'
import { renderDiscount, renderTaxRate } from './render-subscription.ts'

const accountName = 'Meadowlark Software'

/** The invoice as the provider returns it, with all its lines. */
export function renderInvoice(invoice: Invoice, accountId: string): WorldObject {
  const { id, status, subscription, taxRate } = invoice
  const draft = status === 'draft'
  const rendered: WorldObject = {
    ...unusedSettings(),
    ...renderMoney(invoice),
    id,
    object: 'invoice',
    attempt_count: invoice.attempts,
    attempted: invoice.attempts > 0 || (status === 'paid' && invoice.amountDue === 0),
    auto_advance: draft ? invoice.nextAttempt !== null : status === 'open',
    automatically_finalizes_at: draft ? invoice.nextAttempt : null,
    billing_reason: invoice.reason,
    collection_method: subscription?.collection ?? 'charge_automatically',
    created: invoice.created,
    currency: invoice.currency,
    customer: invoice.customer.id,
    customer_email: invoice.customerEmail,
    customer_name: invoice.customerName,
    default_tax_rates: taxRate === null ? [] : [renderTaxRate(taxRate, invoice.created)],
    discounts: invoice.discounts.map(renderDiscount),
    due_date: invoice.dueAt,
    effective_at: invoice.finalizedAt,
    hosted_invoice_url: draft ? null : `https://invoice.stripe.example/i/${accountId}/${id}`,
    invoice_pdf: draft ? null : `https://pay.stripe.example/invoice/${accountId}/${id}/pdf`,
    lines: listOf(invoice.lines, `/v1/invoices/${id}/lines`),
    next_payment_attempt: invoice.nextAttempt,
    number: invoice.number,
    parent: subscription && {
      quote_details: null,
      subscription_details: { metadata: {}, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_end: invoice.periodEnd,
    period_start: invoice.periodStart,
    receipt_number: null,
    status,
    status_transitions: {
      finalized_at: invoice.finalizedAt,
      marked_uncollectible_at: invoice.uncollectibleAt,
      paid_at: invoice.paidAt,
      voided_at: invoice.voidedAt,
    },
    webhooks_delivered_at: invoice.created,
  }
  if (status === 'uncollectible') {
    rendered.status_details = { uncollectible: { reason: invoice.uncollectibleReason } }
  }
  return rendered
}

function renderMoney(invoice: Invoice): StripeJson {
  const discounts = [...invoice.discountTotals].map(([discount, amount]) => ({ amount, discount }))
  const { taxRate, totalCents, amountDue, amountPaid } = invoice
  return {
    amount_due: amountDue,
    amount_overpaid: 0,
    amount_paid: amountPaid,
    amount_remaining: amountDue - amountPaid,
    amount_shipping: 0,
    ending_balance: invoice.endingBalance,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: invoice.startingBalance,
    subtotal: invoice.subtotalCents,
    subtotal_excluding_tax: invoice.subtotalCents - invoice.subtotalTaxCents,
    total: totalCents,
    total_discount_amounts: discounts,
    total_excluding_tax: totalCents - invoice.taxCents,
    total_pretax_credit_amounts: discounts.map((part) => ({ ...part, type: 'discount' })),
    total_taxes:
      taxRate === null
        ? []
        : [
            renderTax(
              taxRate,
              invoice.taxCents,
              invoice.taxableCents + (taxRate.inclusive ? invoice.taxCents : 0),
            ),
          ],
  }
}

function unusedSettings(): StripeJson {
  return {
    account_country: 'US',
    account_name: accountName,
    account_tax_ids: null,
    application: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    custom_fields: null,
    customer_account: null,
    customer_address: null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    description: null,
    footer: null,
    from_invoice: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    statement_descriptor: null,
    test_clock: null,
  }
}

/** The payment of an invoice, requested when the invoice becomes final; null if nothing is due. */
export function renderInvoicePayment(invoice: Invoice): WorldObject | null {
  if (invoice.paymentId === null || invoice.finalizedAt === null) return null
  const paid = invoice.status === 'paid'
  const canceled = invoice.status === 'void'
  return {
    id: invoice.paymentId,
    object: 'invoice_payment',
    amount_paid: paid ? invoice.amountPaid : null,
    amount_requested: invoice.amountDue,
    created: invoice.finalizedAt,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: invoice.paymentIntent, type: 'payment_intent' },
    status: paid ? 'paid' : canceled ? 'canceled' : 'open',
    status_transitions: { canceled_at: canceled ? invoice.voidedAt : null, paid_at: invoice.paidAt },
  }
}
