import { Box, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import type { SearchHit } from '#contract/lists/search.ts'
import { Paginator } from '../../ui/paginator.tsx'
import { LeftOutNote } from '../address/left-out-note.tsx'
import { useTableOnPhone } from '../frame/preferences.ts'
import type { CardLines } from './column.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { PrintedFilters } from './filters/printed-filters.tsx'
import { NoHits } from './found-elsewhere.tsx'
import { fieldsOf } from './list-selects.tsx'
import { ListToolbar, type ListToolbarProps } from './list-toolbar.tsx'
import { PhoneToolbar } from './phone-toolbar.tsx'
import { RecordsTable, type RecordsTableProps } from './records-table.tsx'
import { shownColumns } from './shown-columns.ts'
import { orderText, SortChoice } from './sort-choice.tsx'
import { useIsNarrow } from './use-is-narrow.ts'
import { useKeptColumns } from './use-kept-columns.ts'
import { type ListControls, useLastPage } from './use-list-state.ts'
import { useRowKeys } from './use-row-keys.ts'

/** `isCapped` says that a search found more rows than it counts. */
type Counted = { totalCount: number; isCapped: boolean }

type ListPageProps<T> = Omit<RecordsTableProps<T>, 'label' | 'sorting'> &
  ListToolbarProps & {
    title: string
    cardOf: (record: T) => CardLines
    /** Says what the rows of all pages come to, or that this loads, as long as the rows of other filters are shown. */
    sums?: (areRowsOfOthers: boolean) => ReactNode
    /** Whether the rows are those of an earlier query, which stay until those of this one are there. */
    isPlaceholder?: boolean
    /** Counts the rows of all pages; undefined until that is known. */
    counted: Counted | undefined
    /** What the search of all records finds by its id or number where the list has nothing. */
    found?: readonly SearchHit[]
    isSortable?: boolean
    /** Says how the list is sorted, where a person cannot sort it. */
    order?: string | undefined
    /** In which amounts of several currencies are compared; undefined where all are of one. */
    orderCurrency?: string | undefined
    /** The columns that are shown at first, if a person can choose; all of them are under Columns. */
    firstColumns?: readonly string[]
    /** Under what the browser keeps the columns that the person chose last. */
    columnsKey?: string | undefined
  }

/** Shows a list with its search, filter, page size, pages and states. All lists use this one pattern. */
export function ListPage<T>(props: ListPageProps<T>) {
  const { title, controls, counted, columns, isSortable = false } = props
  const { state, change } = controls
  const totalPages = Math.ceil((counted?.totalCount ?? 0) / state.perPage)
  useLastPage(controls, totalPages, props.isFetching)
  const chooseColumns = useKeptColumns(props.columnsKey, controls)
  const list = useRef<HTMLDivElement>(null)
  useRowKeys(list, props.linkOf !== undefined)
  const isNarrow = useIsNarrow()
  const [isTableOnPhone, setTableOnPhone] = useTableOnPhone(title)
  const shown = shownColumns(columns, props.firstColumns, state.columns)
  const sorting = isSortable ? { sort: state.sort, order: state.order, onSort: change } : undefined
  const order = sorting === undefined ? props.order : orderText(columns, sorting, props.orderCurrency)
  const { areOfOthers, ofSearch } = useShownQuery(props)
  const shownText = counted === undefined || props.isFetching ? 'Show the list' : `Show ${totalText(counted)}`
  return (
    <Stack>
      {isNarrow ? (
        <PhoneToolbar
          {...props}
          shownText={shownText}
          isTable={isTableOnPhone}
          onTable={setTableOnPhone}
          sortChoice={
            sorting === undefined ? null : (
              <SortChoice columns={columns} sorting={sorting} currency={props.orderCurrency} />
            )
          }
        />
      ) : (
        <ListToolbar
          {...props}
          shownText={shownText}
          columnsMenu={
            props.firstColumns === undefined ? null : (
              <ColumnsMenu columns={columns} shown={shown} onChange={chooseColumns} />
            )
          }
        />
      )}
      <LeftOutNote leftOut={controls.leftOut} onRemove={controls.forget} />
      <PrintedFilters state={state} fields={fieldsOf(props).all} />
      {props.sums === undefined && order === undefined ? null : (
        <Group
          align="flex-start"
          justify="space-between"
          gap={isNarrow ? 0 : 'md'}
          wrap={isNarrow ? 'wrap' : 'nowrap'}
        >
          <Box flex={isNarrow ? '1 1 100%' : 1}>{props.sums?.(areOfOthers)}</Box>
          <Text size="sm" c="dimmed">
            {order}
          </Text>
        </Group>
      )}
      <div ref={list}>
        <RecordsTable
          {...props}
          columns={shown}
          isTable={isNarrow && isTableOnPhone}
          minWidth={shown.length === columns.length ? (props.minWidth ?? 0) : 0}
          label={title}
          emptyHint={
            <NoHits search={ofSearch} hits={props.found ?? []} onClear={() => change({ search: '' })}>
              {/* Without a search, a list still on its way would say that nothing was ever imported. */}
              {areOfOthers && state.search === '' ? null : props.emptyHint}
            </NoHits>
          }
          expectedRows={state.perPage}
          {...(sorting === undefined ? {} : { sorting })}
        />
      </div>
      <Foot {...props} areOfOthers={areOfOthers} totalPages={totalPages} />
    </Stack>
  )
}

type FootProps = {
  controls: ListControls
  counted: Counted | undefined
  areOfOthers: boolean
  totalPages: number
}

/** Says which rows are shown, and leads to the other pages; keeps its place while they are not known. */
function Foot({ controls: { state, change }, counted, areOfOthers, totalPages }: FootProps) {
  const range = counted === undefined ? '' : rangeText(state.page, state.perPage, counted)
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" role="status">
        {areOfOthers ? 'Loading…' : range}
      </Text>
      <Box style={areOfOthers ? { visibility: 'hidden' } : {}}>
        <Paginator page={state.page} totalPages={totalPages} onChange={(page) => change({ page })} />
      </Box>
    </Group>
  )
}

/**
 * What the rows are of: the search, and whether that and the filters are other ones than those asked for, whose rows
 * load. Sum and foot would contradict the rows so long.
 */
function useShownQuery<T>({ controls: { state }, range, isPlaceholder = false }: ListPageProps<T>) {
  const wanted = JSON.stringify([state.search, state.filters, range?.days])
  const [shown, setShown] = useState({ query: wanted, search: state.search })
  if (!isPlaceholder && shown.query !== wanted) setShown({ query: wanted, search: state.search })
  return { areOfOthers: isPlaceholder && shown.query !== wanted, ofSearch: shown.search }
}

function rangeText(page: number, perPage: number, counted: Counted): string {
  const { totalCount } = counted
  if (totalCount === 0) return ''
  const first = Math.min((page - 1) * perPage + 1, totalCount)
  const last = Math.min(page * perPage, totalCount)
  return `${first.toLocaleString('en-US')} to ${last.toLocaleString('en-US')} of ${totalText(counted)}`
}

const totalText = ({ totalCount, isCapped }: Counted) =>
  `${isCapped ? 'more than ' : ''}${totalCount.toLocaleString('en-US')}`
