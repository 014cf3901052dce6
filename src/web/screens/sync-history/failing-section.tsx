import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { listRefusedEvents, listRefusedSubscriptions, type SyncHealth } from '#contract/lists/sync-health.ts'
import { useEndpoint } from '../../client.ts'
import { eventTarget, subscriptionTarget } from '../../components/list-page/row-targets.ts'
import { freshMs } from '../../queries/freshness.ts'
import { Paginator } from '../../ui/paginator.tsx'
import { RetryFailed } from './retry-failed.tsx'
import {
  refusedEventCard,
  refusedEventColumns,
  refusedSubscriptionCard,
  refusedSubscriptionColumns,
} from './sync-health-columns.tsx'
import {
  eventsAt,
  HealthPart,
  HealthSection,
  moneyOf,
  subscriptionsAt,
  sumText,
} from './sync-health-parts.tsx'
import type { Retry } from './use-retry-failed.ts'

const rowsPerPage = 10

type FailingProps = { health: SyncHealth }

/** All that HubSpot refused, page by page: no other list says why. */
export function FailingSection({ health, retry }: FailingProps & { retry: Retry }) {
  const { failing, events } = health
  return (
    <HealthSection
      title="Failing"
      counts={[sumText(failing, 'subscription'), sumText(events.failing, 'event')]}
      emptyText="No record was refused."
    >
      <FailingSubscriptions health={health} />
      <FailingEvents health={health} />
      <RetryFailed retry={retry} />
    </HealthSection>
  )
}

function FailingSubscriptions({ health }: FailingProps) {
  const { failing, events } = health
  const { page, totalPages, expectedRows, setPage } = usePages(failing.count)
  const list = useEndpoint(listRefusedSubscriptions, queryOf(page, totalPages), listOptions)
  return (
    <>
      <HealthPart
        title="Failing subscriptions"
        note="HubSpot refused their records, so it may show older figures."
        sum={failing}
        mrr={moneyOf(failing.mrr, health)}
        to={subscriptionsAt('failing')}
        toName="Open in Subscriptions"
        columns={refusedSubscriptionColumns}
        cardOf={refusedSubscriptionCard}
        records={list.data?.subscriptions}
        idOf={(row) => row.subscriptionId}
        linkOf={({ subscriptionId, companyName }) => subscriptionTarget(subscriptionId, companyName)}
        expectedRows={expectedRows}
        isFetching={list.isPending || list.isPlaceholderData}
        error={list.error}
        onRetry={() => void list.refetch()}
        isAlone={events.failing.count === 0}
      />
      <Paginator page={page} totalPages={totalPages === 1 ? 0 : totalPages} onChange={setPage} />
    </>
  )
}

function FailingEvents({ health }: FailingProps) {
  const { failing, events } = health
  const { page, totalPages, expectedRows, setPage } = usePages(events.failing.count)
  const list = useEndpoint(listRefusedEvents, queryOf(page, totalPages), listOptions)
  return (
    <>
      <HealthPart
        title="Failing events"
        note="HubSpot refused their records."
        sum={events.failing}
        mrr={null}
        to={eventsAt('failing')}
        toName="Open in Events"
        columns={refusedEventColumns}
        cardOf={refusedEventCard}
        records={list.data?.transactions}
        idOf={(event) => event.transactionId}
        linkOf={eventTarget}
        expectedRows={expectedRows}
        isFetching={list.isPending || list.isPlaceholderData}
        error={list.error}
        onRetry={() => void list.refetch()}
        isAlone={failing.count === 0}
      />
      <Paginator page={page} totalPages={totalPages === 1 ? 0 : totalPages} onChange={setPage} />
    </>
  )
}

const listOptions = { placeholderData: keepPreviousData, staleTime: freshMs.records }

/** A retry may leave fewer pages than the one that shows. */
function usePages(count: number) {
  const [chosen, setPage] = useState(1)
  const totalPages = Math.ceil(count / rowsPerPage)
  const page = Math.max(1, Math.min(chosen, totalPages))
  const expectedRows = Math.min(rowsPerPage, count - (page - 1) * rowsPerPage)
  return { page, totalPages, expectedRows, setPage }
}

function queryOf(page: number, totalPages: number) {
  return totalPages === 0 ? null : { query: { page: String(page), limit: String(rowsPerPage) } }
}
