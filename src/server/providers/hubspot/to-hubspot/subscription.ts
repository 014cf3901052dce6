import { type CrmSubscriptionField, crmStatuses } from '#domain/crm-record.ts'
import { labelOf } from '#domain/subscription.ts'
import type { ObjectSpelling, PropertySpelling } from './property.ts'

const fields: Record<CrmSubscriptionField, PropertySpelling> = {
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
  mrr: {
    name: 'mrr',
    label: 'MRR',
    description: 'Monthly recurring revenue, in the currency beside it.',
    type: 'number',
  },
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

/** The subscriptions object. Property names are for ever: customers build lists and reports on them. */
export const subscriptionObject: ObjectSpelling = {
  name: 'tributary_subscription',
  singular: 'Stripe subscription',
  plural: 'Stripe subscriptions',
  description: 'Subscriptions in Stripe with their recurring revenue, kept by Tributary.',
  key: 'subscriptionId',
  primaryDisplay: 'name',
  secondaryDisplay: ['status', 'mrr'],
  searchable: ['subscriptionId', 'customerEmail', 'customerName'],
  fields,
}
