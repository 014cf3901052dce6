import { Box, Center, LoadingOverlay, Skeleton, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ReadFailure } from '../../ui/problems/unread.tsx'
import { WideTable } from '../wide-table/wide-table.tsx'
import type { CardLines, Column, RowTarget } from './column.ts'
import { HeaderCell, type Sorting } from './header-cell.tsx'
import { columnCard } from './rows/column-card.tsx'
import { RecordCards } from './rows/record-cards.tsx'
import { RecordRow } from './rows/record-row.tsx'
import classes from './rows/records-table.module.css'
import { useIsNarrow } from './use-is-narrow.ts'

export type RecordsTableProps<T> = {
  label: string
  columns: Column<T>[]
  records: T[] | undefined
  idOf: (record: T) => string
  /** The id of the row that the address names, which is marked. */
  currentId?: string | null
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
  /** The width of the screen in px below which records are cards, for a table that does not fit a tablet. */
  cardsBelow?: number
  /** Whether rows are those of a table on a narrow screen too. */
  isTable?: boolean
  /** Whether words take several lines, so that a table of many columns fits. */
  wraps?: boolean
  sorting?: Sorting
  /** Where a row leads and what that is; null for a row that leads nowhere. */
  linkOf?: (record: T) => RowTarget | null
  /** What a card says of a record on a narrow screen; without it, all columns by their names. */
  cardOf?: ((record: T) => CardLines) | undefined
  /** Says what a click on a row does, for rows that open a dialog. */
  onOpen?: (record: T) => () => void
}

/** Shows rows of one kind, with their loading, empty and error states. */
export function RecordsTable<T>(props: RecordsTableProps<T>) {
  const { records, isFetching, columns } = props
  const isNarrow = useIsNarrow(props.cardsBelow)
  const isCards = isNarrow && props.isTable !== true
  const failure =
    props.error === null ? null : (
      <ReadFailure
        title={props.errorText}
        error={props.error}
        onRetry={props.onRetry}
        isRetrying={isFetching}
      />
    )
  if (failure !== null && records === undefined) return <Box data-refuge>{failure}</Box>
  return (
    <Box pos="relative" aria-busy={isFetching} data-refuge>
      {/* The rows below are from an earlier answer. */}
      {failure}
      {isCards ? (
        <RecordCards {...props} records={records ?? []} cardOf={props.cardOf ?? columnCard(columns)} />
      ) : (
        <RowsTable {...props} />
      )}
      {records === undefined ? <RowsToCome count={props.expectedRows ?? 0} isCards={isCards} /> : null}
      {records?.length === 0 ? (
        <Center mih={emptyHeightPx} role="status" p="md">
          <Stack gap={4} align="center">
            <Text fw={500} ta="center">
              {props.emptyText}
            </Text>
            {props.emptyHint === undefined ? null : (
              <Text size="sm" c="dimmed" ta="center" component="div">
                {props.emptyHint}
              </Text>
            )}
          </Stack>
        </Center>
      ) : null}
      {/* Without rows, their placeholders already say that they are on their way. */}
      <LoadingOverlay visible={isFetching && records !== undefined} zIndex={1} />
    </Box>
  )
}

function RowsTable<T>(props: RecordsTableProps<T>) {
  const { columns, records } = props
  return (
    <WideTable
      aria-label={props.label}
      minWidth={props.minWidth ?? 0}
      verticalSpacing="xs"
      highlightOnHover={props.onOpen !== undefined || props.linkOf !== undefined}
      className={props.wraps ? classes.wraps : columns.length >= manyColumns ? classes.many : undefined}
      style={{ whiteSpace: props.wraps ? 'normal' : 'nowrap' }}
    >
      <Table.Thead>
        <Table.Tr>
          {columns.map((column, at) => (
            <HeaderCell
              key={column.accessor}
              {...column}
              sorting={props.sorting}
              className={at === 0 ? classes.first : undefined}
            />
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {records?.map((record) => (
          <RecordRow
            key={props.idOf(record)}
            record={record}
            columns={columns}
            target={props.linkOf?.(record) ?? null}
            open={props.onOpen?.(record)}
            isCurrent={props.idOf(record) === props.currentId}
          />
        ))}
      </Table.Tbody>
    </WideTable>
  )
}

/** A table with this many columns does not fit a usual desktop by itself. */
const manyColumns = 7
const emptyHeightPx = 120
/** The height of a line of text with its spacing and border. */
const rowHeightPx = 42.7
/** The height of a card of two lines with the gap below it. */
const cardHeightPx = 78

/** Keeps space for rows that are still loading, so that nothing below jumps when they arrive. */
function RowsToCome({ count, isCards }: { count: number; isCards: boolean }) {
  const heightPx = isCards ? cardHeightPx : rowHeightPx
  return (
    <Box
      mih={Math.max(emptyHeightPx, count * heightPx)}
      className="rows-to-come"
      role="status"
      aria-label="Loading rows"
    >
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <Box key={index} h={heightPx} px="xs" py={15}>
          <Skeleton h={12} radius="sm" />
        </Box>
      ))}
    </Box>
  )
}
