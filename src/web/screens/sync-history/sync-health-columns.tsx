import { Text } from '@mantine/core'
import { reasonLabels } from '#contract/lists/list-words.ts'
import type { RefusedEvent, RefusedSubscription } from '#contract/lists/sync-health.ts'
import type { Match } from '#contract/matches.ts'
import type { Subscription } from '#contract/subscriptions.ts'
import { CompanyName } from '../../components/company-name.tsx'
import { CustomerMrr } from '../../components/customers/customer-mrr.tsx'
import { customerTitle } from '../../components/customers/customer-title.ts'
import { Email } from '../../components/customers/email.tsx'
import { SubscriptionMrr } from '../../components/customers/subscription-mrr.tsx'
import { EventBadge } from '../../components/event-badge.tsx'
import type { CardLines, Column } from '../../components/list-page/column.ts'
import { eventCard } from '../../components/record-cards/event-card.tsx'
import { subscriptionCard } from '../../components/record-cards/subscription-card.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { formatDay } from '../../ui/dates.ts'
import { Ago } from '../../ui/time/instant.tsx'

export const customersToMatchColumns: Column<Match>[] = [
  { accessor: 'customerName', title: 'Customer', render: customerTitle },
  {
    accessor: 'currentMrr',
    title: 'MRR',
    textAlign: 'right',
    render: (row) => <CustomerMrr customer={row} />,
  },
  { accessor: 'evidence', title: 'Why', render: (row) => reasonLabels[row.evidence] },
]

export const healthSubscriptionColumns: Column<Subscription>[] = [
  { accessor: 'companyName', title: 'Company', render: companyOf },
  {
    accessor: 'currentMrr',
    title: 'MRR',
    textAlign: 'right',
    render: (row) => <SubscriptionMrr subscription={row} />,
  },
  { accessor: 'productName', title: 'Product', render: (row) => row.productName ?? '-' },
  { accessor: 'status', title: 'Status', render: (row) => <StatusBadge status={row.status} /> },
  { accessor: 'updatedAt', title: 'Last Updated', render: (row) => formatDay(row.updatedAt) },
]

export const refusedSubscriptionColumns: Column<RefusedSubscription>[] = [
  { accessor: 'companyName', title: 'Company', render: companyOf },
  {
    accessor: 'currentMrr',
    title: 'MRR',
    textAlign: 'right',
    render: (row) => <SubscriptionMrr subscription={row} />,
  },
  { accessor: 'triedAt', title: 'Last Tried', render: lastTried },
]

export const refusedEventColumns: Column<RefusedEvent>[] = [
  { accessor: 'companyName', title: 'Company', render: companyOf },
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
  { accessor: 'triedAt', title: 'Last Tried', render: lastTried },
]

export function customerToMatchCard(row: Match): CardLines {
  return {
    title: (
      <>
        {customerTitle(row)}
        {row.customerEmail === null ? null : (
          <Text size="xs">
            <Email address={row.customerEmail} />
          </Text>
        )}
      </>
    ),
    amount: <CustomerMrr customer={row} />,
    amountName: 'MRR',
    badge: reasonLabels[row.evidence],
    date: null,
  }
}

export function healthSubscriptionCard(row: Subscription): CardLines {
  return withCustomer(subscriptionCard(row), row)
}

export function refusedSubscriptionCard(row: RefusedSubscription): CardLines {
  return { ...healthSubscriptionCard(row), more: triedLine(row) }
}

export function refusedEventCard(event: RefusedEvent): CardLines {
  return { ...withCustomer(eventCard(event), event), more: triedLine(event) }
}

type Named = Pick<
  RefusedEvent,
  'companyName' | 'customerName' | 'customerEmail' | 'hubspotCompanyId' | 'hubspotCompanyLink' | 'customerId'
>

/** A customer without a name is known by its email, as on the card of the row. */
function companyOf(row: Named) {
  const name = row.companyName || row.customerEmail
  return (
    <>
      <CompanyName name={name} link={row.hubspotCompanyLink} customerId={row.customerId} />
      <CustomerBelow row={row} />
    </>
  )
}

function withCustomer(card: CardLines, row: Named): CardLines {
  return {
    ...card,
    title: (
      <>
        {card.title}
        <CustomerBelow row={row} />
      </>
    ),
  }
}

/** One company may have many customers, whose rows would look alike. */
function CustomerBelow({ row }: { row: Named }) {
  const { companyName, customerName, customerEmail, hubspotCompanyId } = row
  const customer = customerName || customerEmail
  if (hubspotCompanyId === null || !customer || customer === companyName) return null
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {customer}
    </Text>
  )
}

function lastTried({ triedAt }: Pick<RefusedEvent, 'triedAt'>) {
  return triedAt === null ? '-' : <Ago at={triedAt} />
}

/** On a card, where no heading says what the time is. */
function triedLine({ triedAt }: Pick<RefusedEvent, 'triedAt'>) {
  return triedAt === null ? null : (
    <Text size="xs" c="dimmed">
      Last tried <Ago at={triedAt} />
    </Text>
  )
}
