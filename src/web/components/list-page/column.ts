import type { ReactNode } from 'react'
import type { TermName } from '../terms/terms.ts'

export type Column<T> = {
  accessor: Extract<keyof T, string>
  title: string
  /** What the title means, for a column that does not sort. */
  term?: TermName
  sortable?: boolean
  textAlign?: 'left' | 'right'
  /** Renders a cell; without it, the cell shows the plain value. */
  render?: (record: T) => ReactNode
}

/** `label` names the record to those who do not see the row. */
export type RowTarget = { to: string; label: string }

/** A record in two lines on a narrow screen: company and amount, badge and date. */
export type CardLines = { title: string; amount: ReactNode; badge: ReactNode; date: ReactNode }
