import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { counted } from '../../components/counted.ts'
import { customerTitle } from '../../components/customers/customer-title.ts'
import { formatMoney } from '../../components/figures/format-money.ts'
import type { CardLines, Column, RowTarget } from '../../components/list-page/column.ts'
import { RecordsTable } from '../../components/list-page/records-table.tsx'
import { customerTarget, eventTarget, subscriptionTarget } from '../../components/list-page/row-targets.ts'
import { customerCard } from '../../components/record-cards/customer-card.tsx'
import { eventCard } from '../../components/record-cards/event-card.tsx'
import { subscriptionCard } from '../../components/record-cards/subscription-card.tsx'
import { paths } from '../../paths.ts'
import {
  customerEventsColumns,
  customerSubscriptionsColumns,
  otherCustomersColumns,
  usedInvoicesColumns,
} from './customer-columns.tsx'
import type { CustomerDetails } from './customer-details.ts'

type TableProps = { customer: CustomerDetails }

export function CustomerSubscriptions({ customer: { customerId, subscriptions } }: TableProps) {
  return (
    <Part
      title="Subscriptions"
      name="List of Subscriptions"
      counts={{ shown: subscriptions.first.length, all: subscriptions.count }}
      viewAll={`${paths.subscriptions}?customerId=${encodeURIComponent(customerId)}`}
    >
      <Rows
        label="Subscriptions"
        columns={customerSubscriptionsColumns}
        cardOf={(row) => ({
          ...subscriptionCard(row),
          title: row.productName || 'Unknown Product',
          more: undefined,
        })}
        records={subscriptions.first}
        idOf={(row) => row.subscriptionId}
        emptyText="No subscriptions found"
        linkOf={({ subscriptionId, companyName }) => subscriptionTarget(subscriptionId, companyName)}
      />
    </Part>
  )
}

export function CustomerEvents({ customer: { customerId, events } }: TableProps) {
  return (
    <Part
      title="Events"
      counts={{ shown: events.newest.length, all: events.count }}
      viewAll={`${paths.events}?customerId=${encodeURIComponent(customerId)}`}
    >
      <Rows
        label="Events"
        columns={customerEventsColumns}
        cardOf={(event) => ({
          ...eventCard(event),
          title: event.productName || 'Unknown Product',
          more: undefined,
        })}
        records={events.newest}
        idOf={(event) => event.transactionId}
        emptyText="No events found."
        linkOf={eventTarget}
      />
    </Part>
  )
}

/** The invoices behind the customer's figures. */
export function UsedInvoices({ customer: { invoices } }: TableProps) {
  if (invoices.count === 0) return null
  return (
    <Part title="Invoices Used" counts={{ shown: invoices.newest.length, all: invoices.count }}>
      <Text size="sm" c="dimmed">
        Only invoices that changed MRR are listed. Search finds any other by its number.
      </Text>
      <Rows
        label="Invoices Used"
        columns={usedInvoicesColumns}
        records={invoices.newest}
        idOf={(invoice) => invoice.invoiceId}
        emptyText="No invoices found"
      />
    </Part>
  )
}

/** The other customers of the same company, and what all of them come to. */
export function SameCompany({ customer: { companyName, sameCompany, reportingCurrency } }: TableProps) {
  if (sameCompany === null || sameCompany.otherCount === 0) return null
  const { others, otherCount, totalMrr, otherCurrencies } = sameCompany
  const amounts = [{ mrr: totalMrr, currency: reportingCurrency }, ...otherCurrencies]
  const sums = amounts
    .filter(({ mrr }, at) => at === 0 || mrr > 0)
    .map(({ mrr, currency }) => formatMoney(mrr, currency))
  return (
    <Part
      title={`Other Customers of ${companyName ?? 'the Company'}`}
      counts={{ shown: others.length, all: otherCount }}
    >
      <Text size="sm">
        All {counted(otherCount + 1, 'customer')} of the company come to <strong>{sums.join(' and ')}</strong>{' '}
        of MRR.
      </Text>
      <Rows
        label="Other Customers"
        columns={otherCustomersColumns}
        cardOf={customerCard}
        records={others}
        idOf={(row) => row.customerId}
        emptyText="No customers found"
        linkOf={(row) => customerTarget(row.customerId, customerTitle(row))}
      />
    </Part>
  )
}

type PartProps = {
  title: string
  /** Tells the part from another one of its title. */
  name?: string
  counts: { shown: number; all: number }
  /** The list that has all rows. */
  viewAll?: string
  children: ReactNode
}

function Part({ title, name = title, counts, viewAll, children }: PartProps) {
  const isCut = counts.shown < counts.all
  return (
    <Card withBorder component="section" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {isCut && viewAll !== undefined ? (
            <Anchor component={Link} to={viewAll} size="sm" aria-label={`View All ${title}`}>
              View All {counts.all.toLocaleString('en-US')}
            </Anchor>
          ) : null}
          {isCut && viewAll === undefined ? (
            <Text size="sm" c="dimmed">
              {counts.shown} of {counts.all.toLocaleString('en-US')}
            </Text>
          ) : null}
        </Group>
        {children}
      </Stack>
    </Card>
  )
}

type RowsProps<T> = {
  label: string
  columns: Column<T>[]
  records: T[]
  idOf: (record: T) => string
  emptyText: string
  linkOf?: (record: T) => RowTarget | null
  cardOf?: (record: T) => CardLines
}

/** A table whose rows arrived with the screen. */
function Rows<T>(props: RowsProps<T>) {
  return (
    <RecordsTable
      {...props}
      isFetching={false}
      error={null}
      errorText=""
      onRetry={() => undefined}
      minWidth={640}
    />
  )
}
