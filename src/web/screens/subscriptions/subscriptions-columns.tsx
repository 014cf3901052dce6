import type { Subscription } from '#contract/subscriptions.ts'
import { CompanyName } from '../../components/company-name.tsx'
import { CustomerName } from '../../components/customers/customer-name.tsx'
import { nextRenewal } from '../../components/customers/renewal.ts'
import { SubscriptionMrr } from '../../components/customers/subscription-mrr.tsx'
import type { CardLines, Column } from '../../components/list-page/column.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { formatDay } from '../../ui/dates.ts'
import { ExternalLink } from '../../ui/external-link.tsx'

const sortable = true

export const subscriptionsColumns: Column<Subscription>[] = [
  {
    accessor: 'updatedAt',
    title: 'Last Updated',
    sortable,
    render: (row) => formatDay(row.updatedAt),
  },
  {
    accessor: 'companyName',
    title: 'Company',
    sortable,
    render: (row) => <CompanyName name={row.companyName} link={row.hubspotCompanyLink} />,
  },
  {
    accessor: 'currentMrr',
    title: 'MRR',
    sortable,
    textAlign: 'right',
    render: (row) => <SubscriptionMrr subscription={row} />,
  },
  { accessor: 'productName', title: 'Product', sortable, render: (row) => row.productName ?? '-' },
  { accessor: 'status', title: 'Status', sortable, render: (row) => <StatusBadge status={row.status} /> },
  { accessor: 'customerName', title: 'Customer Name', sortable, render: (row) => <CustomerName {...row} /> },
  { accessor: 'customerEmail', title: 'Customer Email', sortable, render: (row) => row.customerEmail ?? '-' },
  {
    accessor: 'quantity',
    title: 'Quantity',
    sortable,
    textAlign: 'right',
    render: (row) => row.quantity ?? '-',
  },
  {
    accessor: 'billingIntervalDays',
    title: 'Billing Interval',
    sortable,
    render: (row) => row.billingInterval ?? '-',
  },
  {
    accessor: 'currentPeriodStart',
    title: 'Period Start',
    sortable,
    render: (row) => formatDay(row.currentPeriodStart),
  },
  {
    accessor: 'currentPeriodEnd',
    title: 'Period End',
    sortable,
    render: (row) => formatDay(row.currentPeriodEnd),
  },
  {
    accessor: 'nextRenewalDate',
    title: 'Next Renewal',
    sortable,
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

export function subscriptionCard(row: Subscription): CardLines {
  return {
    title: row.companyName || row.customerEmail || 'Unknown Company',
    amount: <SubscriptionMrr subscription={row} />,
    badge: <StatusBadge status={row.status} />,
    date: dateOf(row),
  }
}

function dateOf({ endsOn, nextRenewalDate }: Subscription): string | null {
  if (endsOn !== null) return `Ends ${formatDay(endsOn)}`
  return nextRenewalDate === null ? null : `Renews ${formatDay(nextRenewalDate)}`
}
