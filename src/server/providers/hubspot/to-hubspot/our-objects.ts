import {
  type CrmEventField,
  type CrmKind,
  type CrmSubscriptionField,
  crmChangeTypes,
  crmMrrStatuses,
  crmStatuses,
} from '#domain/crm-record.ts'
import { labelOf } from '#domain/subscription.ts'
import { convertedOfEvent, convertedOfSubscription } from './converted-properties.ts'
import type { ObjectSpelling, PropertySpelling } from './property.ts'

/**
 * Every property of both objects: name, label, type and the description that people read beside the field. The
 * domain's record has the calculation of each value under the same key.
 */

const amount = (name: string, label: string, description: string): PropertySpelling => ({
  name,
  label,
  description: `${description}, in the currency beside it.`,
  type: 'number',
  currency: 'currency',
})

const line = (name: string, label: string, description: string): PropertySpelling => ({
  name,
  label,
  description,
  type: 'string',
})

const subscriptionFields: Record<CrmSubscriptionField, PropertySpelling> = {
  subscriptionId: {
    name: 'stripe_subscription_id',
    label: 'Stripe subscription ID',
    description: 'The id of the subscription in Stripe.',
    type: 'string',
    isUnique: true,
  },
  name: {
    name: 'subscription_name',
    label: 'Subscription',
    description: 'Plan and customer.',
    type: 'string',
  },
  status: {
    name: 'status',
    label: 'Status',
    description: 'Status of the subscription in Stripe.',
    type: 'enumeration',
    options: crmStatuses.map((value) => ({ value, label: labelOf(value) })),
  },
  statusText: {
    name: 'status_text',
    label: 'Status in words',
    description: 'The status as Stripe names it, also where it is a new one.',
    type: 'string',
  },
  mrr: amount('mrr', 'MRR', 'Monthly recurring revenue'),
  currency: {
    name: 'currency_code',
    label: 'Currency',
    description: 'Currency of all amounts, as its three-letter code.',
    type: 'string',
  },
  quantity: { name: 'quantity', label: 'Quantity', description: 'Units or seats.', type: 'number' },
  productName: {
    name: 'product_name',
    label: 'Plan',
    description: 'Name of the product in Stripe.',
    type: 'string',
  },
  billingInterval: {
    name: 'billing_interval',
    label: 'Billing interval',
    description: 'How often the subscription is billed.',
    type: 'string',
  },
  startedAt: {
    name: 'started_at',
    label: 'Created',
    description: 'When the subscription was created in Stripe.',
    type: 'datetime',
  },
  periodStart: {
    name: 'period_start',
    label: 'Period start',
    description: 'Start of the billing period that is running.',
    type: 'datetime',
  },
  periodEnd: {
    name: 'period_end',
    label: 'Period end',
    description: 'End of the billing period that is running.',
    type: 'datetime',
  },
  nextRenewalOn: {
    name: 'next_renewal_date',
    label: 'Next renewal',
    description: 'Day of the next renewal (UTC); empty when none is coming.',
    type: 'date',
  },
  trialEnd: { name: 'trial_end', label: 'Trial end', description: 'When the trial ends.', type: 'datetime' },
  cancelAt: {
    name: 'cancel_at',
    label: 'Cancels at',
    description: 'When a planned cancellation takes effect.',
    type: 'datetime',
  },
  endedAt: {
    name: 'ended_at',
    label: 'Ended',
    description: 'When the subscription ended.',
    type: 'datetime',
  },
  customerId: {
    name: 'stripe_customer_id',
    label: 'Stripe customer ID',
    description: 'The id of the customer in Stripe.',
    type: 'string',
  },
  customerName: {
    name: 'customer_name',
    label: 'Customer name',
    description: 'Name of the customer in Stripe.',
    type: 'string',
  },
  customerEmail: {
    name: 'customer_email',
    label: 'Customer email',
    description: 'Address of the customer in Stripe.',
    type: 'string',
  },
  receipt: {
    name: 'mrr_receipt',
    label: 'How the MRR is computed',
    description: 'The sum behind the MRR.',
    type: 'string',
    isLong: true,
  },
  note: {
    name: 'mrr_note',
    label: 'MRR note',
    description: 'Why the subscription takes part in no total; empty when it does.',
    type: 'string',
  },
  url: {
    name: 'stripe_subscription_url',
    label: 'View in Stripe',
    description: 'The subscription in Stripe.',
    type: 'string',
  },
}

