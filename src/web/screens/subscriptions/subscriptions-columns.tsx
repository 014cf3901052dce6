import type { Subscription } from '#contract/subscriptions.ts'
import { billingIntervalLabel } from '#domain/subscription.ts'
import { CompanyName } from '../../components/company-name.tsx'
import { CustomerName } from '../../components/customers/customer-name.tsx'
import { SubscriptionMrr } from '../../components/customers/subscription-mrr.tsx'
import type { Column } from '../../components/list-page/records-table.tsx'
import { RowLink } from '../../components/list-page/row-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { paths } from '../../paths.ts'
import { formatDay } from '../../ui/dates.ts'
import { ExternalLink } from '../../ui/external-link.tsx'

const sortable = true

export const subscriptionsColumns: Column<Subscription>[] = [
  {
    accessor: 'updatedAt',
    title: 'Last Updated',
    sortable,
    render: (row) => (
      <RowLink to={paths.subscription(row.subscriptionId)}>{formatDay(row.updatedAt)}</RowLink>
    ),
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
    render: (row) => (row.billingIntervalDays === null ? '-' : billingIntervalLabel(row.billingIntervalDays)),
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
    render: (row) => formatDay(row.nextRenewalDate),
  },
  {
    accessor: 'stripeLink',
    title: 'View in Stripe',
    render: (row) =>
      row.stripeLink === null ? '-' : <ExternalLink href={row.stripeLink}>View</ExternalLink>,
  },
]
