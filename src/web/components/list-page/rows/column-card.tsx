import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Clipped } from '../clipped.tsx'
import type { CardLines, Column } from '../column.ts'

/** The card of a record whose list has no card of its own: first column and first amount on top, then the others by name. */
export function columnCard<T>(columns: readonly Column<T>[]): (record: T) => CardLines {
  const [first, ...rest] = columns
  const amount = rest.find(({ textAlign }) => textAlign === 'right')
  const others = rest.filter((column) => column !== amount)
  return (record) => ({
    title: first === undefined ? null : cellOf(first, record),
    amount: amount === undefined ? null : cellOf(amount, record),
    amountName: amount?.title ?? '',
    badge: null,
    date: null,
    more: others.map((column) => (
      <Group key={column.accessor} gap="xs" align="flex-start">
        <Text size="sm" c="dimmed">
          {column.title}
        </Text>
        {cellOf(column, record)}
      </Group>
    )),
  })
}

/** What a cell shows. A plain text is cut, so that a long name leaves room for the other columns. */
export function cellOf<T>({ accessor, render }: Column<T>, record: T): ReactNode {
  if (render !== undefined) return render(record)
  const value = record[accessor] ?? null
  if (typeof value === 'number') return value.toLocaleString('en-US')
  return typeof value === 'string' ? <Clipped text={value} /> : String(value ?? '-')
}
