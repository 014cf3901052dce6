import { keepPreviousData } from '@tanstack/react-query'
import { listSubscriptions, subscriptionSorts } from '#contract/subscriptions.ts'
import { labelOf } from '#domain/subscription.ts'
import { useEndpoint } from '../../client.ts'
import { useOpenRecord } from '../../components/list-page/list-address.ts'
import { ListPage } from '../../components/list-page/list-page.tsx'
import type { ListSpec } from '../../components/list-page/list-state.ts'
import { useListState } from '../../components/list-page/use-list-state.ts'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { subscriptionsColumns } from './subscriptions-columns.tsx'

const filterStatuses = ['active', 'trialing', 'past_due', 'unpaid', 'canceled']

const spec: ListSpec = { filter: { name: 'status', values: filterStatuses }, sorts: subscriptionSorts }

const filterChoices = [
  { value: '', label: 'All Statuses' },
  ...filterStatuses.map((value) => ({ value, label: labelOf(value) })),
]

/** Shows every subscription of the organization. */
export function SubscriptionsScreen() {
  const open = useOpenRecord()
  const controls = useListState(spec)
  const { page, perPage, search, filter, sort, order } = controls.state
  const subscriptions = useEndpoint(
    listSubscriptions,
    {
      query: {
        page: String(page),
        limit: String(perPage),
        search,
        status: filter === '' ? undefined : filter,
        sort: subscriptionSorts.find((known) => known === sort),
        order,
      },
    },
    { placeholderData: keepPreviousData, staleTime: freshMs.records },
  )
  return (
    <ListPage
      title="Subscriptions"
      controls={controls}
      columns={subscriptionsColumns}
      records={subscriptions.data?.subscriptions}
      counted={subscriptions.data}
      idOf={(row) => row.subscriptionId}
      isFetching={subscriptions.isFetching}
      error={subscriptions.error}
      emptyText="No subscriptions found"
      emptyHint={
        search === '' && filter === ''
          ? 'They are listed here once your Stripe data is imported: in the Setup Wizard, or under Data Sync.'
          : 'Search for something else, or choose another status.'
      }
      errorText="An error occurred while fetching subscriptions."
      minWidth={1500}
      isSortable
      searchPlaceholder="Search subscriptions..."
      filterLabel="Status"
      filterChoices={filterChoices}
      onRetry={() => void subscriptions.refetch()}
      onOpen={(row) => () => open(paths.subscription(row.subscriptionId))}
    />
  )
}
