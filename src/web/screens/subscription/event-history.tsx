import { Group, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useRef } from 'react'
import { listTransactions } from '#contract/events.ts'
import { useEndpoint } from '../../client.ts'
import { RecordsTable } from '../../components/list-page/records-table.tsx'
import { useLastPage, useListState } from '../../components/list-page/use-list-state.ts'
import { freshMs } from '../../queries/freshness.ts'
import { Paginator } from '../../ui/paginator.tsx'
import { eventHistoryCard } from './event-history-card.tsx'
import { eventHistoryColumns } from './event-history-columns.tsx'
import { EventReceiptDialog } from './receipt/event-receipt-dialog.tsx'
import { useNamedEvent, useWayToEvent } from './use-named-event.ts'

const perPage = 25
const spec = { filters: {}, sorts: [] }

/** Shows every change of one subscription's MRR, newest first, and marks the event that the address names. */
export function EventHistory({ subscriptionId }: { subscriptionId: string }) {
  const controls = useListState(spec)
  const { page } = controls.state
  const { eventId, isExplained, explain, close } = useNamedEvent()
  const box = useRef<HTMLDivElement>(null)
  const events = useEndpoint(
    listTransactions,
    { query: { page: String(page), limit: String(perPage), subscriptionId } },
    { placeholderData: keepPreviousData, staleTime: freshMs.records },
  )
  const rows = events.data?.transactions
  const totalCount = events.data?.totalCount ?? 0
  const totalPages = Math.ceil(totalCount / perPage)
  useLastPage(controls, totalPages, events.isFetching)
  const onPage = (next: number) => controls.change({ page: next }, 'replace')
  const isGone = useWayToEvent({ subscriptionId, eventId, rows, perPage, box, onPage })
  const named = rows?.find(({ transactionId }) => transactionId === eventId)
  const calculation = { onExplain: explain, namedId: eventId }
  return (
    <Stack gap="sm" ref={box}>
      <Title order={3} size="h5">
        Event History
      </Title>
      {isGone ? (
        <Text size="sm" role="status">
          The event of this address is not in this history. A later import may have replaced it.
        </Text>
      ) : null}
      <RecordsTable
        label="Event History"
        columns={eventHistoryColumns(calculation)}
        records={rows}
        idOf={(event) => event.transactionId}
        currentId={eventId}
        isFetching={events.isFetching}
        error={events.error}
        emptyText={totalCount === 0 ? 'No events found for this subscription.' : 'No events found.'}
        errorText="An error occurred while fetching events."
        wraps
        cardsBelow={1260}
        cardOf={eventHistoryCard(calculation)}
        onRetry={() => void events.refetch()}
      />
      {totalCount > perPage ? (
        <Group justify="flex-end">
          <Paginator
            page={page}
            totalPages={totalPages}
            onChange={(next) => controls.change({ page: next })}
          />
        </Group>
      ) : null}
      <EventReceiptDialog event={(isExplained && named) || null} onClose={close} />
    </Stack>
  )
}
