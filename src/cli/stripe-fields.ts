/**
 * The types of the fields that figures are read from, by Stripe's reference, in the pinned and older versions. Only types
 * are checked here: the rules decide for each subscription whether values are plausible or missing.
 */
import {
  aDecimal,
  aFlag,
  aList,
  aMap,
  anAmount,
  anId,
  anInstant,
  anObject,
  aPercentage,
  aQuantity,
  aReference,
  aText,
  type Check,
} from './field-checks.ts'

const unitAmounts = { unit_amount: anAmount, unit_amount_decimal: aDecimal }

const tiers = aList(
  anObject({ ...unitAmounts, flat_amount: anAmount, flat_amount_decimal: aDecimal, up_to: aQuantity }),
)

const cadence = { interval: aText, interval_count: aQuantity, usage_type: aText }

/** A price, or a plan of older API versions. */
const price = anObject(
  {
    ...unitAmounts,
    ...cadence,
    id: anId,
    amount: anAmount,
    amount_decimal: aDecimal,
    billing_scheme: aText,
    created: anInstant,
    currency: aText,
    currency_options: aMap(anObject({ ...unitAmounts, tiers })),
    product: aReference(),
    recurring: anObject(cadence),
    tax_behavior: aText,
    tiers,
    tiers_mode: aText,
    transform_quantity: anObject({ divide_by: aQuantity, round: aText }),
    transform_usage: anObject({ divide_by: aQuantity, round: aText }),
  },
  ['id'],
)

const product = anObject({ id: anId, name: aText, active: aFlag, created: anInstant }, ['id'])

const coupon = anObject(
  {
    id: anId,
    amount_off: aQuantity,
    applies_to: anObject({ products: aList(anId) }),
    currency: aText,
    currency_options: aMap(anObject({ amount_off: aQuantity })),
    duration: aText,
    duration_in_months: aQuantity,
    percent_off: aPercentage,
  },
  ['id'],
)

const discount = aReference(
  anObject(
    {
      id: anId,
      coupon: aReference(coupon),
      end: anInstant,
      source: anObject({ coupon: aReference(coupon) }),
      start: anInstant,
    },
    ['id'],
  ),
)

const discounted = { discount, discounts: aList(discount) }
const paid = { default_payment_method: aReference(), default_source: aReference() }

/** Of customers only the discount counts; a customer without an id belongs to no subscription. */
const customer = anObject({
  ...discounted,
  ...paid,
  id: anId,
  created: anInstant,
  email: aText,
  invoice_settings: anObject({ default_payment_method: aReference() }),
  name: aText,
})

/** The price is embedded; the oldest API versions have only `plan`. */
const subscriptionItem = anObject(
  {
    id: anId,
    created: anInstant,
    current_period_end: anInstant,
    current_period_start: anInstant,
    discounts: aList(discount),
    plan: aReference(price),
    price: aReference(price),
    quantity: aQuantity,
  },
  ['id'],
)

const subscription = anObject(
  {
    ...discounted,
    ...paid,
    id: anId,
    cancel_at: anInstant,
    cancel_at_period_end: aFlag,
    canceled_at: anInstant,
    collection_method: aText,
    created: anInstant,
    currency: aText,
    current_period_end: anInstant,
    current_period_start: anInstant,
    customer: aReference(),
    ended_at: anInstant,
    items: aList(subscriptionItem),
    pause_collection: anObject({ behavior: aText }),
    start_date: anInstant,
    status: aText,
    status_details: anObject({ paused: anObject({ transitioned_at: anInstant }) }),
    trial_end: anInstant,
    trial_start: anInstant,
  },
  ['id'],
)

const discountAmounts = aList(anObject({ amount: anAmount, discount }))
const taxes = aList(anObject({ amount: anAmount, inclusive: aFlag, tax_behavior: aText }))

const lineParent = anObject({
  proration: aFlag,
  proration_details: anObject({}),
  subscription: aReference(),
  subscription_item: aReference(),
})

const line = anObject({
  id: anId,
  amount: anAmount,
  currency: aText,
  description: aText,
  discount_amounts: discountAmounts,
  discountable: aFlag,
  discounts: aList(discount),
  parent: anObject({
    invoice_item_details: lineParent,
    subscription_item_details: lineParent,
    type: aText,
  }),
  period: anObject({ end: anInstant, start: anInstant }),
  plan: aReference(price),
  price: aReference(price),
  pricing: anObject({
    price_details: anObject({ price: aReference(price), product: aReference() }),
    unit_amount_decimal: aDecimal,
  }),
  proration: aFlag,
  quantity: aQuantity,
  quantity_decimal: aDecimal,
  subscription: aReference(),
  subscription_item: aReference(),
  tax_amounts: taxes,
  taxes,
  type: aText,
  unit_amount_decimal: aDecimal,
})

const invoice = anObject(
  {
    ...discounted,
    id: anId,
    billing_reason: aText,
    created: anInstant,
    currency: aText,
    customer: aReference(),
    customer_email: aText,
    customer_name: aText,
    lines: aList(line),
    number: aText,
    parent: anObject({ subscription_details: anObject({ subscription: aReference() }) }),
    status: aText,
    status_transitions: anObject({ finalized_at: anInstant, marked_uncollectible_at: anInstant }),
    subscription: aReference(),
    subtotal: anAmount,
    tax: anAmount,
    total: anAmount,
    total_discount_amounts: discountAmounts,
  },
  ['id'],
)

const invoicePayment = anObject({ id: anId, created: anInstant, invoice: aReference() }, ['id'])

/** The lists of a replay file, in the order of checking. */
export const listChecks: Readonly<Record<string, Check>> = {
  customers: aList(customer),
  products: aList(product),
  prices: aList(price),
  coupons: aList(coupon),
  subscriptions: aList(subscription),
  invoices: aList(invoice),
  invoice_payments: aList(invoicePayment),
}
