import type { Subscription } from '#contract/subscriptions.ts'
import { CompanyName, customerInstead } from '../../components/company-name.tsx'
import { CustomerName } from '../../components/customers/customer-name.tsx'
import { EmailInColumn } from '../../components/customers/email.tsx'
import { nextRenewal } from '../../components/customers/renewal.ts'
import { SubscriptionMrr } from '../../components/customers/subscription-mrr.tsx'
import type { Column } from '../../components/list-page/column.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { formatDay } from '../../ui/dates.ts'
import { ExternalLink } from '../../ui/external-link.tsx'

export const subscriptionsColumns: Column<Subscription>[] = [
  {
    accessor: 'updatedAt',
    title: 'Last Updated',
    sortable: 'date',
    render: (row) => formatDay(row.updatedAt),
  },
  {
    accessor: 'companyName',
    title: 'Company',
    sortable: 'text',
    render: (row) => (
      <CompanyName name={row.companyName} link={row.hubspotCompanyLink} {...customerInstead(row)} />
    ),
  },
  {
    accessor: 'currentMrr',
    title: 'MRR',
    sortable: 'amount',
    isMoney: true,
    textAlign: 'right',
    render: (row) => <SubscriptionMrr subscription={row} />,
  },
  {
    accessor: 'productName',
    title: 'Product',
    sortable: 'text',
  },
  {
    accessor: 'status',
    title: 'Status',
    sortable: 'text',
    render: (row) => <StatusBadge status={row.status} />,
  },
  {
    accessor: 'customerName',
    title: 'Customer Name',
    sortable: 'text',
    render: (row) => <CustomerName {...row} />,
  },
  {
    accessor: 'customerEmail',
    title: 'Customer Email',
    sortable: 'text',
    render: (row) => <EmailInColumn address={row.customerEmail} />,
  },
  {
    accessor: 'quantity',
    title: 'Quantity',
    sortable: 'amount',
    textAlign: 'right',
  },
  {
    accessor: 'billingIntervalDays',
    title: 'Billing Interval',
    sortable: 'amount',
    render: (row) => row.billingInterval ?? '-',
  },
  {
    accessor: 'currentPeriodStart',
    title: 'Period Start',
    sortable: 'date',
    render: (row) => formatDay(row.currentPeriodStart),
  },
  {
    accessor: 'currentPeriodEnd',
    title: 'Period End',
    sortable: 'date',
    render: (row) => formatDay(row.currentPeriodEnd),
  },
  {
    accessor: 'nextRenewalDate',
    title: 'Next Renewal',
    sortable: 'date',
    render: nextRenewal,
  },
  {
    accessor: 'stripeLink',
    title: 'View in Stripe',
    render: (row) =>
      row.stripeLink === null ? '-' : <ExternalLink href={row.stripeLink}>View</ExternalLink>,
  },
]

/** What is shown at first: money, then what it is for. The others are under Columns. */
export const firstSubscriptionColumns = [
  'companyName',
  'currentMrr',
  'status',
  'productName',
  'nextRenewalDate',
  'billingIntervalDays',
  'customerEmail',
  'updatedAt',
] as const satisfies readonly (keyof Subscription)[]
