import { Table } from '@mantine/core'
import { useRef } from 'react'
import { Link } from 'react-router'
import type { Column, RowTarget } from '../column.ts'
import { useListAddress } from '../list-address.ts'
import { cellOf } from './column-card.tsx'
import classes from './records-table.module.css'
import { linkClicks, rowClicks } from './row-clicks.ts'

type RecordRowProps<T> = {
  record: T
  columns: Column<T>[]
  target: RowTarget | null
  open: (() => void) | undefined
  /** Whether the address names it. */
  isCurrent: boolean
}

/** Shows a record. A row that leads somewhere is one real link: it opens in a new tab, and Tab stops at it once. */
export function RecordRow<T>({ record, columns, target, open, isCurrent }: RecordRowProps<T>) {
  const state = useListAddress()
  const link = useRef<HTMLAnchorElement>(null)
  const isActive = open !== undefined || target !== null
  return (
    <tr
      className={`${Table.classes.tr} ${classes.row}`}
      data-with-row-border
      data-hover={isActive || undefined}
      aria-current={isCurrent || undefined}
      {...(target === null ? rowClicks(open) : linkClicks(link))}
      style={{ cursor: isActive ? 'pointer' : 'default' }}
    >
      {columns.map((column, at) => (
        <td
          key={column.accessor}
          className={at === 0 ? `${Table.classes.td} ${classes.first}` : Table.classes.td}
          style={{ textAlign: column.textAlign ?? 'left' }}
        >
          {target !== null && at === 0 ? (
            <Link
              ref={link}
              to={target.to}
              state={state}
              className={classes.link}
              aria-label={target.label}
            />
          ) : null}
          {cellOf(column, record)}
          {target !== null && at === columns.length - 1 && at > 0 ? (
            <Link to={target.to} state={state} className={classes.rest} tabIndex={-1} aria-hidden />
          ) : null}
        </td>
      ))}
    </tr>
  )
}
