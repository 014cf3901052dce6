import { Table } from '@mantine/core'
import type { MouseEvent } from 'react'
import { Link } from 'react-router'
import type { Column, RowTarget } from './column.ts'
import { useListAddress } from './list-address.ts'
import classes from './records-table.module.css'

type RecordRowProps<T> = {
  record: T
  columns: Column<T>[]
  target: RowTarget | null
  open: (() => void) | undefined
}

/** A click on a link or button inside a row, or one that ends a text selection, is not a click on the row. */
function isForRow(event: MouseEvent): boolean {
  const isOnControl = event.target instanceof Element && event.target.closest('a, button, input') !== null
  return !isOnControl && window.getSelection()?.isCollapsed !== false
}

/** Shows a record. A row that leads somewhere is one real link: it opens in a new tab, and Tab stops at it once. */
export function RecordRow<T>({ record, columns, target, open }: RecordRowProps<T>) {
  const state = useListAddress()
  const isActive = open !== undefined || target !== null
  return (
    <tr
      className={`${Table.classes.tr} ${classes.row}`}
      data-with-row-border
      data-hover={isActive || undefined}
      {...(open === undefined
        ? {}
        : {
            onClick: (event: MouseEvent) => {
              if (isForRow(event)) open()
            },
          })}
      style={{ cursor: isActive ? 'pointer' : 'default' }}
    >
      {columns.map(({ accessor, textAlign = 'left', render }, at) => (
        <td
          key={accessor}
          className={at === 0 ? `${Table.classes.td} ${classes.first}` : Table.classes.td}
          style={{ textAlign }}
        >
          {target !== null && at === 0 ? (
            <Link to={target.to} state={state} className={classes.link} aria-label={target.label} />
          ) : null}
          {render === undefined ? String(record[accessor] ?? '-') : render(record)}
          {target !== null && at === columns.length - 1 && at > 0 ? (
            <Link to={target.to} state={state} className={classes.rest} tabIndex={-1} aria-hidden />
          ) : null}
        </td>
      ))}
    </tr>
  )
}