/**
 * The subscriptions object. Property names must never change, because customers build lists and reports on them.
 */
const subscriptionObject: ObjectSpelling = {
  name: 'tributary_subscription',
  singular: 'Stripe subscription',
  plural: 'Stripe subscriptions',
  description: 'Subscriptions in Stripe with their recurring revenue, kept by Tributary.',
  key: 'subscriptionId',
  primaryDisplay: 'name',
  secondaryDisplay: ['status', 'mrr'],
  searchable: ['subscriptionId', 'customerEmail', 'customerName'],
  fields: subscriptionFields,
  converted: convertedOfSubscription,
}

const eventFields: Record<CrmEventField, PropertySpelling> = {
  eventId: {
    name: 'tributary_event_id',
    label: 'Event ID',
    description: 'Made of the subscription, the cause and the kind of change; the same for ever.',
    type: 'string',
    isUnique: true,
  },
  name: line('event_name', 'Event', 'What changed, by how much, and when.'),
  occurredAt: {
    name: 'occurred_at',
    label: 'Date',
    description: 'When the change took effect.',
    type: 'datetime',
  },
  mrrStatus: {
    name: 'mrr_status',
    label: 'MRR status',
    description: 'What the change does to recurring revenue.',
    type: 'enumeration',
    options: crmMrrStatuses.map((value) => ({ value, label: labelOf(value) })),
  },
  changeType: {
    name: 'change_type',
    label: 'Change type',
    description: 'Why the revenue changed.',
    type: 'enumeration',
    options: crmChangeTypes.map((value) => ({ value, label: labelOf(value) })),
  },
  previousMrr: amount('previous_mrr', 'Previous MRR', 'Monthly recurring revenue before the change'),
  currentMrr: amount('current_mrr', 'Current MRR', 'Monthly recurring revenue after the change'),
  mrrChange: amount('mrr_change', 'MRR change', 'Current minus previous MRR'),
  currency: line('currency_code', 'Currency', 'Currency of all amounts, as its three-letter code.'),
  previousQuantity: {
    name: 'previous_quantity',
    label: 'Previous quantity',
    description: 'Units or seats before the change.',
    type: 'number',
  },
  currentQuantity: {
    name: 'current_quantity',
    label: 'Current quantity',
    description: 'Units or seats after the change.',
    type: 'number',
  },
  productName: line('product_name', 'Plan', 'Name of the product in Stripe.'),
  paymentMethod: line('payment_method', 'Payment method', 'How the invoice was paid.'),
  subscriptionId: line('related_subscription_id', 'Stripe subscription ID', 'The subscription that changed.'),
  invoiceId: line('stripe_invoice_id', 'Stripe invoice ID', 'The invoice that first shows the change.'),
  customerId: line('stripe_customer_id', 'Stripe customer ID', 'The id of the customer in Stripe.'),
  customerName: line('customer_name', 'Customer name', 'Name of the customer in Stripe.'),
  customerEmail: line('customer_email', 'Customer email', 'Address of the customer in Stripe.'),
  receipt: {
    name: 'mrr_receipt',
    label: 'How the MRR is computed',
    description: 'The sum behind the current MRR.',
    type: 'string',
    isLong: true,
  },
  subscriptionUrl: line('stripe_subscription_url', 'Subscription in Stripe', 'The subscription in Stripe.'),
  invoiceUrl: line('stripe_invoice_url', 'Invoice in Stripe', 'The invoice in Stripe.'),
}

/** The events object has one record per change of MRR. Property names must never change. */
const eventObject: ObjectSpelling = {
  name: 'tributary_event',
  singular: 'MRR event',
  plural: 'MRR events',
  description: 'Changes of monthly recurring revenue, one record each, kept by Tributary.',
  key: 'eventId',
  primaryDisplay: 'name',
  secondaryDisplay: ['mrrStatus', 'mrrChange'],
  searchable: ['eventId', 'subscriptionId', 'customerEmail'],
  fields: eventFields,
  converted: convertedOfEvent,
}

export const spellings: Record<CrmKind, ObjectSpelling> = {
  subscription: subscriptionObject,
  event: eventObject,
}
