import { Stack, Text } from '@mantine/core'
import { inHubspotLabels } from '#contract/lists/list-words.ts'
import type { RecountCustomer, RecountMonth, RecountRecord } from '#contract/recounts.ts'
import { valueLabel } from '#domain/crm-record.ts'
import { recountFieldLabel } from '#domain/recount.ts'
import { CustomerName } from '../../components/customers/customer-name.tsx'
import { customerTitle } from '../../components/customers/customer-title.ts'
import { Money, MoneyChange } from '../../components/figures/money.tsx'
import type { Column } from '../../components/list-page/column.ts'
import { formatMonth } from '../../ui/dates.ts'

type Figures = { currency: string; mrrBefore: number; mrrAfter: number }

const mrrColumns = <T extends Figures>(): Column<T>[] =>
  [
    {
      accessor: 'mrrBefore' as const,
      title: 'MRR Before',
      textAlign: 'right' as const,
      render: ({ mrrBefore, currency }: T) => <Money amountCents={mrrBefore} currency={currency} />,
    },
    {
      accessor: 'mrrAfter' as const,
      title: 'MRR After',
      textAlign: 'right' as const,
      render: ({ mrrAfter, currency }: T) => <Money amountCents={mrrAfter} currency={currency} />,
    },
    {
      accessor: 'currency' as const,
      title: 'Change',
      textAlign: 'right' as const,
      render: ({ mrrBefore, mrrAfter, currency }: T) => (
        <MoneyChange amountCents={mrrAfter - mrrBefore} currency={currency} />
      ),
    },
  ] as Column<T>[]

export const monthColumns: Column<RecountMonth>[] = [
  { accessor: 'month', title: 'Month', render: ({ month }) => formatMonth(month) },
  ...mrrColumns<RecountMonth>(),
  { accessor: 'subscriptionsBefore', title: 'Subscriptions Before', textAlign: 'right' },
  { accessor: 'subscriptionsAfter', title: 'Subscriptions After', textAlign: 'right' },
]

export const customerColumns: Column<RecountCustomer>[] = [
  {
    accessor: 'customerId',
    title: 'Customer',
    render: ({ companyName, customerId, ...customer }) => (
      <CustomerName
        customerId={customerId}
        customerName={companyName ?? customerTitle({ customerId, ...customer })}
      />
    ),
  },
  ...mrrColumns<RecountCustomer>(),
  { accessor: 'eventCount', title: 'Changed Events', textAlign: 'right' },
]

export const recordColumns: Column<RecountRecord>[] = [
  {
    accessor: 'kind',
    title: 'Record',
    render: ({ kind, label }) => `${kind === 'event' ? 'Event' : 'Subscription'}: ${label}`,
  },
  {
    accessor: 'customerName',
    title: 'Customer',
    render: ({ customerName, customerId }) => (
      <CustomerName customerId={customerId} customerName={customerName ?? customerId} />
    ),
  },
  {
    accessor: 'changes',
    title: 'Before → After',
    render: ({ changes }) => (
      <Stack gap={0}>
        {changes.map(({ field, before, after }) => (
          <Text key={field} size="sm">
            {recountFieldLabel(field)}: {valueLabel(field, before ?? '') || 'none'} →{' '}
            {valueLabel(field, after ?? '') || 'none'}
          </Text>
        ))}
      </Stack>
    ),
  },
  { accessor: 'inHubspot', title: 'HubSpot', render: ({ inHubspot }) => inHubspotLabels[inHubspot] },
]
