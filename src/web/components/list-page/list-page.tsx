import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Paginator } from '../../ui/paginator.tsx'
import { type FilterChoice, ListToolbar } from './list-toolbar.tsx'
import { RecordsTable, type RecordsTableProps } from './records-table.tsx'
import { type ListControls, useLastPage } from './use-list-state.ts'

/** `isCapped` says that a search found more rows than it counts. */
type Counted = { totalCount: number; isCapped: boolean }

type ListPageProps<T> = Omit<RecordsTableProps<T>, 'label' | 'sorting'> & {
  title: string
  /** Says what the list is for and holds the actions for the whole list. */
  description?: string
  actions?: ReactNode
  /** Stands between the search and the table. */
  above?: ReactNode
  controls: ListControls
  /** Counts the rows of all pages; undefined until that is known. */
  counted: Counted | undefined
  searchPlaceholder: string
  filterLabel: string
  filterChoices: FilterChoice[]
  isSortable?: boolean
}

/** Shows a list with its search, filter, page size, pages and states. All lists use this one pattern. */
export function ListPage<T>(props: ListPageProps<T>) {
  const { title, description, actions, above, controls, counted, isSortable = false, ...table } = props
  const { state, change } = controls
  const totalPages = Math.ceil((counted?.totalCount ?? 0) / state.perPage)
  useLastPage(controls, totalPages, props.isFetching)
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h3">
          {title}
        </Title>
        {actions}
      </Group>
      {description === undefined ? null : <Text c="dimmed">{description}</Text>}
      <ListToolbar
        {...controls}
        searchPlaceholder={props.searchPlaceholder}
        filterLabel={props.filterLabel}
        filterChoices={props.filterChoices}
      />
      {above}
      <RecordsTable
        {...table}
        label={title}
        expectedRows={state.perPage}
        {...(isSortable ? { sorting: { sort: state.sort, order: state.order, onSort: change } } : {})}
      />
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {counted === undefined ? '' : rangeText(state.page, state.perPage, counted)}
        </Text>
        <Paginator page={state.page} totalPages={totalPages} onChange={(page) => change({ page })} />
      </Group>
    </Stack>
  )
}

function rangeText(page: number, perPage: number, { totalCount, isCapped }: Counted): string {
  if (totalCount === 0) return ''
  const first = Math.min((page - 1) * perPage + 1, totalCount)
  const last = Math.min(page * perPage, totalCount)
  const all = `${isCapped ? 'more than ' : ''}${totalCount.toLocaleString('en-US')}`
  return `${first.toLocaleString('en-US')} to ${last.toLocaleString('en-US')} of ${all}`
}
