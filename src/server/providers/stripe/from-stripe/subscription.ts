import type { Instant } from '#domain/instant.ts'
import type { PaymentSubscription, SubscriptionItem } from '#domain/payments.ts'
import { toDiscounts } from './coupon.ts'
import { type Joins, noJoins } from './joins.ts'
import { toDefaultPaymentMethod } from './payment-method.ts'
import { toPrice } from './price.ts'
import {
  at,
  entriesOf,
  type Fields,
  fieldsOf,
  idOf,
  idOrNull,
  instantOrNull,
  integerOrNull,
  isList,
  isTrue,
  isUnreadable,
  textOr,
  textOrNull,
} from './read-fields.ts'

/**
 * A subscription. Periods are on its items, or on itself in shapes before 2025-03-31. Throws UnreadableObject
 * without an id; `problem` names other unreadable fields that affect revenue.
 */
export function toSubscription(value: unknown, joins: Joins = noJoins): PaymentSubscription {
  const subscription = at(value)
  const createdAt = instantOrNull(subscription['created']) ?? instantOrNull(subscription['start_date'])
  const items: SubscriptionItem[] = []
  let problem = createdAt === null ? 'The field created is missing or unreadable' : undefined
  problem ??= problemOfDates(subscription, subscriptionDates)
  if (!isList(subscription['items'])) problem ??= 'The field items is missing: look at its items in Stripe'
  for (const entry of entriesOf(subscription['items'])) {
    const item = toItem(entry, subscription, joins)
    if (item) items.push(item)
    else problem ??= `An item ${idOrNull(entry) ?? 'without id'} has no readable price`
    problem ??= problemOfItem(entry)
  }
  const customerId = idOrNull(subscription['customer'])
  if (textOrNull(subscription['status']) === null) problem ??= 'The field status is missing'
  return {
    id: idOf(value),
    customerId: customerId ?? '',
    status: textOr(subscription['status'], 'unknown'),
    currency: textOr(subscription['currency'], items[0]?.price.currency ?? '').toLowerCase(),
    createdAt: createdAt ?? 0,
    startedAt: instantOrNull(subscription['start_date']) ?? createdAt ?? 0,
    trialStart: instantOrNull(subscription['trial_start']),
    trialEnd: instantOrNull(subscription['trial_end']),
    cancelAtPeriodEnd: isTrue(subscription['cancel_at_period_end']),
    cancelAt: instantOrNull(subscription['cancel_at']),
    canceledAt: instantOrNull(subscription['canceled_at']),
    endedAt: instantOrNull(subscription['ended_at']),
    ...endOf(subscription),
    pauseCollection: textOrNull(at(value, 'pause_collection')['behavior']),
    collectionMethod: textOr(subscription['collection_method'], 'charge_automatically'),
    items,
    discounts: toDiscounts(value, joins.coupons),
    paymentMethod: toDefaultPaymentMethod(value),
    pausedAt: instantOrNull(at(value, 'status_details', 'paused')['transitioned_at']),
    anchorAt: instantOrNull(subscription['billing_cycle_anchor']),
    ...modeOf(subscription),
    ...(fieldsOf(subscription['pending_update'])
      ? { pendingInvoiceId: idOrNull(subscription['latest_invoice']) }
      : {}),
    ...(problem === undefined ? {} : { problem }),
    ...accountOf(subscription),
    ...clockOf(subscription, items, createdAt),
  }
}

/** Why it was canceled. The comment stays out, because a person may have written anything there. */
function endOf(subscription: Fields): Pick<PaymentSubscription, 'endReason' | 'endFeedback'> {
  const { reason, feedback } = at(subscription, 'cancellation_details')
  const [endReason, endFeedback] = [textOrNull(reason), textOrNull(feedback)]
  return { ...(endReason !== null && { endReason }), ...(endFeedback !== null && { endFeedback }) }
}

/** Only the flexible billing mode allows several intervals (docs.stripe.com/billing/subscriptions/mixed-interval). */
function modeOf(subscription: Fields): Pick<PaymentSubscription, 'mixesIntervalsSince'> {
  const { type, updated_at: updatedAt } = at(subscription, 'billing_mode')
  if (type === 'classic') return { mixesIntervalsSince: null }
  const since = type === 'flexible' ? instantOrNull(updatedAt) : null
  return since === null ? {} : { mixesIntervalsSince: since }
}

function accountOf(subscription: Fields): Pick<PaymentSubscription, 'customerAccount'> {
  const customerAccount = textOrNull(subscription['customer_account'])
  return customerAccount === null ? {} : { customerAccount }
}

/** The time of its test clock: the clock's own, otherwise the latest time on the subscription. */
function clockOf(
  { test_clock: clock }: Fields,
  items: readonly SubscriptionItem[],
  createdAt: Instant | null,
): Pick<PaymentSubscription, 'isOnTestClock' | 'clockAt'> {
  if (idOrNull(clock) === null) return {}
  const told = [createdAt ?? 0, ...items.map(({ periodStart }) => periodStart)]
  return { isOnTestClock: true, clockAt: instantOrNull(at(clock)['frozen_time']) ?? Math.max(...told) }
}

const subscriptionDates = [
  'created',
  'start_date',
  'trial_start',
  'trial_end',
  'cancel_at',
  'canceled_at',
  'ended_at',
]
const itemDates = ['created', 'current_period_start', 'current_period_end']

/**
 * Names a field whose value is not a date. Without that date the subscription would end, begin or renew at another
 * time.
 */
function problemOfDates(fields: Fields, names: string[]): string | undefined {
  const name = names.find((date) => isUnreadable(fields[date], instantOrNull))
  return name && `The field ${name} is unreadable`
}

function problemOfItem(value: unknown): string | undefined {
  const problem = isUnreadable(at(value)['quantity'], integerOrNull)
    ? 'The field quantity is unreadable'
    : problemOfDates(at(value), itemDates)
  return problem && `Item ${idOrNull(value) ?? 'without id'}: ${problem}`
}

function toItem(value: unknown, subscription: Fields, { coupons, prices }: Joins): SubscriptionItem | null {
  const item = at(value)
  const id = idOrNull(value)
  const embedded = item['price'] ?? item['plan']
  const priceId = idOrNull(embedded)
  if (id === null || priceId === null) return null
  const price = typeof embedded === 'string' ? prices.get(priceId) : toPrice(embedded)
  if (!price) return null
  const joined = prices.get(priceId)
  const createdAt = instantOrNull(item['created']) ?? instantOrNull(subscription['created']) ?? 0
  return {
    id,
    priceId,
    price: joined && price.tiers === null ? { ...price, tiers: joined.tiers } : price,
    quantity: integerOrNull(item['quantity']),
    createdAt,
    periodStart: periodOf(item, subscription, 'current_period_start') ?? createdAt,
    periodEnd: periodOf(item, subscription, 'current_period_end') ?? createdAt,
    discounts: toDiscounts(value, coupons),
  }
}

function periodOf(item: Fields, subscription: Fields, name: string): number | null {
  return instantOrNull(item[name]) ?? instantOrNull(subscription[name])
}
