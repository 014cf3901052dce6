import { keepPreviousData } from '@tanstack/react-query'
import { z } from 'zod'
import { customerSorts, listCustomers } from '#contract/customers/customers.ts'
import { useEndpoint } from '../../client.ts'
import { customerTitle } from '../../components/customers/customer-title.ts'
import { ListPage } from '../../components/list-page/list-page.tsx'
import type { ListSpec } from '../../components/list-page/list-state.ts'
import { customerTarget } from '../../components/list-page/row-targets.ts'
import { useListState } from '../../components/list-page/use-list-state.ts'
import { freshMs } from '../../queries/freshness.ts'
import { customersColumns } from './customers-columns.tsx'

const spec: ListSpec = { filters: { isMatched: z.enum(['true', 'false']) }, sorts: customerSorts }

const filterChoices = [
  { value: '', label: 'All Customers' },
  { value: 'true', label: 'Matched' },
  { value: 'false', label: 'Not Matched' },
]

/** Shows every customer that has or had a subscription. */
export function CustomersScreen() {
  const controls = useListState(spec)
  const { page, perPage, search, filters, sort, order } = controls.state
  const filter = filters['isMatched'] ?? ''
  const customers = useEndpoint(
    listCustomers,
    {
      query: {
        page: String(page),
        limit: String(perPage),
        search,
        isMatched: filter === 'true' || filter === 'false' ? filter : undefined,
        sort: customerSorts.find((known) => known === sort),
        order,
      },
    },
    { placeholderData: keepPreviousData, staleTime: freshMs.records },
  )
  return (
    <ListPage
      title="Customers"
      controls={controls}
      columns={customersColumns}
      records={customers.data?.customers}
      counted={customers.data}
      idOf={(row) => row.customerId}
      isFetching={customers.isFetching}
      error={customers.error}
      emptyText="No customers found"
      emptyHint={
        search === '' && filter === ''
          ? 'They are listed here once your Stripe data is imported: in the Setup Wizard, or under Data Sync.'
          : 'Search for something else, or choose another filter.'
      }
      errorText="An error occurred while fetching customers."
      minWidth={900}
      isSortable
      searchPlaceholder="Search customers..."
      searchCovers="Customer, email, domain, company or customer ID"
      filterName="isMatched"
      filterLabel="Match"
      filterChoices={filterChoices}
      onRetry={() => void customers.refetch()}
      linkOf={(row) => customerTarget(row.customerId, customerTitle(row))}
    />
  )
}
