import { NativeSelect } from '@mantine/core'
import type { Column, SortKind } from './column.ts'
import type { Sorting } from './header-cell.tsx'

const orderWords: Record<SortKind, Record<Sorting['order'], string>> = {
  amount: { desc: 'highest first', asc: 'lowest first' },
  loss: { desc: 'smallest loss first', asc: 'largest loss first' },
  date: { desc: 'latest first', asc: 'earliest first' },
  text: { desc: 'Z to A', asc: 'A to Z' },
}

type SortChoiceProps<T> = { columns: readonly Column<T>[]; sorting: Sorting }

/** Sorts a list that shows cards, which have no headers. */
export function SortChoice<T>({ columns, sorting }: SortChoiceProps<T>) {
  const choices = columns.flatMap(({ accessor, title, sortable }) =>
    sortable === undefined
      ? []
      : (['desc', 'asc'] as const).map((order) => ({
          value: `${accessor} ${order}`,
          label: `${title}, ${orderWords[sortable][order]}`,
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
export function orderText<T>(columns: readonly Column<T>[], { sort, order }: Sorting): string {
  const column = columns.find(({ accessor }) => accessor === sort)
  return column?.sortable === undefined
    ? ''
    : `Sorted by ${column.title}, ${orderWords[column.sortable][order]}`
}
