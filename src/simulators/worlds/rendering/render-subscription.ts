import type { TaxRate } from '../model/offer.ts'
import { listOf, type StripeJson, type WorldObject } from '../model/stripe-object.ts'
import type { Discount, Item, WorldSubscription } from '../model/subscription.ts'
import { renderPlan, renderPrice } from './render-catalogue.ts'

/** The subscription as the provider returns it at an instant, without discounts that have ended. */
export function renderSubscription(subscription: WorldSubscription, now: number): WorldObject {
  const { id, customer, taxRate } = subscription
  const standing = (discount: Discount): boolean =>
    !discount.spent && (discount.end === null || now < discount.end)
  const items = subscription.items.map((item) => renderItem(item, item.discounts.filter(standing)))
  const rendered: WorldObject = {
    ...unusedSettings(),
    id,
    object: 'subscription',
    billing_cycle_anchor: subscription.anchor,
    billing_mode: renderMode(subscription),
    cancel_at: subscription.cancelAt,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    canceled_at: subscription.canceledAt,
    cancellation_details: {
      comment: null,
      feedback: subscription.feedback,
      feedback_option: null,
      reason: subscription.endReason,
    },
    collection_method: subscription.collection,
    created: subscription.created,
    currency: subscription.currency,
    customer: customer.id,
    days_until_due: subscription.daysUntilDue,
    default_tax_rates: taxRate === null ? [] : [renderTaxRate(taxRate, subscription.created)],
    discounts: subscription.discounts.filter(standing).map(renderDiscount),
    ended_at: subscription.endedAt,
    items: listOf(items, `/v1/subscription_items?subscription=${id}`),
    latest_invoice: subscription.latestInvoice?.id ?? null,
    pause_collection: renderPauseCollection(subscription),
    pending_update: renderPendingUpdate(subscription),
    start_date: subscription.startDate,
    status: subscription.status,
    trial_end: subscription.trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: missingMethod(subscription) },
    },
    trial_start: subscription.trialStart,
  }
  if (subscription.status === 'paused') rendered.status_details = { paused: renderPaused(subscription) }
  return rendered
}

/** The settings that no simulated subscription uses, with the values that the provider sends for them. */
function unusedSettings(): StripeJson {
  return {
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor_config: null,
    billing_schedules: [],
    billing_thresholds: null,
    customer_account: null,
    default_payment_method: null,
    default_source: null,
    description: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    schedule: null,
    test_clock: null,
    transfer_data: null,
  }
}

function renderItem(item: Item, discounts: Discount[]): WorldObject {
  const rendered: WorldObject = {
    id: item.id,
    object: 'subscription_item',
    billing_thresholds: null,
    created: item.created,
    current_period_end: item.periodEnd,
    current_period_start: item.periodStart,
    current_trial: null,
    discounts: discounts.map(renderDiscount),
    metadata: {},
    plan: renderPlan(item.price),
    price: renderPrice(item.price, false),
    subscription: item.subscription,
    tax_rates: [],
  }
  if (item.quantity !== null) rendered.quantity = item.quantity
  return rendered
}

export function renderDiscount(discount: Discount): WorldObject {
  return {
    id: discount.id,
    object: 'discount',
    checkout_session: null,
    customer: discount.customer,
    customer_account: null,
    end: discount.end,
    invoice: null,
    invoice_item: null,
    promotion_code: null,
    source: { coupon: discount.coupon.id, type: 'coupon' },
    start: discount.start,
    subscription: discount.subscription,
    subscription_item: discount.item,
  }
}

export function renderTaxRate(rate: TaxRate, created: number): WorldObject {
  return {
    id: rate.id,
    object: 'tax_rate',
    active: true,
    country: rate.country,
    created,
    description: null,
    display_name: rate.name,
    effective_percentage: null,
    flat_amount: null,
    inclusive: rate.inclusive,
    jurisdiction: rate.country,
    jurisdiction_level: 'country',
    livemode: false,
    metadata: {},
    percentage: Number(rate.percentage),
    rate_type: 'percentage',
    state: null,
    tax_type: rate.kind,
  }
}

function renderMode(subscription: WorldSubscription): StripeJson {
  if (subscription.mode === 'classic') return { flexible: null, type: 'classic' }
  return {
    flexible: { proration_discounts: subscription.mode },
    type: 'flexible',
    updated_at: subscription.created,
  }
}

function renderPauseCollection({ pauseCollection }: WorldSubscription): StripeJson | null {
  return pauseCollection && { behavior: pauseCollection.behavior, resumes_at: pauseCollection.resumesAt }
}

function renderPendingUpdate({ pendingUpdate }: WorldSubscription): StripeJson | null {
  return (
    pendingUpdate && {
      billing_cycle_anchor: null,
      cancel_at_period_end: null,
      discount: null,
      discounts: null,
      expires_at: pendingUpdate.expiresAt,
      metadata: null,
      subscription_items: pendingUpdate.items.map((item) => renderItem(item, item.discounts)),
      trial_end: null,
      trial_from_plan: null,
    }
  )
}

function renderPaused(subscription: WorldSubscription): StripeJson {
  return {
    subscription: { type: subscription.pauseKind },
    transitioned_at: subscription.pausedAt,
    type: 'subscription',
  }
}

function missingMethod(subscription: WorldSubscription): string {
  return { convert: 'create_invoice', pause: 'pause', cancel: 'cancel' }[subscription.onTrialEnd]
}
