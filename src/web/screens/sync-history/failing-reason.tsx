import { Paper, Stack, Text } from '@mantine/core'
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import {
  listRefusedEvents,
  listRefusedSubscriptions,
  type RefusalReason,
} from '#contract/lists/sync-health.ts'
import { useEndpoint } from '../../client.ts'
import { RecordsTable } from '../../components/list-page/records-table.tsx'
import { eventTarget, subscriptionTarget } from '../../components/list-page/row-targets.ts'
import { freshMs } from '../../queries/freshness.ts'
import { Fold } from '../../ui/fold.tsx'
import { Paginator } from '../../ui/paginator.tsx'
import {
  refusedEventCard,
  refusedEventColumns,
  refusedSubscriptionCard,
  refusedSubscriptionColumns,
} from './sync-health-columns.tsx'
import { sumText } from './sync-health-parts.tsx'

const rowsPerPage = 10

type FailingReasonProps = {
  reason: RefusalReason
  /** Whether more records were refused than are counted. */
  isCapped: boolean
  /** Whether the failed sync above says it. */
  isTold: boolean
  isOpenAtFirst: boolean
}

/** One reason of HubSpot with how many records it has, who tries them again, and the records. */
export function FailingReason({ reason, isCapped, isTold, isOpenAtFirst }: FailingReasonProps) {
  const { subscriptions, events } = reason
  const counts = [
    sumText({ count: subscriptions, isCapped }, 'subscription'),
    sumText({ count: events, isCapped }, 'event'),
  ]
  const count = counts.filter((text) => text !== null).join(' and ')
  return (
    <Paper component="li" withBorder p="sm">
      <Stack gap={4} align="flex-start">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <strong>{count}</strong>: {isTold ? 'for the reason above.' : textOf(reason)}
        </Text>
        <Text size="sm" c="dimmed">
          {triedAgain(reason)}
        </Text>
        <Fold openLabel={`Show ${count}`} closeLabel={`Hide ${count}`} isOpenAtFirst={isOpenAtFirst}>
          <Stack gap="xs" w="100%">
            {subscriptions === 0 ? null : <RefusedSubscriptions reason={reason} />}
            {events === 0 ? null : <RefusedEvents reason={reason} />}
          </Stack>
        </Fold>
      </Stack>
    </Paper>
  )
}

const textOf = ({ reason }: RefusalReason) => reason ?? 'HubSpot gave no reason.'

/** Which syncs try them again without being asked. */
function triedAgain({ subscriptions, events, due }: RefusalReason): string {
  const count = subscriptions + events
  const [them, they] = count === 1 ? ['it', 'it has'] : ['them', 'they have']
  if (due === count) return `Every sync tries ${them} again.`
  if (due === 0) return `Automatic syncs try ${them} again only after ${they} changed.`
  return `Every sync tries ${due.toLocaleString('en-US')} of them again, automatic ones the others only after they have changed.`
}

type OfReason = { reason: RefusalReason }

function RefusedSubscriptions({ reason: { key, subscriptions } }: OfReason) {
  const pages = usePages(key, subscriptions)
  const list = useEndpoint(listRefusedSubscriptions, pages.query, listOptions)
  return (
    <>
      <RecordsTable
        label="Failing subscriptions"
        columns={refusedSubscriptionColumns}
        cardOf={refusedSubscriptionCard}
        records={list.data?.subscriptions}
        idOf={(row) => row.subscriptionId}
        linkOf={({ subscriptionId, companyName }) => subscriptionTarget(subscriptionId, companyName)}
        {...tableOf(list, pages.expectedRows)}
      />
      {pages.paginator}
    </>
  )
}

function RefusedEvents({ reason: { key, events } }: OfReason) {
  const pages = usePages(key, events)
  const list = useEndpoint(listRefusedEvents, pages.query, listOptions)
  return (
    <>
      <RecordsTable
        label="Failing events"
        columns={refusedEventColumns}
        cardOf={refusedEventCard}
        records={list.data?.transactions}
        idOf={(event) => event.transactionId}
        linkOf={eventTarget}
        {...tableOf(list, pages.expectedRows)}
      />
      {pages.paginator}
    </>
  )
}

const listOptions = { placeholderData: keepPreviousData, staleTime: freshMs.records }

type ReadList = Pick<UseQueryResult<unknown>, 'isPending' | 'isPlaceholderData' | 'error' | 'refetch'>

/** What the tables of both kinds of records share. */
const tableOf = (list: ReadList, expectedRows: number) => ({
  isFetching: list.isPending || list.isPlaceholderData,
  error: list.error,
  onRetry: () => void list.refetch(),
  expectedRows,
  emptyText: 'They are no longer in this list.',
  errorText: 'An error occurred while fetching these records.',
  minWidth: 480,
})

/** A retry may leave fewer pages than the one that shows. */
function usePages(reason: string, count: number) {
  const [chosen, setPage] = useState(1)
  const totalPages = Math.ceil(count / rowsPerPage)
  const page = Math.max(1, Math.min(chosen, totalPages))
  return {
    query: { query: { reason, page: String(page), limit: String(rowsPerPage) } },
    expectedRows: Math.min(rowsPerPage, count - (page - 1) * rowsPerPage),
    paginator: <Paginator page={page} totalPages={totalPages === 1 ? 0 : totalPages} onChange={setPage} />,
  }
}
