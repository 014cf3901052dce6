import { keepPreviousData } from '@tanstack/react-query'
import { exportTransactions, listTransactions, transactionSorts } from '#contract/events.ts'
import { getFilterOptions } from '#contract/lists/filter-options.ts'
import { buildUrl, useEndpoint } from '../../client.ts'
import { useDateRange } from '../../components/date-range/use-date-range.ts'
import { comparedIn } from '../../components/list-page/filters/segment-fields.ts'
import { ListPage } from '../../components/list-page/list-page.tsx'
import { otherwiseText } from '../../components/list-page/list-state.ts'
import { eventTarget } from '../../components/list-page/row-targets.ts'
import { ImportHint } from '../../components/list-page/rows/import-hint.tsx'
import { useListState } from '../../components/list-page/use-list-state.ts'
import { ViewsMenu } from '../../components/list-page/views-menu.tsx'
import { eventCard } from '../../components/record-cards/event-card.tsx'
import { useFoundElsewhere } from '../../queries/found-records.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useColumnsKey, useListViews } from '../../queries/list-views.ts'
import { eventFields, eventQuery, eventSpec, typeChoices } from './event-filters.ts'
import { EventSumLine } from './event-sum-line.tsx'
import { eventsColumnsOf, firstEventColumns } from './events-columns.tsx'

/** Shows every change of MRR. */
export function EventsScreen() {
  const controls = useListState(eventSpec)
  const { page, perPage, sort, order } = controls.state
  const range = useDateRange('all')
  const query = eventQuery(controls.state, range.days)
  const inOrder = { ...query, sort: transactionSorts.find((known) => known === sort), order }
  const views = useListViews('events')
  const columnsKey = useColumnsKey('events')
  const options = useEndpoint(getFilterOptions, {}, { staleTime: freshMs.coverage })
  const events = useEndpoint(
    listTransactions,
    { query: { page: String(page), limit: String(perPage), ...inOrder } },
    { placeholderData: keepPreviousData, staleTime: freshMs.records },
  )
  const otherwise = otherwiseText(controls.state, range.choice.name !== 'all')
  return (
    <ListPage
      title="Events"
      controls={controls}
      csvHref={buildUrl(exportTransactions.path, {}, inOrder)}
      sums={(isPending) => <EventSumLine query={query} isPending={isPending} />}
      columns={eventsColumnsOf(controls.state.filters['mrrStatus'] ?? '')}
      records={events.data?.transactions}
      counted={events.data}
      found={useFoundElsewhere(controls.state.search, events.data?.totalCount)}
      idOf={(event) => event.transactionId}
      isFetching={events.isFetching}
      isPlaceholder={events.isPlaceholderData}
      error={events.error}
      emptyText="No events found."
      emptyHint={
        otherwise !== null ? (
          `${otherwise}${controls.state.search === '' ? '' : ' An invoice that changed no MRR has no event; its whole number finds it here.'}`
        ) : (
          <ImportHint what="Every change of MRR is" />
        )
      }
      errorText="An error occurred while fetching events."
      minWidth={1700}
      isSortable
      orderCurrency={comparedIn(options.data)}
      searchPlaceholder="Search events..."
      searchCovers="Company, customer, email, product, invoice or subscription"
      filterName="mrrStatus"
      filterLabel="Event type"
      filterChoices={typeChoices}
      filterFields={eventFields(options.data)}
      range={range}
      views={<ViewsMenu {...views} />}
      firstColumns={firstEventColumns}
      columnsKey={columnsKey}
      cardOf={eventCard}
      onRetry={() => void events.refetch()}
      linkOf={eventTarget}
    />
  )
}
