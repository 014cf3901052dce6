import 'mantine-datatable/styles.css'
import { Alert, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { DataTable, type DataTableColumn, type DataTableSortProps } from 'mantine-datatable'
import type { MouseEvent } from 'react'

export type Column<T> = DataTableColumn<T>

type Sorting = {
  sort: string
  order: 'asc' | 'desc'
  onSort: (change: { sort: string; order: 'asc' | 'desc' }) => void
}

export type RecordsTableProps<T> = {
  label: string
  columns: Column<T>[]
  records: T[] | undefined
  idOf: (record: T) => string
  isFetching: boolean
  error: Error | null
  emptyText: string
  errorText: string
  /** Narrower screens scroll the table sideways. In px. */
  minWidth?: number
  sorting?: Sorting
  /** What a click on a row does; undefined for a row that leads nowhere. */
  onOpen?: (record: T) => (() => void) | undefined
}

/** A click on a link or button inside a row, or one that ends a text selection, is not a click on the row. */
function isForRow(event: MouseEvent): boolean {
  const isOnControl = event.target instanceof Element && event.target.closest('a, button, input') !== null
  return !isOnControl && window.getSelection()?.isCollapsed !== false
}

/** Rows of one kind, with their loading, empty and error states. */
export function RecordsTable<T>(props: RecordsTableProps<T>) {
  if (props.error !== null && props.records === undefined) {
    return (
      <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert" title={props.errorText}>
        {props.error.message}
      </Alert>
    )
  }
  const { sorting, onOpen } = props
  const isEmpty = props.records !== undefined && props.records.length === 0
  return (
    <DataTable<T>
      aria-label={props.label}
      withTableBorder
      borderRadius="md"
      verticalSpacing="xs"
      highlightOnHover={onOpen !== undefined}
      minHeight={isEmpty || props.records === undefined ? 160 : 0}
      defaultColumnProps={{ noWrap: true }}
      columns={props.columns}
      records={props.records ?? []}
      idAccessor={props.idOf}
      fetching={props.isFetching}
      emptyState={isEmpty ? <Text c="dimmed">{props.emptyText}</Text> : <span />}
      styles={{ table: { minWidth: props.minWidth ?? 0 } }}
      {...sortingProps<T>(sorting)}
      rowStyle={(record) => ({ cursor: onOpen?.(record) === undefined ? 'default' : 'pointer' })}
      onRowClick={({ record, event }) => {
        if (isForRow(event)) onOpen?.(record)?.()
      }}
    />
  )
}

function sortingProps<T>(sorting: Sorting | undefined): DataTableSortProps<T> {
  if (sorting === undefined) return {}
  return {
    sortStatus: { columnAccessor: sorting.sort, direction: sorting.order },
    onSortStatusChange: ({ columnAccessor, direction }) =>
      sorting.onSort({ sort: String(columnAccessor), order: direction }),
  }
}
