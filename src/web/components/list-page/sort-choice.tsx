import { NativeSelect } from '@mantine/core'
import type { Column } from './column.ts'
import type { Sorting } from './header-cell.tsx'

type SortChoiceProps<T> = { columns: readonly Column<T>[]; sorting: Sorting }

/** Sorts a list that shows cards, which have no headers. */
export function SortChoice<T>({ columns, sorting }: SortChoiceProps<T>) {
  const orders = [
    { order: 'desc', words: 'highest or latest first' },
    { order: 'asc', words: 'lowest or earliest first' },
  ] as const
  const choices = columns
    .filter(({ sortable }) => sortable)
    .flatMap(({ accessor, title }) =>
      orders.map(({ order, words }) => ({ value: `${accessor} ${order}`, label: `${title}, ${words}` })),
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
