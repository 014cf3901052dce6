import { keepPreviousData } from '@tanstack/react-query'
import { listTransactions, type Transaction } from '#contract/events.ts'
import { mrrStatuses } from '#domain/event.ts'
import { labelOf } from '#domain/subscription.ts'
import { useEndpoint } from '../../client.ts'
import { useOpenRecord } from '../../components/list-page/list-address.ts'
import { ListPage } from '../../components/list-page/list-page.tsx'
import type { ListSpec } from '../../components/list-page/list-state.ts'
import { useListState } from '../../components/list-page/use-list-state.ts'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { eventsColumns } from './events-columns.tsx'

const spec: ListSpec = { filter: { name: 'mrrStatus', values: mrrStatuses }, sorts: [] }

const filterChoices = [
  { value: '', label: 'All Types' },
  ...mrrStatuses.map((value) => ({ value, label: labelOf(value) })),
]

/** Shows every change of MRR, newest first. */
export function EventsScreen() {
  const openRecord = useOpenRecord()
  const controls = useListState(spec)
  const { page, perPage, search, filter } = controls.state
  const events = useEndpoint(
    listTransactions,
    {
      query: {
        page: String(page),
        limit: String(perPage),
        search,
        mrrStatus: mrrStatuses.find((status) => status === filter),
      },
    },
    { placeholderData: keepPreviousData, staleTime: freshMs.records },
  )
  const open = ({ relatedSubscriptionId }: Transaction) =>
    relatedSubscriptionId === null ? undefined : () => openRecord(paths.subscription(relatedSubscriptionId))
  return (
    <ListPage
      title="Events"
      controls={controls}
      columns={eventsColumns}
      records={events.data?.transactions}
      counted={events.data}
      idOf={(event) => event.transactionId}
      isFetching={events.isFetching}
      error={events.error}
      emptyText="No events found."
      emptyHint={
        search === '' && filter === ''
          ? 'Every change of MRR is listed here once your Stripe data is imported: in the Setup Wizard, or under Data Sync.'
          : 'Search for something else, or choose another type.'
      }
      errorText="An error occurred while fetching events."
      minWidth={1700}
      searchPlaceholder="Search events..."
      filterLabel="Event type"
      filterChoices={filterChoices}
      onRetry={() => void events.refetch()}
      onOpen={open}
    />
  )
}
