import { Text } from '@mantine/core'
import type { RunRecord } from '#contract/runs/run-records.ts'
import type { ChangeKind, CrmKind } from '#domain/crm-record.ts'
import { CompanyName } from '../../components/company-name.tsx'
import { SubscriptionMrr } from '../../components/customers/subscription-mrr.tsx'
import { EventBadge } from '../../components/event-badge.tsx'
import { EventChange } from '../../components/figures/event-change.tsx'
import type { CardLines, Column } from '../../components/list-page/column.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { formatDay } from '../../ui/dates.ts'
import { ExternalLink } from '../../ui/external-link.tsx'
import { ChangedLinks } from './changed-links.tsx'
import { Differences } from './differences.tsx'

const here: Record<ChangeKind, string> = {
  added: 'Added',
  changed: 'Changed',
  removed: 'Removed',
  linked: 'Linked',
  unlinked: 'Link removed',
}
const inHubspot: Record<ChangeKind, string> = { ...here, added: 'Created', changed: 'Updated' }

/** Which records show. A sync says what became of them in HubSpot, or which links it changed. */
type Shown = { kind: CrmKind; isSync: boolean; areLinks: boolean }

/** The columns of a run's events or subscriptions. */
export function runRecordColumns(shown: Shown): Column<RunRecord>[] {
  const isEvent = shown.kind === 'event'
  return [
    { accessor: 'subscriptionId', title: 'Company', render: companyOf },
    { accessor: 'event', title: isEvent ? 'Event Type' : 'Status', render: badgeOf },
    {
      accessor: 'subscription',
      title: isEvent ? 'MRR Change' : 'MRR',
      textAlign: 'right',
      render: amountOf,
    },
    ...(isEvent
      ? [{ accessor: 'recordKey', title: 'Event Date', render: dateOf } satisfies Column<RunRecord>]
      : []),
    {
      accessor: 'change',
      title: shown.isSync ? 'In HubSpot' : 'Change',
      render: (row) => <ChangeText row={row} {...shown} />,
    },
  ]
}

/** The card of a run's event or subscription on a narrow screen. */
export function runRecordCard(shown: Shown): (row: RunRecord) => CardLines {
  return (row) => ({
    title: nameOf(row),
    amount: amountOf(row),
    amountName: row.event === null ? 'MRR' : 'MRR change',
    badge: badgeOf(row),
    date: dateOf(row),
    more: <ChangeText row={row} {...shown} />,
  })
}

/** What the customer of a record is called. */
export function nameOf({ event, subscription }: RunRecord): string {
  const row = event ?? subscription
  return row?.companyName || row?.customerEmail || 'Unknown Company'
}

function companyOf(record: RunRecord) {
  const row = record.event ?? record.subscription
  const link = row?.hubspotCompanyLink ?? null
  return <CompanyName name={nameOf(record)} link={link} customerId={row?.customerId ?? null} />
}

/** Whether the row is an event that is gone: its subscription is known, and is not what changed. */
const isGone = ({ event, recordKey, subscriptionId }: RunRecord) =>
  event === null && recordKey !== subscriptionId

function badgeOf(record: RunRecord) {
  if (record.event !== null) return <EventBadge mrrStatus={record.event.mrrStatus} />
  if (isGone(record) || record.subscription === null) return '-'
  return <StatusBadge status={record.subscription.status} />
}

function amountOf(record: RunRecord) {
  if (record.event !== null) return <EventChange event={record.event} />
  if (isGone(record) || record.subscription === null) return '-'
  return <SubscriptionMrr subscription={record.subscription} />
}

function dateOf({ event }: RunRecord): string {
  return event === null ? '-' : formatDay(event.transactionDate)
}

function ChangeText({ row, isSync, areLinks }: { row: RunRecord } & Omit<Shown, 'kind'>) {
  const text = (isSync ? inHubspot : here)[row.change]
  const link = isSync && row.change !== 'removed' ? row.hubspotLink : null
  return (
    <>
      {link === null ? text : <ExternalLink href={link}>{text}</ExternalLink>}
      {areLinks ? <ChangedLinks row={row} /> : <Differences differences={row.differences} />}
      {row.isChangedSince ? (
        <Text size="xs" c="dimmed">
          {sinceText(row)}
        </Text>
      ) : null}
    </>
  )
}

function sinceText(row: RunRecord): string {
  if (row.change === 'removed') return 'It came back after this run.'
  return isGone(row) ? 'It was removed after this run.' : 'It changed after this run.'
}
