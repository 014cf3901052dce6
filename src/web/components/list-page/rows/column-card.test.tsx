import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { eventsColumns } from '../../../screens/events/events-columns.tsx'
import {
  operatorEventColumns,
  operatorSubscriptionColumns,
} from '../../../screens/operator/operator-columns.tsx'
import type { Column } from '../column.ts'
import { cellOf } from './column-card.tsx'

const long = 'W'.repeat(200)

it('cuts the plain texts of a table, so that a long one leaves room for the other columns', () => {
  const isPlain = ({ render: own }: { render?: unknown }) => own === undefined
  const columns: Column<Record<string, unknown>>[] = [
    ...operatorSubscriptionColumns,
    ...operatorEventColumns,
    ...eventsColumns,
  ]
    .filter(isPlain)
    .map(({ accessor, title }) => ({ accessor, title }))
  expect(columns.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['Company', 'Product', 'Customer Domain']),
  )
  for (const column of columns) {
    const cell = render(cellOf(column, { [column.accessor]: long }))
    expect(cell.container.querySelector('[data-clipped]')?.textContent, column.title).toBe(long)
    cell.unmount()
  }
})

it('parts the thousands of a number, and shows a dash for nothing', () => {
  const column = { accessor: 'count', title: 'Count' } as const
  expect(cellOf<{ count: number | null }>(column, { count: 12_000 })).toBe('12,000')
  expect(cellOf<{ count: number | null }>(column, { count: null })).toBe('-')
})
