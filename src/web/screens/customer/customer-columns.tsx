import type { CustomerEntry, InvoiceEntry } from '#contract/customers/customers.ts'
import type { Transaction } from '#contract/events.ts'
import type { Subscription } from '#contract/subscriptions.ts'
import { labelOf } from '#domain/subscription.ts'
import { CustomerMrr } from '../../components/customers/customer-mrr.tsx'
import { customerTitle } from '../../components/customers/customer-title.ts'
import { nextRenewal } from '../../components/customers/renewal.ts'
import { SubscriptionMrr } from '../../components/customers/subscription-mrr.tsx'
import { changeTypeLabel, EventBadge } from '../../components/event-badge.tsx'
import { EventChange } from '../../components/figures/event-change.tsx'
import { Money } from '../../components/figures/money.tsx'
import type { Column } from '../../components/list-page/column.ts'
import { QuantityChange } from '../../components/quantity-change.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { formatDay } from '../../ui/dates.ts'
import { ExternalLink } from '../../ui/external-link.tsx'

export const customerSubscriptionsColumns: Column<Subscription>[] = [
  {
    accessor: 'productName',
    title: 'Product',
    render: (row) => row.productName || 'Unknown Product',
  },
  { accessor: 'status', title: 'Status', render: (row) => <StatusBadge status={row.status} /> },
  {
    accessor: 'currentMrr',
    title: 'MRR',
    textAlign: 'right',
    render: (row) => <SubscriptionMrr subscription={row} />,
  },
  { accessor: 'quantity', title: 'Quantity', textAlign: 'right' },
  {
    accessor: 'billingIntervalDays',
    title: 'Billing Interval',
    render: (row) => row.billingInterval ?? '-',
  },
  {
    accessor: 'nextRenewalDate',
    title: 'Next Renewal',
    render: nextRenewal,
  },
]

export const customerEventsColumns: Column<Transaction>[] = [
  {
    accessor: 'transactionDate',
    title: 'Event Date',
    render: (event) => formatDay(event.transactionDate),
  },
  {
    accessor: 'mrrStatus',
    title: 'Event Type',
    render: (event) => <EventBadge mrrStatus={event.mrrStatus} />,
  },
  { accessor: 'changeType', title: 'Change Type', render: (event) => changeTypeLabel(event.changeType) },
  { accessor: 'productName', title: 'Product' },
  { accessor: 'currentQuantity', title: 'Quantity', render: (event) => <QuantityChange {...event} /> },
  {
    accessor: 'mrrChange',
    title: 'MRR Change',
    textAlign: 'right',
    render: (event) => <EventChange event={event} />,
  },
  {
    accessor: 'currentMrr',
    title: 'Current MRR',
    textAlign: 'right',
    render: (event) => <Money amountCents={event.currentMrr} currency={event.currency} />,
  },
]

export const usedInvoicesColumns: Column<InvoiceEntry>[] = [
  { accessor: 'createdAt', title: 'Date', render: (invoice) => formatDay(invoice.createdAt) },
  {
    accessor: 'number',
    title: 'Invoice',
    render: ({ stripeLink, number, invoiceId }) =>
      stripeLink === null ? (
        (number ?? invoiceId)
      ) : (
        <ExternalLink href={stripeLink}>{number ?? invoiceId}</ExternalLink>
      ),
  },
  {
    accessor: 'amount',
    title: 'Amount',
    term: 'invoiceAmount',
    textAlign: 'right',
    render: ({ amount, currency }) => <Money amountCents={amount} currency={currency} />,
  },
  {
    accessor: 'status',
    title: 'Status',
    render: ({ status }) => (status === null ? '-' : labelOf(status)),
  },
]

export const otherCustomersColumns: Column<CustomerEntry>[] = [
  {
    accessor: 'customerName',
    title: 'Customer',
    render: customerTitle,
  },
  {
    accessor: 'currentMrr',
    title: 'MRR',
    textAlign: 'right',
    render: (row) => <CustomerMrr customer={row} />,
  },
  { accessor: 'customerEmail', title: 'Email' },
]
