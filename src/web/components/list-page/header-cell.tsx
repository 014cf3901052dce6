import { Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsVertical, IconArrowUp } from '@tabler/icons-react'
import { Term } from '../terms/term.tsx'
import type { TermName } from '../terms/terms.ts'
import type { SortKind } from './column.ts'

export type Sorting = {
  sort: string
  order: 'asc' | 'desc'
  onSort: (change: { sort: string; order: 'asc' | 'desc' }) => void
}

type HeaderCellProps = {
  accessor: string
  title: string
  term?: TermName
  sortable?: SortKind
  textAlign?: 'left' | 'right'
  sorting: Sorting | undefined
  className?: string | undefined
}

/** Shows a column's header. A column that sorts has a button, and aria-sort states the current order. */
export function HeaderCell(props: HeaderCellProps) {
  const { accessor, title, term, sortable, textAlign = 'left', sorting, className } = props
  if (sortable === undefined || sorting === undefined) {
    return (
      <Table.Th scope="col" ta={textAlign} className={className}>
        {term === undefined ? title : <Term name={term}>{title}</Term>}
      </Table.Th>
    )
  }
  const order = sorting.sort === accessor ? sorting.order : null
  const lastWord = title.lastIndexOf(' ') + 1
  const [before, last] = [title.slice(0, lastWord), title.slice(lastWord)]
  const Icon = order === null ? IconArrowsVertical : order === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <Table.Th
      scope="col"
      aria-sort={order === null ? 'none' : sortWords[order]}
      ta={textAlign}
      className={className}
    >
      <UnstyledButton
        display="block"
        mih={24}
        ta={textAlign}
        w="100%"
        fz="inherit"
        fw="inherit"
        onClick={() => sorting.onSort({ sort: accessor, order: otherOrder(order ?? lastOrder[sortable]) })}
      >
        {before}
        {/* The arrow stays with the last word, where the title takes two lines. */}
        <span style={{ whiteSpace: 'nowrap' }}>
          {last}
          <Icon
            size={14}
            aria-hidden
            opacity={order === null ? 0.4 : 1}
            style={{ marginInlineStart: 4, verticalAlign: 'text-bottom' }}
          />
        </span>
      </UnstyledButton>
    </Table.Th>
  )
}

/** The order that a column gets second: a first press sorts amounts from the highest, losses from the largest, texts and days from the first. */
const lastOrder = { amount: 'asc', loss: 'desc', date: 'desc', text: 'desc' } as const

function otherOrder(order: Sorting['order']): Sorting['order'] {
  return order === 'asc' ? 'desc' : 'asc'
}

const sortWords = { asc: 'ascending', desc: 'descending' } as const
