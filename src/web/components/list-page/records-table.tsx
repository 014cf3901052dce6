import { Alert, Box, Button, Center, LoadingOverlay, Skeleton, Stack, Table, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import { problemText } from '../../ui/problem-text.ts'
import { HeaderCell, type Sorting } from './header-cell.tsx'

export type Column<T> = {
  accessor: Extract<keyof T, string>
  title: string
  sortable?: boolean
  textAlign?: 'left' | 'right'
  /** Renders a cell; without it, the cell shows the plain value. */
  render?: (record: T) => ReactNode
}

export type RecordsTableProps<T> = {
  label: string
  columns: Column<T>[]
  records: T[] | undefined
  idOf: (record: T) => string
  isFetching: boolean
  error: Error | null
  emptyText: string
  /** Says what will fill the list, and how. */
  emptyHint?: ReactNode
  /** The number of rows that are likely to arrive; the table keeps space for them. */
  expectedRows?: number
  errorText: string
  /** Asks again after a failure. */
  onRetry: () => void
  /** The width in px below which the table scrolls sideways. */
  minWidth?: number
  sorting?: Sorting
  /** Says what a click on a row does; undefined for a row that opens nothing. */
  onOpen?: (record: T) => (() => void) | undefined
}

/** A click on a link or button inside a row, or one that ends a text selection, is not a click on the row. */
function isForRow(event: MouseEvent): boolean {
  const isOnControl = event.target instanceof Element && event.target.closest('a, button, input') !== null
  return !isOnControl && window.getSelection()?.isCollapsed !== false
}

/** Shows rows of one kind, with their loading, empty and error states. */
export function RecordsTable<T>(props: RecordsTableProps<T>) {
  const { columns, records, isFetching } = props
  if (props.error !== null && records === undefined) return <ReadFailure {...props} error={props.error} />
  return (
    <Box pos="relative" aria-busy={isFetching}>
      {/* The rows below are from an earlier answer. */}
      {props.error === null ? null : <ReadFailure {...props} error={props.error} />}
      {/* It is positioned, so that text for screen readers scrolls with its cell and does not widen the page. */}
      <Table.ScrollContainer minWidth={props.minWidth ?? 0} type="native" pos="relative" tabIndex={0}>
        <Table
          aria-label={props.label}
          withTableBorder
          verticalSpacing="xs"
          highlightOnHover={props.onOpen !== undefined}
          style={{ whiteSpace: 'nowrap' }}
        >
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <HeaderCell key={column.accessor} {...column} sorting={props.sorting} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {records?.map((record) => (
              <Row key={props.idOf(record)} record={record} columns={columns} open={props.onOpen?.(record)} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {records === undefined ? <RowsToCome count={props.expectedRows ?? 0} /> : null}
      {records?.length === 0 ? (
        <Center mih={emptyHeightPx} role="status" p="md">
          <Stack gap={4} align="center">
            <Text fw={500}>{props.emptyText}</Text>
            {props.emptyHint === undefined ? null : (
              <Text size="sm" c="dimmed" ta="center">
                {props.emptyHint}
              </Text>
            )}
          </Stack>
        </Center>
      ) : null}
      <LoadingOverlay visible={isFetching} zIndex={1} />
    </Box>
  )
}

type ReadFailureProps = { error: Error; errorText: string; isFetching: boolean; onRetry: () => void }

function ReadFailure({ error, errorText, isFetching, onRetry }: ReadFailureProps) {
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert" title={errorText}>
      <Stack gap="xs" align="flex-start">
        {problemText(error)}
        <Button size="xs" variant="default" loading={isFetching} onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  )
}

const emptyHeightPx = 120
/** The height of a line of text with its spacing and border. */
const rowHeightPx = 42.7

/** Keeps space for rows that are still loading, so that nothing below jumps when they arrive. */
function RowsToCome({ count }: { count: number }) {
  return (
    <Box mih={Math.max(emptyHeightPx, count * rowHeightPx)} role="status" aria-label="Loading rows">
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <Box key={index} h={rowHeightPx} px="xs" py={15}>
          <Skeleton h={12} radius="sm" />
        </Box>
      ))}
    </Box>
  )
}

type RowProps<T> = { record: T; columns: Column<T>[]; open: (() => void) | undefined }

function Row<T>({ record, columns, open }: RowProps<T>) {
  const onClick = (event: MouseEvent) => {
    if (isForRow(event)) open?.()
  }
  return (
    <tr
      className={Table.classes.tr}
      data-with-row-border
      data-hover={open !== undefined || undefined}
      onClick={onClick}
      style={{ cursor: open === undefined ? 'default' : 'pointer' }}
    >
      {columns.map(({ accessor, textAlign = 'left', render }) => (
        <td key={accessor} className={Table.classes.td} style={{ textAlign }}>
          {render === undefined ? String(record[accessor] ?? '-') : render(record)}
        </td>
      ))}
    </tr>
  )
}
