import type { ReactNode } from 'react'
import type { TermName } from '../terms/terms.ts'

/** `loss` is an amount that is never positive: its lowest is the largest loss. */
export type SortKind = 'amount' | 'loss' | 'date' | 'text'

export type Column<T> = {
  accessor: Extract<keyof T, string>
  title: string
  /** What the title means, for a column that does not sort. */
  term?: TermName
  /** Says what the column sorts by, for the words of its order; a column without it does not sort. */
  sortable?: SortKind
  /** Whether it sorts by amounts of several currencies, which are compared in the currency of totals. */
  isMoney?: boolean
  textAlign?: 'left' | 'right'
  /** Renders a cell; without it, the cell shows the plain value. */
  render?: (record: T) => ReactNode
}

/** `label` names the record to those who do not see the row. */
export type RowTarget = { to: string; label: string }

/** A record on a narrow screen: title and amount, below them badge and date, and then what takes lines of its own. */
export type CardLines = {
  title: ReactNode
  amount: ReactNode
  /** Names the amount to those who do not see where it stands. */
  amountName: string
  badge: ReactNode
  date: ReactNode
  more?: ReactNode
}
