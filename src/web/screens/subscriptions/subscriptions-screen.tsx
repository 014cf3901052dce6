import { keepPreviousData } from '@tanstack/react-query'
import { getFilterOptions } from '#contract/lists/filter-options.ts'
import { exportSubscriptions, listSubscriptions } from '#contract/subscriptions.ts'
import { labelOf } from '#domain/subscription.ts'
import { buildUrl, useEndpoint } from '../../client.ts'
import { comparedIn } from '../../components/list-page/filters/segment-fields.ts'
import { ListPage } from '../../components/list-page/list-page.tsx'
import { otherwiseText } from '../../components/list-page/list-state.ts'
import { subscriptionTarget } from '../../components/list-page/row-targets.ts'
import { ImportHint } from '../../components/list-page/rows/import-hint.tsx'
import { useListState } from '../../components/list-page/use-list-state.ts'
import { ViewsMenu } from '../../components/list-page/views-menu.tsx'
import { subscriptionCard } from '../../components/record-cards/subscription-card.tsx'
import { useFoundElsewhere } from '../../queries/found-records.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useColumnsKey, useListViews } from '../../queries/list-views.ts'
import { subscriptionFields, subscriptionQuery, subscriptionSpec } from './subscription-filters.ts'
import { SubscriptionSumLine } from './subscription-sum-line.tsx'
import { firstSubscriptionColumns, subscriptionsColumns } from './subscriptions-columns.tsx'

const filterStatuses = ['active', 'trialing', 'past_due', 'unpaid', 'canceled']

const filterChoices = [
  { value: '', label: 'All Statuses' },
  ...filterStatuses.map((value) => ({ value, label: labelOf(value) })),
]

/** Shows every subscription of the organization. */
export function SubscriptionsScreen() {
  const controls = useListState(subscriptionSpec)
  const { page, perPage } = controls.state
  const views = useListViews('subscriptions')
  const columnsKey = useColumnsKey('subscriptions')
  const options = useEndpoint(getFilterOptions, {}, { staleTime: freshMs.coverage })
  const subscriptions = useEndpoint(
    listSubscriptions,
    { query: { page: String(page), limit: String(perPage), ...subscriptionQuery(controls.state) } },
    { placeholderData: keepPreviousData, staleTime: freshMs.records },
  )
  return (
    <ListPage
      title="Subscriptions"
      controls={controls}
      csvHref={buildUrl(exportSubscriptions.path, {}, subscriptionQuery(controls.state))}
      sums={(isPending) => <SubscriptionSumLine state={controls.state} isPending={isPending} />}
      columns={subscriptionsColumns}
      records={subscriptions.data?.subscriptions}
      counted={subscriptions.data}
      found={useFoundElsewhere(controls.state.search, subscriptions.data?.totalCount)}
      idOf={(row) => row.subscriptionId}
      isFetching={subscriptions.isFetching}
      isPlaceholder={subscriptions.isPlaceholderData}
      error={subscriptions.error}
      emptyText="No subscriptions found"
      emptyHint={otherwiseText(controls.state) ?? <ImportHint />}
      errorText="An error occurred while fetching subscriptions."
      minWidth={1500}
      isSortable
      orderCurrency={comparedIn(options.data)}
      searchPlaceholder="Search subscriptions..."
      searchCovers="Company, customer, email, product or subscription ID"
      filterName="status"
      filterLabel="Status"
      filterChoices={filterChoices}
      filterFields={subscriptionFields(options.data)}
      views={<ViewsMenu {...views} />}
      firstColumns={firstSubscriptionColumns}
      columnsKey={columnsKey}
      cardOf={subscriptionCard}
      onRetry={() => void subscriptions.refetch()}
      linkOf={({ subscriptionId, companyName }) => subscriptionTarget(subscriptionId, companyName)}
    />
  )
}
