import { Anchor, Card, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import {
  eventHealthFilters,
  healthFilters,
  healthOrder,
  healthRows,
  type SyncHealth,
} from '#contract/lists/sync-health.ts'
import { listMatches } from '#contract/matches.ts'
import { listSubscriptions } from '#contract/subscriptions.ts'
import { useEndpoint } from '../../client.ts'
import { counted } from '../../components/counted.ts'
import { customerTitle } from '../../components/customers/customer-title.ts'
import { formatMoney } from '../../components/figures/format-money.ts'
import { RecordsTable, type RecordsTableProps } from '../../components/list-page/records-table.tsx'
import { subscriptionTarget } from '../../components/list-page/row-targets.ts'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import {
  customersToMatchColumns,
  customerToMatchCard,
  healthSubscriptionCard,
  healthSubscriptionColumns,
} from './sync-health-columns.tsx'

type SectionProps = {
  title: string
  /** How many rows its lists have: '3 customers'; null for none. */
  counts: readonly (string | null)[]
  /** Says what it means that it has no rows. */
  emptyText: ReactNode
  children: ReactNode
}

/** One answer to how the sync is, with its lists; one line where they are empty. */
export function HealthSection({ title, counts, emptyText, children }: SectionProps) {
  const texts = counts.filter((text) => text !== null)
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack>
        <Group gap="sm" align="baseline">
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {texts.length === 0 ? emptyText : texts.join(', ')}
          </Text>
        </Group>
        {texts.length === 0 ? null : children}
      </Stack>
    </Card>
  )
}

type Sum = { count: number; isCapped?: boolean }

/** Lists count up to 1,000. */
const countText = ({ count, isCapped = false }: Sum) =>
  `${isCapped ? 'more than ' : ''}${count.toLocaleString('en-US')}`

/** Writes a count with its noun: '3 customers', 'more than 1,000 events'; null for none. */
export function sumText(sum: Sum, noun: string): string | null {
  return sum.count === 0 ? null : `${sum.isCapped ? 'more than ' : ''}${counted(sum.count, noun)}`
}

type PartHeadProps = {
  title: string
  /** Says what it means that a row stands here. */
  note: string
  /** Whether its section has no other, so that the heading of the section is its own. */
  isAlone?: boolean
  /** Of the whole list. */
  sum: Sum
  /** What the rows of the whole list come to; null where that is not known. */
  mrr: string | null
  /** The whole list. */
  to: string
}

type PartProps<T> = PartHeadProps &
  Pick<RecordsTableProps<T>, 'columns' | 'cardOf' | 'records' | 'idOf' | 'linkOf'> & {
    expectedRows?: number
    isFetching?: boolean
    error?: Error | null
    onRetry?: () => void
  }

/** Says what a list has, and leads to all of it. */
function PartHead({ title, note, isAlone = false, sum, mrr, to }: PartHeadProps) {
  const said = (
    <Text size="sm" c="dimmed">
      {note} {mrr === null ? null : `They come to ${mrr} of MRR.`}
    </Text>
  )
  return (
    <>
      <Group justify="space-between" align="baseline" gap="sm" wrap="nowrap">
        {isAlone ? (
          said
        ) : (
          <Title order={3} size="h5">
            {title}
          </Title>
        )}
        <Anchor component={Link} to={to} size="sm" style={{ whiteSpace: 'nowrap' }}>
          View All {countText(sum)} <VisuallyHidden>{title}</VisuallyHidden>
        </Anchor>
      </Group>
      {isAlone ? null : said}
    </>
  )
}

/** The first rows of a list or a page of them, with its count and the way to all of it. An empty list is left out. */
export function HealthPart<T>({ title, note, isAlone = false, sum, mrr, to, ...table }: PartProps<T>) {
  if (sum.count === 0) return null
  return (
    <Stack gap="xs">
      <PartHead {...{ title, note, isAlone, sum, mrr, to }} />
      <RecordsTable
        expectedRows={Math.min(sum.count, healthRows)}
        isFetching={false}
        error={null}
        onRetry={() => undefined}
        {...table}
        label={title}
        emptyText="They are no longer in this list."
        errorText="An error occurred while fetching the first rows."
        minWidth={640}
      />
    </Stack>
  )
}

type SubscriptionsProps = {
  health: SyncHealth
  part: 'inSync' | 'notInHubspot' | 'changed' | 'late'
  title: string
  note: string
  isAlone?: boolean
}

/** The first subscriptions of a part, as their list has them. */
export function HealthSubscriptions({ health, part, ...texts }: SubscriptionsProps) {
  const { count, mrr } = health[part]
  const list = useEndpoint(
    listSubscriptions,
    count === 0 ? null : { query: { limit: String(healthRows), ...healthFilters[part], ...healthOrder } },
    { staleTime: freshMs.records },
  )
  return (
    <HealthPart
      {...texts}
      sum={health[part]}
      mrr={moneyOf(mrr, health)}
      to={subscriptionsAt(part)}
      columns={healthSubscriptionColumns}
      cardOf={healthSubscriptionCard}
      records={list.data?.subscriptions}
      idOf={(row) => row.subscriptionId}
      isFetching={list.isPending}
      error={list.error}
      onRetry={() => void list.refetch()}
      linkOf={({ subscriptionId, companyName }) => subscriptionTarget(subscriptionId, companyName)}
    />
  )
}

type EventsProps = { health: SyncHealth; part: keyof typeof eventHealthFilters; title: string; note: string }

/** How many events a part has, and the way to them. They follow their subscriptions, so that no rows show here. */
export function HealthEvents({ health, part, title, note }: EventsProps) {
  const sum = health.events[part]
  if (sum.count === 0) return null
  return (
    <Stack gap={4}>
      <PartHead title={title} note={note} sum={sum} mrr={null} to={eventsAt(part)} />
    </Stack>
  )
}

/** The address of the list that has all events of a part. */
export function eventsAt(part: keyof typeof eventHealthFilters): string {
  return `${paths.events}?${new URLSearchParams(eventHealthFilters[part])}`
}

/** An amount of the answer; null where it is not known. */
export function moneyOf(mrr: number | null, { reportingCurrency }: SyncHealth): string | null {
  return mrr === null ? null : formatMoney(mrr, reportingCurrency)
}

/** The address of the list that has all rows of a part, in the same order. */
export function subscriptionsAt(part: keyof typeof healthFilters): string {
  return `${paths.subscriptions}?${new URLSearchParams({ ...healthFilters[part], sort: healthOrder.sort })}`
}

/** The first customers of Match Review. */
export function CustomersToMatch({ health }: { health: SyncHealth }) {
  const { count, mrr } = health.customersToMatch
  const matches = useEndpoint(listMatches, count === 0 ? null : { query: { limit: String(healthRows) } }, {
    staleTime: freshMs.records,
  })
  return (
    <HealthPart
      title="Customers to match"
      note="Match Review asks which company in HubSpot they belong to."
      sum={health.customersToMatch}
      mrr={moneyOf(mrr, health)}
      to={paths.matchReview}
      columns={customersToMatchColumns}
      cardOf={customerToMatchCard}
      records={matches.data?.matches}
      idOf={(row) => row.customerId}
      isFetching={matches.isPending}
      error={matches.error}
      onRetry={() => void matches.refetch()}
      linkOf={({ customerId, ...row }) => ({
        to: `${paths.matchReview}?${new URLSearchParams({ search: customerId })}`,
        label: `Choose the company of ${customerTitle({ customerId, ...row })}`,
      })}
    />
  )
}
