import { expect, it } from 'vitest'
import { dayOfInstant, isoOfInstant } from './instant.ts'
import { monthOfInstant, monthsBetween, nextMonth, startOfMonth } from './month.ts'

const at = (iso: string) => Date.parse(iso) / 1000

it('a month begins on its 1st at 00:00 UTC, to the second', () => {
  expect(isoOfInstant(startOfMonth('2026-03'))).toBe('2026-03-01T00:00:00Z')
  expect(monthOfInstant(at('2026-03-01T00:00:00Z'))).toBe('2026-03')
  expect(monthOfInstant(at('2026-02-28T23:59:59Z'))).toBe('2026-02')
})

it('a year ends in December, and February may have 29 days', () => {
  expect(nextMonth('2025-12')).toBe('2026-01')
  expect(dayOfInstant(startOfMonth(nextMonth('2024-02')) - 1)).toBe('2024-02-29')
})

it('months between two are all of them, or none when the order is wrong', () => {
  expect(monthsBetween('2025-11', '2026-02')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02'])
  expect(monthsBetween('2026-02', '2025-11')).toEqual([])
})
