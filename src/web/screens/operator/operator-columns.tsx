import { Badge } from '@mantine/core'
import type { getOperatorSubscriptionData } from '#contract/diagnostics.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { labelOf } from '#domain/subscription.ts'
import { Money, MoneyChange } from '../../components/figures/money.tsx'
import type { Column } from '../../components/list-page/column.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { formatDay, formatInstant } from '../../ui/dates.ts'

type Data = ResponseOf<typeof getOperatorSubscriptionData>
type SubscriptionRow = Data['subscriptions'][number]
type EventRow = Data['transactions'][number]

export const operatorSubscriptionColumns: Column<SubscriptionRow>[] = [
  { accessor: 'id', title: 'ID' },
  { accessor: 'companyName', title: 'Company' },
  { accessor: 'productName', title: 'Product' },
  { accessor: 'status', title: 'Status', render: (row) => <StatusBadge status={row.status} /> },
  {
    accessor: 'currentMrr',
    title: 'MRR',
    textAlign: 'right',
    render: (row) => <Money amountCents={row.currentMrr} currency={row.currency} />,
  },
  { accessor: 'createdAt', title: 'Created', render: (row) => formatDay(row.createdAt) },
  { accessor: 'lastSyncedAt', title: 'Last Sync', render: (row) => formatInstant(row.lastSyncedAt) },
]

export const operatorEventColumns: Column<EventRow>[] = [
  { accessor: 'id', title: 'ID' },
  { accessor: 'companyName', title: 'Company' },
  { accessor: 'relatedSubscriptionId', title: 'Related Sub' },
  {
    accessor: 'mrrChange',
    title: 'MRR Change',
    textAlign: 'right',
    render: (row) => <MoneyChange amountCents={row.mrrChange} currency={row.currency} />,
  },
  {
    accessor: 'changeType',
    title: 'Type',
    render: (row) => (row.changeType === null ? '-' : labelOf(row.changeType)),
  },
  { accessor: 'transactionDate', title: 'Date', render: (row) => formatDay(row.transactionDate) },
  {
    accessor: 'hubspotObjectId',
    title: 'HubSpot Synced',
    render: (row) => (
      <Badge variant="light" color={row.hubspotObjectId === null ? 'gray' : 'green'}>
        {row.hubspotObjectId === null ? 'Not synced' : 'Synced'}
      </Badge>
    ),
  },
]
