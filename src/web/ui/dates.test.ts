import { expect, test } from 'vitest'
import { daysUntil, formatDay, formatDayAhead, formatDuration, formatMonth } from './dates.ts'

test('a day is read in UTC, whatever zone the reader is in', () => {
  expect(formatDay('2026-08-01T00:00:00.000Z')).toBe('Aug 1, 2026')
  expect(formatDay('2026-08-01T23:59:59.000Z')).toBe('Aug 1, 2026')
  expect(formatDay('2026-08-01')).toBe('Aug 1, 2026')
})

test('a missing date reads N/A, an unreadable one stays as it is', () => {
  expect(formatDay(null)).toBe('N/A')
  expect(formatDay('soon')).toBe('soon')
})

test('a month', () => expect(formatMonth('2026-01')).toBe('Jan 2026'))

test('days until a day count calendar days, not hours', () => {
  expect(daysUntil('2026-08-02', new Date('2026-08-01T23:59:00Z'))).toBe(1)
  expect(daysUntil('2026-08-01', new Date('2026-08-01T23:59:00Z'))).toBe(0)
  expect(daysUntil('2026-07-31', new Date('2026-08-01T00:00:00Z'))).toBe(-1)
})

test.each([
  ['2026-08-04', '2026-08-04 (in 3 days)'],
  ['2026-08-02', '2026-08-02 (in 1 day)'],
  ['2026-08-01', '2026-08-01'],
  ['2026-07-01', '2026-07-01'],
])('a renewal on %s reads %s', (day, text) => {
  expect(formatDayAhead(day, new Date('2026-08-01T12:00:00Z'))).toBe(text)
})

test.each([
  ['2026-08-01T00:00:00Z', '0s'],
  ['2026-08-01T00:00:59Z', '59s'],
  ['2026-08-01T00:01:00Z', '1m 0s'],
  ['2026-08-01T01:02:03Z', '62m 3s'],
  [null, 'In progress'],
])('a run that ended at %s took %s', (endedAt, text) => {
  expect(formatDuration('2026-08-01T00:00:00Z', endedAt)).toBe(text)
})
