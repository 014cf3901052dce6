import { Group, Stack, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { listTransactions, type Transaction } from '#contract/events.ts'
import { useEndpoint } from '../../client.ts'
import { RecordsTable } from '../../components/list-page/records-table.tsx'
import { useLastPage, useListState } from '../../components/list-page/use-list-state.ts'
import { freshMs } from '../../queries/freshness.ts'
import { Paginator } from '../../ui/paginator.tsx'
import { eventHistoryCard } from './event-history-card.tsx'
import { eventHistoryColumns } from './event-history-columns.tsx'
import { EventReceiptDialog } from './receipt/event-receipt-dialog.tsx'

const perPage = 25
const spec = { filters: {}, sorts: [] }

/** Shows every change of one subscription's MRR, newest first. */
export function EventHistory({ subscriptionId }: { subscriptionId: string }) {
  const controls = useListState(spec)
  const { page } = controls.state
  const [explained, setExplained] = useState<Transaction | null>(null)
  const columns = useMemo(() => eventHistoryColumns(setExplained), [])
  const events = useEndpoint(
    listTransactions,
    { query: { page: String(page), limit: String(perPage), subscriptionId } },
    { placeholderData: keepPreviousData, staleTime: freshMs.records },
  )
  const totalCount = events.data?.totalCount ?? 0
  const totalPages = Math.ceil(totalCount / perPage)
  useLastPage(controls, totalPages, events.isFetching)
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        Event History
      </Title>
      <RecordsTable
        label="Event History"
        columns={columns}
        records={events.data?.transactions}
        idOf={(event) => event.transactionId}
        isFetching={events.isFetching}
        error={events.error}
        emptyText={totalCount === 0 ? 'No events found for this subscription.' : 'No events found.'}
        errorText="An error occurred while fetching events."
        wraps
        cardsBelow={1260}
        cardOf={eventHistoryCard(setExplained)}
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
      <EventReceiptDialog event={explained} onClose={() => setExplained(null)} />
    </Stack>
  )
}
