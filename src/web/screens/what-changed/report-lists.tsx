import { Group, Stack, Tabs } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { z } from 'zod'
import {
  listRecountCustomers,
  listRecountMonths,
  listRecountRecords,
  type Recount,
} from '#contract/recounts.ts'
import { useEndpoint } from '../../client.ts'
import { RecordsTable, type RecordsTableProps } from '../../components/list-page/records-table.tsx'
import { type ListControls, useLastPage, useListState } from '../../components/list-page/use-list-state.ts'
import { Paginator } from '../../ui/paginator.tsx'
import { customerColumns, monthColumns, recordColumns } from './report-columns.tsx'

const perPage = 25
const spec = { filters: { list: z.enum(['customers', 'records'], 'is no list of the report') }, sorts: [] }
const kept = { placeholderData: keepPreviousData }

/** Shows the months, customers and records of a report, one list at a time. The address names the list. */
export function ReportLists({ report }: { report: Recount }) {
  const controls = useListState(spec)
  const { state, change } = controls
  const { recountId, monthCount, customerCount, recordCount } = report
  const number = (count: number) => count.toLocaleString('en-US')
  return (
    <Tabs
      value={state.filters.list ?? 'months'}
      onChange={(list) => change({ filters: { list: list === 'months' || list === null ? '' : list } })}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="months">Months ({number(monthCount)})</Tabs.Tab>
        <Tabs.Tab value="customers">Customers ({number(customerCount)})</Tabs.Tab>
        <Tabs.Tab value="records">Records ({number(recordCount)})</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="months">
        <Months recountId={recountId} controls={controls} />
      </Tabs.Panel>
      <Tabs.Panel value="customers">
        <Customers recountId={recountId} controls={controls} />
      </Tabs.Panel>
      <Tabs.Panel value="records">
        <Records recountId={recountId} controls={controls} />
      </Tabs.Panel>
    </Tabs>
  )
}

type ListProps = { recountId: string; controls: ListControls }

const inputOf = ({ recountId, controls }: ListProps) => ({
  params: { recountId },
  query: { page: String(controls.state.page), limit: String(perPage) },
})

function Months(props: ListProps) {
  const { data, isPending, isFetching, isPlaceholderData, error, refetch } = useEndpoint(
    listRecountMonths,
    inputOf(props),
    kept,
  )
  return (
    <ReportTable
      {...props}
      label="Months"
      columns={monthColumns}
      records={data?.months}
      idOf={({ month, currency }) => `${month} ${currency}`}
      totalCount={data?.totalCount}
      onRetry={() => void refetch()}
      {...{ isPending, isFetching, isPlaceholderData, error }}
    />
  )
}

function Customers(props: ListProps) {
  const { data, isPending, isFetching, isPlaceholderData, error, refetch } = useEndpoint(
    listRecountCustomers,
    inputOf(props),
    kept,
  )
  return (
    <ReportTable
      {...props}
      label="Customers"
      columns={customerColumns}
      records={data?.customers}
      idOf={({ customerId, currency }) => `${customerId} ${currency}`}
      totalCount={data?.totalCount}
      onRetry={() => void refetch()}
      {...{ isPending, isFetching, isPlaceholderData, error }}
    />
  )
}

function Records(props: ListProps) {
  const { data, isPending, isFetching, isPlaceholderData, error, refetch } = useEndpoint(
    listRecountRecords,
    inputOf(props),
    kept,
  )
  return (
    <ReportTable
      {...props}
      label="Records"
      columns={recordColumns}
      records={data?.records}
      idOf={({ kind, recordKey }) => `${kind} ${recordKey}`}
      totalCount={data?.totalCount}
      onRetry={() => void refetch()}
      {...{ isPending, isFetching, isPlaceholderData, error }}
    />
  )
}

type ReportTableProps<T> = ListProps &
  Pick<
    RecordsTableProps<T>,
    'label' | 'columns' | 'records' | 'idOf' | 'isFetching' | 'error' | 'onRetry'
  > & {
    totalCount: number | undefined
    isPending: boolean
    isPlaceholderData: boolean
  }

function ReportTable<T>(props: ReportTableProps<T>) {
  const { controls, totalCount = 0, isPending, isPlaceholderData, isFetching, ...table } = props
  const totalPages = Math.ceil(totalCount / perPage)
  useLastPage(controls, totalPages, isFetching)
  return (
    <Stack>
      <RecordsTable
        {...table}
        isFetching={isPending || isPlaceholderData}
        emptyText="None of them changed."
        errorText="This list of the report could not be read."
        minWidth={760}
      />
      <Group justify="flex-end">
        <Paginator
          page={controls.state.page}
          totalPages={totalPages}
          onChange={(page) => controls.change({ page })}
        />
      </Group>
    </Stack>
  )
}
