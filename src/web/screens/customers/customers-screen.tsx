import { keepPreviousData } from '@tanstack/react-query'
import { customerSorts, exportCustomers, listCustomers } from '#contract/customers/customers.ts'
import { getFilterOptions } from '#contract/lists/filter-options.ts'
import { buildUrl, useEndpoint } from '../../client.ts'
import { customerTitle } from '../../components/customers/customer-title.ts'
import { comparedIn } from '../../components/list-page/filters/segment-fields.ts'
import { ListPage } from '../../components/list-page/list-page.tsx'
import { otherwiseText } from '../../components/list-page/list-state.ts'
import { customerTarget } from '../../components/list-page/row-targets.ts'
import { ImportHint } from '../../components/list-page/rows/import-hint.tsx'
import { useListState } from '../../components/list-page/use-list-state.ts'
import { ViewsMenu } from '../../components/list-page/views-menu.tsx'
import { customerCard } from '../../components/record-cards/customer-card.tsx'
import { useFoundElsewhere } from '../../queries/found-records.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useColumnsKey, useListViews } from '../../queries/list-views.ts'
import { customerFields, customerSpec, matchChoices } from './customer-filters.ts'
import { CustomerSumLine } from './customer-sum-line.tsx'
import { customersColumns, firstCustomerColumns } from './customers-columns.tsx'

/** Shows every customer that has or had a subscription. */
export function CustomersScreen() {
  const controls = useListState(customerSpec)
  const { page, perPage, search, filters, sort, order } = controls.state
  const query = { search, ...filters, sort: customerSorts.find((known) => known === sort), order }
  const views = useListViews('customers')
  const columnsKey = useColumnsKey('customers')
  const options = useEndpoint(getFilterOptions, {}, { staleTime: freshMs.coverage })
  const customers = useEndpoint(
    listCustomers,
    { query: { page: String(page), limit: String(perPage), ...query } },
    { placeholderData: keepPreviousData, staleTime: freshMs.records },
  )
  return (
    <ListPage
      title="Customers"
      controls={controls}
      sums={(isPending) => <CustomerSumLine state={controls.state} isPending={isPending} />}
      columns={customersColumns}
      records={customers.data?.customers}
      counted={customers.data}
      found={useFoundElsewhere(controls.state.search, customers.data?.totalCount)}
      idOf={(row) => row.customerId}
      isFetching={customers.isFetching}
      isPlaceholder={customers.isPlaceholderData}
      error={customers.error}
      emptyText="No customers found"
      emptyHint={otherwiseText(controls.state) ?? <ImportHint />}
      errorText="An error occurred while fetching customers."
      minWidth={1100}
      isSortable
      orderCurrency={comparedIn(options.data)}
      searchPlaceholder="Search customers..."
      searchCovers="Customer, email, domain, company or customer ID"
      filterName="isMatched"
      filterLabel="Match"
      filterChoices={matchChoices}
      filterFields={customerFields(options.data)}
      views={<ViewsMenu {...views} />}
      firstColumns={firstCustomerColumns}
      columnsKey={columnsKey}
      csvHref={buildUrl(exportCustomers.path, {}, query)}
      cardOf={customerCard}
      onRetry={() => void customers.refetch()}
      linkOf={(row) => customerTarget(row.customerId, customerTitle(row))}
    />
  )
}
