import type { Coupon, Price, Tier, WorldProduct } from '../model/offer.ts'
import type { StripeJson, WorldObject } from '../model/stripe-object.ts'

export function renderProduct(product: WorldProduct): WorldObject {
  return {
    id: product.id,
    object: 'product',
    active: product.active,
    created: product.created,
    default_price: null,
    description: product.description,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    name: product.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: product.unitLabel,
    updated: product.created,
    url: null,
  }
}

/** A price; `tiers` appear only in the price list, since the provider shows them only on request. */
export function renderPrice(price: Price, withTiers: boolean): WorldObject {
  const { scheme } = price
  const tiered = 'tiers' in scheme
  const unit = tiered ? null : scheme.unitCents
  const rendered: WorldObject = {
    id: price.id,
    object: 'price',
    active: price.active,
    billing_scheme: tiered ? 'tiered' : 'per_unit',
    created: price.created,
    currency: price.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: price.inline ? null : price.nickname,
    metadata: {},
    nickname: price.nickname,
    product: price.product.id,
    recurring: renderRecurring(price),
    tax_behavior: price.taxBehavior,
    tiers_mode: tiered ? scheme.kind : null,
    transform_quantity:
      scheme.kind === 'package' ? { divide_by: scheme.divideBy, round: scheme.round } : null,
    type: price.interval === null ? 'one_time' : 'recurring',
    unit_amount: unit === null || unit.includes('.') ? null : Number(unit),
    unit_amount_decimal: unit,
  }
  if (withTiers && tiered) rendered.tiers = scheme.tiers.map(renderTier)
  return rendered
}

/** The legacy plan that the provider still sends with each subscription item. */
export function renderPlan(price: Price): WorldObject {
  const rendered = renderPrice(price, false)
  const { transform_quantity, unit_amount, unit_amount_decimal, tiers_mode, billing_scheme } = rendered
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: unit_amount,
    amount_decimal: unit_amount_decimal,
    billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.interval,
    interval_count: price.count,
    livemode: false,
    metadata: {},
    meter: meterOf(price),
    nickname: price.nickname,
    product: price.product.id,
    tiers_mode,
    transform_usage: transform_quantity,
    trial_period_days: null,
    usage_type: price.metered ? 'metered' : 'licensed',
  }
}

export function renderCoupon(coupon: Coupon): WorldObject {
  const rendered: WorldObject = {
    id: coupon.id,
    object: 'coupon',
    amount_off: coupon.amountOff,
    created: coupon.created,
    currency: coupon.currency,
    duration: coupon.duration,
    duration_in_months: coupon.months,
    livemode: false,
    max_redemptions: null,
    metadata: {},
    name: coupon.name,
    percent_off: coupon.percentOff,
    redeem_by: null,
    times_redeemed: coupon.timesRedeemed,
    valid: true,
  }
  if (coupon.productsOnly !== null) {
    rendered.applies_to = { products: coupon.productsOnly.map((product) => product.id) }
  }
  return rendered
}

function renderRecurring(price: Price): StripeJson | null {
  if (price.interval === null) return null
  return {
    interval: price.interval,
    interval_count: price.count,
    meter: meterOf(price),
    trial_period_days: null,
    usage_type: price.metered ? 'metered' : 'licensed',
  }
}

function meterOf(price: Price): string | null {
  return price.metered ? `mtr_test_${price.product.id.slice(5)}` : null
}

function renderTier(tier: Tier): StripeJson {
  const flat = tier.flatCents > 0
  const unit = tier.unitCents > 0 || !flat
  return {
    flat_amount: flat ? tier.flatCents : null,
    flat_amount_decimal: flat ? String(tier.flatCents) : null,
    unit_amount: unit ? tier.unitCents : null,
    unit_amount_decimal: unit ? String(tier.unitCents) : null,
    up_to: tier.upTo,
  }
}
