import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Paginator } from '../../ui/paginator.tsx'
import { ColumnsMenu } from './columns-menu.tsx'
import { CsvButton } from './csv-button.tsx'
import { FilterBar } from './filters/filter-bar.tsx'
import type { FilterField } from './filters/filter-field.ts'
import { LeftOutNote } from './left-out-note.tsx'
import { type FilterChoice, ListToolbar } from './list-toolbar.tsx'
import { RecordsTable, type RecordsTableProps } from './records-table.tsx'
import { shownColumns } from './shown-columns.ts'
import { SortChoice } from './sort-choice.tsx'
import { useIsNarrow } from './use-is-narrow.ts'
import { useKeptColumns } from './use-kept-columns.ts'
import { type ListControls, useLastPage } from './use-list-state.ts'

/** `isCapped` says that a search found more rows than it counts. */
type Counted = { totalCount: number; isCapped: boolean }

type ListPageProps<T> = Omit<RecordsTableProps<T>, 'label' | 'sorting'> & {
  title: string
  /** Says what the list is for and holds the actions for the whole list. */
  description?: ReactNode
  actions?: ReactNode
  /** Stands between the search and the table. */
  above?: ReactNode
  /** Where the whole list is saved as CSV. */
  csvHref?: string
  /** Says what the rows of all pages come to. */
  sums?: ReactNode
  controls: ListControls
  /** Counts the rows of all pages; undefined until that is known. */
  counted: Counted | undefined
  searchPlaceholder: string
  /** Says what the search looks at. */
  searchCovers: string
  /** The filter that stands beside the search, by its name in the address. */
  filterName: string
  filterLabel: string
  filterChoices: FilterChoice[]
  /** All filters of the list, which appear as chips. */
  filterFields?: readonly FilterField[]
  isSortable?: boolean
  /** The columns that are shown at first, if a person can choose; all of them are under Columns. */
  firstColumns?: readonly string[]
  /** Under what the browser keeps the columns that the person chose last. */
  columnsKey?: string | undefined
  /** The person's saved views of the list. */
  views?: ReactNode
  /** Chooses the days of the list. */
  range?: ReactNode
}

/** Shows a list with its search, filter, page size, pages and states. All lists use this one pattern. */
export function ListPage<T>(props: ListPageProps<T>) {
  const { title, description, actions, above, controls, counted, isSortable = false, ...table } = props
  const { state, change } = controls
  const totalPages = Math.ceil((counted?.totalCount ?? 0) / state.perPage)
  useLastPage(controls, totalPages, props.isFetching)
  const chooseColumns = useKeptColumns(props.columnsKey, controls)
  const isNarrow = useIsNarrow() && props.cardOf !== undefined
  const shown = shownColumns(props.columns, props.firstColumns, state.columns)
  const sorting = isSortable ? { sort: state.sort, order: state.order, onSort: change } : undefined
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Text c="dimmed" flex="1 1 20rem">
          {description}
        </Text>
        <Group gap="xs">
          {actions}
          {props.csvHref === undefined ? null : <CsvButton href={props.csvHref} />}
        </Group>
      </Group>
      <ListToolbar
        {...controls}
        searchPlaceholder={props.searchPlaceholder}
        searchCovers={props.searchCovers}
        filterName={props.filterName}
        filterLabel={props.filterLabel}
        filterChoices={props.filterChoices}
      />
      {above}
      {props.range}
      <Group justify="space-between" align="flex-start" gap="xs">
        {props.filterFields === undefined ? null : (
          <FilterBar controls={controls} fields={props.filterFields} />
        )}
        <Group gap="xs">
          {props.views}
          {props.firstColumns === undefined || isNarrow ? null : (
            <ColumnsMenu columns={props.columns} shown={shown} onChange={chooseColumns} />
          )}
        </Group>
      </Group>
      {isNarrow && sorting !== undefined ? <SortChoice columns={props.columns} sorting={sorting} /> : null}
      <LeftOutNote {...controls} />
      {props.sums}
      <RecordsTable
        {...table}
        columns={shown}
        minWidth={shown.length === props.columns.length ? (props.minWidth ?? 0) : 0}
        label={title}
        expectedRows={state.perPage}
        {...(sorting === undefined ? {} : { sorting })}
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
