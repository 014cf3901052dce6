import { Group, Stack, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { Paginator } from '../../ui/paginator.tsx'
import { type FilterChoice, ListToolbar } from './list-toolbar.tsx'
import { RecordsTable, type RecordsTableProps } from './records-table.tsx'
import type { ListControls } from './use-list-state.ts'

type ListPageProps<T> = Omit<RecordsTableProps<T>, 'label' | 'sorting'> & {
  title: string
  controls: ListControls
  totalCount: number | undefined
  searchPlaceholder: string
  filterLabel: string
  filterChoices: FilterChoice[]
  isSortable?: boolean
}

/** A list with search, filter, page size, pages and its states: the one pattern all lists follow. */
export function ListPage<T>(props: ListPageProps<T>) {
  const { title, controls, totalCount, isSortable = false, ...table } = props
  const { state, change } = controls
  const totalPages = Math.ceil((totalCount ?? 0) / state.perPage)
  useEffect(() => {
    // The list became shorter than the page the address names. While it loads, the count may be of another list.
    if (!props.isFetching && totalPages > 0 && state.page > totalPages)
      change({ page: totalPages }, 'replace')
  })
  return (
    <Stack>
      <Title order={2} size="h3">
        {title}
      </Title>
      <ListToolbar
        {...controls}
        searchPlaceholder={props.searchPlaceholder}
        filterLabel={props.filterLabel}
        filterChoices={props.filterChoices}
      />
      <RecordsTable
        {...table}
        label={title}
        {...(isSortable ? { sorting: { sort: state.sort, order: state.order, onSort: change } } : {})}
      />
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {totalCount === undefined ? '' : rangeText(state.page, state.perPage, totalCount)}
        </Text>
        <Paginator page={state.page} totalPages={totalPages} onChange={(page) => change({ page })} />
      </Group>
    </Stack>
  )
}

function rangeText(page: number, perPage: number, totalCount: number): string {
  if (totalCount === 0) return ''
  const first = Math.min((page - 1) * perPage + 1, totalCount)
  const last = Math.min(page * perPage, totalCount)
  return `${first.toLocaleString('en-US')} to ${last.toLocaleString('en-US')} of ${totalCount.toLocaleString('en-US')}`
}
