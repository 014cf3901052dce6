import { type CrmEventField, crmChangeTypes, crmMrrStatuses } from '#domain/crm-record.ts'
import { labelOf } from '#domain/subscription.ts'
import type { ObjectSpelling, PropertySpelling } from './property.ts'

const amount = (name: string, label: string, description: string): PropertySpelling => ({
  name,
  label,
  description: `${description}, in the currency beside it.`,
  type: 'number',
})

const line = (name: string, label: string, description: string): PropertySpelling => ({
  name,
  label,
  description,
  type: 'string',
})

const fields: Record<CrmEventField, PropertySpelling> = {
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

/** The events object: one record for one change of MRR. Property names are for ever. */
export const eventObject: ObjectSpelling = {
  name: 'tributary_event',
  singular: 'MRR event',
  plural: 'MRR events',
  description: 'Changes of monthly recurring revenue, one record each, kept by Tributary.',
  key: 'eventId',
  primaryDisplay: 'name',
  secondaryDisplay: ['mrrStatus', 'mrrChange'],
  searchable: ['eventId', 'subscriptionId', 'customerEmail'],
  fields,
}
