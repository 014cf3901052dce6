import type { WorldObject } from '../model/stripe-object.ts'
import type { Customer } from '../model/subscription.ts'
import { renderDiscount } from './render-subscription.ts'

/** The customer as the provider returns it: whole, or the stub that remains after deletion. */
export function renderCustomer(customer: Customer): WorldObject {
  if (customer.deletedAt !== null) return { id: customer.id, object: 'customer', deleted: true }
  return {
    id: customer.id,
    object: 'customer',
    address: null,
    balance: customer.balanceCents,
    created: customer.created,
    currency: customer.currency,
    customer_account: null,
    default_source: null,
    delinquent: customer.delinquent,
    description: customer.note,
    discount: customer.discount === null ? null : renderDiscount(customer.discount),
    email: customer.email,
    invoice_prefix: customer.invoicePrefix,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: customer.paymentMethod?.id ?? null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    name: customer.name,
    next_invoice_sequence: customer.nextInvoice,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
}

/** A card on file, made together with its customer. */
export function renderCard(id: string, customer: Customer, brand: string, last4: string): WorldObject {
  const address = {
    city: null,
    country: customer.country,
    line1: null,
    line2: null,
    postal_code: null,
    state: null,
  }
  return {
    id,
    object: 'payment_method',
    allow_redisplay: 'always',
    billing_details: { address, email: customer.email, name: customer.name, phone: null, tax_id: null },
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: customer.country,
      display_brand: brand,
      exp_month: 1 + (Number(last4) % 12),
      exp_year: 2028 + (Number(last4) % 4),
      fingerprint: id.slice(-16),
      funding: 'credit',
      generated_from: null,
      last4,
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: customer.created,
    customer: customer.id,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
}
