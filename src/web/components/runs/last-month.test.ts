import { expect, test } from 'vitest'
import { lastMonth } from './last-month.ts'

test.each([
  ['2026-08-15T10:20:30.000Z', '2026-07-15T10:20:30.000Z'],
  ['2026-01-05T00:00:00.000Z', '2025-12-05T00:00:00.000Z'],
  ['2026-03-31T00:00:00.000Z', '2026-02-28T00:00:00.000Z'],
  ['2024-03-30T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
])('the month up to %s begins %s', (now, startDate) =>
  expect(lastMonth(new Date(now))).toEqual({ startDate, endDate: now }),
)
