/**
 * How a stored object differs from an answered one; fields without a rule are answered unchanged.
 * Source: `x-expandableFields` and the optional fields of Stripe's OpenAPI document at 2026-10-28.endive.
 */
export type FieldRule =
  /** An id; the whole object when expanded. */
  | { is: 'reference'; to: string }
  /** A list of ids; whole objects when expanded. */
  | { is: 'references'; to: string }
  /** An object that is always whole. */
  | { is: 'part'; shape: string }
  /** An embedded list object: the first ten rows. */
  | { is: 'list'; shape: string }
  /** A plain hash, or a list of hashes, whose fields have rules. */
  | { is: 'hash'; fields: Shape }
  /** An object of any kind, in which nothing is ever expanded. */
  | { is: 'resource' }
  /** Left out unless expanded. */
  | { is: 'onRequest' }
  /** An embedded list of objects that refer to this one, left out unless expanded. */
  | { is: 'related'; to: 'subscription' | 'invoice_payment'; by: string }

export type Shape = readonly (readonly [field: string, rule: FieldRule])[]

/** A kind of object that worlds do not contain; such a field keeps its id. */
const unheld = 'unheld'

const reference = (to: string): FieldRule => ({ is: 'reference', to })
const discounts: FieldRule = { is: 'references', to: 'discount' }
const discountAmounts: FieldRule = { is: 'hash', fields: [['discount', reference('discount')]] }

const customer: Shape = [
  ['default_source', reference(unheld)],
  ['discount', { is: 'part', shape: 'discount' }],
  ['invoice_settings', { is: 'hash', fields: [['default_payment_method', reference('payment_method')]] }],
  ['sources', { is: 'onRequest' }],
  ['subscriptions', { is: 'related', to: 'subscription', by: 'customer' }],
  ['tax_ids', { is: 'onRequest' }],
  ['cash_balance', { is: 'onRequest' }],
  ['test_clock', reference('test_clock')],
]

const subscription: Shape = [
  ['application', reference(unheld)],
  ['customer', reference('customer')],
  ['default_payment_method', reference('payment_method')],
  ['default_source', reference(unheld)],
  ['discounts', discounts],
  ['items', { is: 'list', shape: 'subscription_item' }],
  ['latest_invoice', reference('invoice')],
  ['on_behalf_of', reference(unheld)],
  ['pending_setup_intent', reference(unheld)],
  ['schedule', reference(unheld)],
  ['test_clock', reference('test_clock')],
]

const subscriptionItem: Shape = [
  ['billed_until', { is: 'onRequest' }],
  ['discounts', discounts],
  ['price', { is: 'part', shape: 'price' }],
]

const price: Shape = [
  ['currency_options', { is: 'onRequest' }],
  ['product', reference('product')],
  ['tiers', { is: 'onRequest' }],
]

const coupon: Shape = [
  ['applies_to', { is: 'onRequest' }],
  ['currency_options', { is: 'onRequest' }],
]

const discount: Shape = [
  ['customer', reference('customer')],
  ['promotion_code', reference(unheld)],
  ['source', { is: 'hash', fields: [['coupon', reference('coupon')]] }],
]

const parentSubscription: Shape = [
  ['subscription_details', { is: 'hash', fields: [['subscription', reference('subscription')]] }],
]

const invoice: Shape = [
  ['customer', reference('customer')],
  ['default_payment_method', reference('payment_method')],
  ['default_source', reference(unheld)],
  ['discounts', discounts],
  ['from_invoice', { is: 'hash', fields: [['invoice', reference('invoice')]] }],
  ['latest_revision', reference('invoice')],
  ['lines', { is: 'list', shape: 'line_item' }],
  ['parent', { is: 'hash', fields: parentSubscription }],
  ['payments', { is: 'related', to: 'invoice_payment', by: 'invoice' }],
  ['test_clock', reference('test_clock')],
  ['total_discount_amounts', discountAmounts],
]

const priceDetails: Shape = [['price_details', { is: 'hash', fields: [['price', reference('price')]] }]]

const lineItem: Shape = [
  ['discount_amounts', discountAmounts],
  ['discounts', discounts],
  ['pricing', { is: 'hash', fields: priceDetails }],
  ['subscription', reference('subscription')],
]

const payment: Shape = [
  ['charge', reference(unheld)],
  ['payment_intent', reference('payment_intent')],
  ['payment_record', reference(unheld)],
]

const shapes: Readonly<Record<string, Shape>> = {
  customer,
  subscription,
  subscription_item: subscriptionItem,
  price,
  product: [
    ['default_price', reference('price')],
    ['tax_code', reference(unheld)],
  ],
  coupon,
  discount,
  invoice,
  line_item: lineItem,
  invoice_payment: [
    ['invoice', reference('invoice')],
    ['payment', { is: 'hash', fields: payment }],
  ],
  payment_method: [['customer', reference('customer')]],
  payment_intent: [
    ['customer', reference('customer')],
    ['latest_charge', reference(unheld)],
    ['payment_method', reference('payment_method')],
  ],
  event: [['data', { is: 'hash', fields: [['object', { is: 'resource' }]] }]],
}

const noRules: Shape = []

/** The rules of a kind of object, by the kind's name. */
export function shapeOf(kind: string): Shape {
  return shapes[kind] ?? noRules
}
