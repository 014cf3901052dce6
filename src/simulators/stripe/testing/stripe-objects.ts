import type { StripeObject } from '../world/world.ts'

/** Whole Stripe objects for tests, as worlds contain them; `fields` overwrites what a test is about. */
type Fields = Readonly<Record<string, unknown>>

const createdAt = 1_767_225_600

export function listOf(url: string, data: readonly unknown[]): Fields {
  return { object: 'list', data, has_more: false, url }
}

export function customer(id: string, fields: Fields = {}): StripeObject {
  return {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created: createdAt,
    default_source: null,
    description: null,
    discount: null,
    email: `${id}@example.com`,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    name: `Customer ${id}`,
    shipping: null,
    test_clock: null,
    ...fields,
  }
}

export function product(id: string, fields: Fields = {}): StripeObject {
  return {
    id,
    object: 'product',
    active: true,
    created: createdAt,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    name: `Product ${id}`,
    package_dimensions: null,
    shippable: null,
    tax_details: null,
    type: 'service',
    updated: createdAt,
    url: null,
    ...fields,
  }
}

export function price(id: string, fields: Fields = {}): StripeObject {
  return {
    id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: createdAt,
    currency: 'usd',
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product: 'prod_seats',
    recurring: {
      interval: 'month',
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: 1000,
    unit_amount_decimal: '1000',
    ...fields,
  }
}

export function coupon(id: string, fields: Fields = {}): StripeObject {
  return {
    id,
    object: 'coupon',
    amount_off: null,
    created: createdAt,
    currency: null,
    duration: 'forever',
    duration_in_months: null,
    livemode: false,
    max_redemptions: null,
    metadata: {},
    name: null,
    percent_off: 20,
    redeem_by: null,
    times_redeemed: 1,
    valid: true,
    ...fields,
  }
}

export function discount(id: string, fields: Fields = {}): Fields {
  return {
    id,
    object: 'discount',
    checkout_session: null,
    customer: 'cus_one',
    customer_account: null,
    end: null,
    invoice: null,
    invoice_item: null,
    promotion_code: null,
    source: { type: 'coupon', coupon: 'coupon_forever' },
    start: createdAt,
    subscription: null,
    subscription_item: null,
    ...fields,
  }
}

export function paymentMethod(id: string, fields: Fields = {}): StripeObject {
  return {
    id,
    object: 'payment_method',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    created: createdAt,
    customer: 'cus_one',
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
    card: {
      brand: 'visa',
      checks: null,
      country: 'US',
      display_brand: 'visa',
      exp_month: 12,
      exp_year: 2030,
      funding: 'credit',
      generated_from: null,
      last4: '4242',
      networks: null,
      regulated_status: null,
      three_d_secure_usage: null,
      wallet: null,
    },
    ...fields,
  }
}

/** A card as a source, as in accounts older than payment methods. */
export function card(id: string, customerId: string, fields: Fields = {}): Fields {
  return {
    id,
    object: 'card',
    address_city: null,
    address_country: null,
    address_line1: null,
    address_line1_check: null,
    address_line2: null,
    address_state: null,
    address_zip: null,
    address_zip_check: null,
    brand: 'MasterCard',
    country: 'US',
    customer: customerId,
    cvc_check: null,
    dynamic_last4: null,
    exp_month: 4,
    exp_year: 2031,
    funding: 'credit',
    last4: '4444',
    metadata: {},
    name: null,
    regulated_status: null,
    tokenization_method: null,
    ...fields,
  }
}

export function testClock(id: string, fields: Fields = {}): StripeObject {
  return {
    id,
    object: 'test_helpers.test_clock',
    created: createdAt,
    deletes_after: createdAt + 2_592_000,
    frozen_time: createdAt,
    livemode: false,
    name: null,
    status: 'ready',
    status_details: {},
    ...fields,
  }
}

export function invoicePayment(id: string, fields: Fields = {}): StripeObject {
  return {
    id,
    object: 'invoice_payment',
    amount_paid: 1000,
    amount_requested: 1000,
    created: createdAt,
    currency: 'usd',
    invoice: 'in_one',
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: 'pi_one' },
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: createdAt },
    ...fields,
  }
}

export function paymentIntent(id: string, fields: Fields = {}): StripeObject {
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: 1000,
    amount_capturable: 0,
    amount_received: 1000,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: null,
    confirmation_method: 'automatic',
    created: createdAt,
    currency: 'usd',
    customer: 'cus_one',
    customer_account: null,
    description: 'Subscription creation',
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: 'ch_one',
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: 'pm_card',
    payment_method_configuration_details: null,
    payment_method_options: null,
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
    status: 'succeeded',
    transfer_group: null,
    ...fields,
  }
}

export function event(id: string, type: string, created: number): StripeObject {
  return {
    id,
    object: 'event',
    api_version: '2026-10-28.endive',
    created,
    data: { object: { id: 'sub_one', object: 'subscription' } },
    livemode: false,
    pending_webhooks: 0,
    request: { id: null, idempotency_key: null },
    type,
  }
}

export { createdAt as worldStart }
