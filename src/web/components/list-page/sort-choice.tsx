import { NativeSelect } from '@mantine/core'
import type { Column, SortKind } from './column.ts'
import type { Sorting } from './header-cell.tsx'

const orderWords: Record<SortKind, Record<Sorting['order'], string>> = {
  amount: { desc: 'highest first', asc: 'lowest first' },
  loss: { desc: 'smallest loss first', asc: 'largest loss first' },
  date: { desc: 'latest first', asc: 'earliest first' },
  text: { desc: 'Z to A', asc: 'A to Z' },
}

type SortChoiceProps<T> = {
  columns: readonly Column<T>[]
  sorting: Sorting
  /** In which amounts of several currencies are compared; undefined where all are of one. */
  currency: string | undefined
}

/** Sorts a list that shows cards, which have no headers. */
export function SortChoice<T>({ columns, sorting, currency }: SortChoiceProps<T>) {
  const choices = columns.flatMap((column) =>
    column.sortable === undefined
      ? []
      : (['desc', 'asc'] as const).map((order) => ({
          value: `${column.accessor} ${order}`,
          label: inWords(column, order, currency),
        })),
  )
  return (
    <NativeSelect
      label="Sort by"
      value={`${sorting.sort} ${sorting.order}`}
      data={choices}
      onChange={(event) => {
        const [sort = '', order] = event.currentTarget.value.split(' ')
        sorting.onSort({ sort, order: order === 'asc' ? 'asc' : 'desc' })
      }}
    />
  )
}

/** Says how a list is sorted, since the column may be out of view or not shown. */
export function orderText<T>(
  columns: readonly Column<T>[],
  { sort, order }: Sorting,
  currency: string | undefined,
): string {
  const column = columns.find(({ accessor }) => accessor === sort)
  return column?.sortable === undefined ? '' : `Sorted by ${inWords(column, order, currency)}`
}

/** Writes 'MRR in EUR, highest first'. */
function inWords<T>(column: Column<T>, order: Sorting['order'], currency: string | undefined): string {
  const { title, sortable = 'text', isMoney = false } = column
  const measure = isMoney && currency !== undefined ? ` in ${currency.toUpperCase()}` : ''
  return `${title}${measure}, ${orderWords[sortable][order]}`
}
