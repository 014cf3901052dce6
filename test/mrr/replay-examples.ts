/** Objects as Stripe returns them at the pinned version, reduced to the fields that matter. */
import { replay } from '#cli/replay.ts'

/** Unix seconds of '2025-01-31'. */
export function seconds(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000
}

type Json = Record<string, unknown>

export const stripePrice = (id: string, unitAmount: number, more: Json = {}): Json => ({
  id,
  object: 'price',
  active: true,
  billing_scheme: 'per_unit',
  created: seconds('2020-01-01'),
  currency: 'usd',
  product: `prod_${id}`,
  recurring: {
    interval: 'month',
    interval_count: 1,
    meter: null,
    trial_period_days: null,
    usage_type: 'licensed',
  },
  tax_behavior: 'exclusive',
  tiers_mode: null,
  transform_quantity: null,
  type: 'recurring',
  unit_amount: unitAmount,
  unit_amount_decimal: String(unitAmount),
  ...more,
})

export const stripeSubscription = (id: string, price: Json, quantity: number, more: Json = {}): Json => ({
  id,
  object: 'subscription',
  billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' } },
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  collection_method: 'charge_automatically',
  created: seconds('2025-01-01'),
  currency: 'usd',
  customer: 'cus_1',
  discounts: [],
  ended_at: null,
  items: {
    object: 'list',
    has_more: false,
    data: [
      {
        id: `si_${id}`,
        object: 'subscription_item',
        created: seconds('2025-01-01'),
        current_period_start: seconds('2025-01-01'),
        current_period_end: seconds('2025-02-01'),
        discounts: [],
        price,
        quantity,
      },
    ],
  },
  pause_collection: null,
  start_date: seconds('2025-01-01'),
  status: 'active',
  trial_end: null,
  trial_start: null,
  ...more,
})

type LineOptions = {
  amount: number
  quantity: number
  from: string
  to: string
  isProration?: boolean
  more?: Json
}

export const stripeLine = (subscriptionId: string, price: Json, options: LineOptions): Json => ({
  id: `il_${String(price['id'])}_${options.from}_${options.amount}`,
  object: 'line_item',
  amount: options.amount,
  currency: 'usd',
  description: null,
  discount_amounts: [],
  discountable: options.isProration !== true,
  discounts: [],
  parent: {
    type: 'subscription_item_details',
    invoice_item_details: null,
    subscription_item_details: {
      invoice_item: null,
      proration: options.isProration === true,
      proration_details: { credited_items: null },
      subscription: subscriptionId,
      subscription_item: `si_${subscriptionId}`,
    },
  },
  period: { start: seconds(options.from), end: seconds(options.to) },
  pricing: {
    type: 'price_details',
    price_details: { price: price['id'], product: price['product'] },
    unit_amount_decimal: price['unit_amount_decimal'],
  },
  quantity: options.quantity,
  subtotal: options.amount,
  taxes: [],
  ...options.more,
})

export const stripeInvoice = (
  id: string,
  subscriptionId: string,
  day: string,
  lines: Json[],
  more: Json = {},
): Json => ({
  id,
  object: 'invoice',
  billing_reason: 'subscription_cycle',
  created: seconds(day),
  currency: 'usd',
  customer: 'cus_1',
  discounts: [],
  lines: { object: 'list', has_more: false, data: lines },
  number: id.toUpperCase(),
  parent: {
    type: 'subscription_details',
    subscription_details: { subscription: subscriptionId },
    quote_details: null,
  },
  status: 'paid',
  status_transitions: {
    finalized_at: seconds(day),
    marked_uncollectible_at: null,
    paid_at: seconds(day),
    voided_at: null,
  },
  total_discount_amounts: [],
  ...more,
})

/** Ten seats from New Year, eleven from the 16th, billed on 1 February. */
export function seatsDocument(id: string) {
  const seat = stripePrice('seat', 1000)
  const change = { from: '2025-01-16', to: '2025-02-01', isProration: true }
  return {
    as_of: '2025-02-10T00:00:00Z',
    customers: [
      { id: 'cus_1', object: 'customer', created: 1_700_000_000, name: 'Ada', email: 'ada@example.com' },
    ],
    products: [{ id: 'prod_seat', object: 'product', name: 'Seat', active: true, created: 1_600_000_000 }],
    prices: [seat],
    coupons: [],
    subscriptions: [stripeSubscription(id, seat, 11)],
    invoices: [
      stripeInvoice('in_2', id, '2025-02-01', [
        stripeLine(id, seat, { ...change, amount: 5500, quantity: 11 }),
        stripeLine(id, seat, { ...change, amount: -5000, quantity: 10 }),
        stripeLine(id, seat, { amount: 11_000, quantity: 11, from: '2025-02-01', to: '2025-03-01' }),
      ]),
      stripeInvoice('in_1', id, '2025-01-01', [
        stripeLine(id, seat, { amount: 10_000, quantity: 10, from: '2025-01-01', to: '2025-02-01' }),
      ]),
    ],
    invoice_payments: [],
  }
}

/** Runs the command on files with the given contents: JSON, text, or bytes. */
export function runReplay(args: string[], files: Record<string, unknown>) {
  let out = ''
  let error = ''
  const code = replay(args, {
    readBytes: (path) => {
      const content = files[path]
      if (content === undefined) throw new Error(`no ${path}`)
      if (content instanceof Uint8Array) return content
      return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
    },
    writeOut: (text) => {
      out += text
    },
    writeError: (text) => {
      error += text
    },
  })
  const lines = out.split('\n').filter(Boolean)
  return { code, error, lines: lines.map((line) => JSON.parse(line)) }
}
