import type { SimulatedWorld } from '../world/world.ts'
import { invoice, item, line, subscription } from './billing-objects.ts'
import {
  card,
  coupon,
  customer,
  discount,
  event,
  invoicePayment,
  listOf,
  paymentIntent,
  paymentMethod,
  price,
  product,
  testClock,
  worldStart,
} from './stripe-objects.ts'

const daySeconds = 86_400
const itemCount = 12
const lineCount = 25

const tiers = [
  { flat_amount: null, flat_amount_decimal: null, unit_amount: 500, unit_amount_decimal: '500', up_to: null },
]

function manyItems(subscriptionId: string) {
  return Array.from({ length: itemCount }, (_, index) => item(`si_many${index}`, subscriptionId))
}

function manyLines(invoiceId: string) {
  return Array.from({ length: lineCount }, (_, index) => line(`il_many${index}`, { invoice: invoiceId }))
}

/**
 * A few objects that cover every difference between answers: deleted, archived, tiered, inline, more than ten
 * embedded rows, every discount place, a test clock, and events on both sides of 30 days.
 */
export function smallWorld(): SimulatedWorld {
  const applied = discount('di_sub', { subscription: 'sub_one' })
  const now = worldStart + 60 * daySeconds
  return {
    as_of: new Date(now * 1000).toISOString(),
    account: {
      id: 'acct_1Small',
      object: 'account',
      charges_enabled: true,
      details_submitted: true,
      email: 'owner@example.com',
      payouts_enabled: true,
      type: 'standard',
    },
    keys: ['sk_test_of_this_world'],
    customers: [
      customer('cus_one', {
        invoice_settings: {
          custom_fields: null,
          default_payment_method: 'pm_card',
          footer: null,
          rendering_options: null,
        },
      }),
      customer('cus_two', { created: worldStart + 10 }),
      // Accounts older than payment methods have a card as a source.
      customer('cus_card', { created: worldStart + 5, default_source: card('card_old', 'cus_card') }),
      customer('cus_clock', { created: worldStart + 20, test_clock: 'clock_one' }),
      { id: 'cus_gone', object: 'customer', deleted: true },
    ],
    products: [product('prod_seats'), product('prod_old', { active: false })],
    prices: [
      price('price_monthly'),
      price('price_archived', { active: false }),
      price('price_tiered', {
        billing_scheme: 'tiered',
        tiers_mode: 'graduated',
        unit_amount: null,
        unit_amount_decimal: null,
        tiers,
      }),
    ],
    coupons: [coupon('coupon_forever', { applies_to: { products: ['prod_seats'] } })],
    subscriptions: smallSubscriptions(applied),
    invoices: [
      invoice('in_one', {
        discounts: ['di_sub'],
        total_discount_amounts: [{ amount: 200, discount: applied }],
      }),
      invoice('in_many', {
        created: worldStart + 100,
        status: 'open',
        lines: listOf('/v1/invoices/in_many/lines', manyLines('in_many')),
      }),
      invoice('in_loose', { created: worldStart + 100, customer: 'cus_two', parent: null, status: 'draft' }),
    ],
    invoice_payments: [invoicePayment('inpay_one')],
    payment_intents: [paymentIntent('pi_one')],
    payment_methods: [paymentMethod('pm_card')],
    test_clocks: [testClock('clock_one', { frozen_time: worldStart + 20 })],
    events: [
      event('evt_new', 'customer.subscription.updated', now - daySeconds),
      event('evt_paid', 'invoice.paid', now - 2 * daySeconds),
      event('evt_old', 'invoice.paid', now - 31 * daySeconds),
    ],
  }
}

function smallSubscriptions(applied: ReturnType<typeof discount>) {
  return [
    subscription('sub_one', { discounts: [applied], default_payment_method: 'pm_card' }),
    subscription('sub_ended', { customer: 'cus_gone', status: 'canceled', ended_at: worldStart + 5 }),
    subscription('sub_expired', { customer: 'cus_two', status: 'incomplete_expired' }),
    subscription('sub_many', {
      customer: 'cus_two',
      created: worldStart + 30,
      items: listOf('/v1/subscription_items?subscription=sub_many', manyItems('sub_many')),
    }),
    subscription('sub_inline', {
      customer: 'cus_two',
      status: 'past_due',
      items: listOf('/v1/subscription_items?subscription=sub_inline', [
        item('si_inline', 'sub_inline', { price: price('price_inline', { active: false }) }),
      ]),
    }),
    subscription('sub_clock', { customer: 'cus_clock', test_clock: 'clock_one' }),
  ]
}
