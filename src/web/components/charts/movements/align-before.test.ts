import { expect, test } from 'vitest'
import { daysOfRange, periodBefore, type RangeChoice } from '#domain/date-range.ts'
import { type MonthMovement, type MovementInterval, periodsOf } from '#domain/movement.ts'
import { alignBefore } from './align-before.ts'

const none: MonthMovement[] = []
const custom = (from: string, to: string): RangeChoice => ({ name: 'custom', from, to })

/** What is beside each bar of a range, where the answer before begins on a day. */
function besideOf(choice: RangeChoice, today: string, interval: MovementInterval, begins = '1970-01-01') {
  const { from, to } = daysOfRange(choice, today)
  const before = periodBefore(choice, today)
  if (from === null || to === null || before === null) throw new Error('the range has no period before')
  const covered = { from: before.from > begins ? before.from : begins, to: before.to }
  const cut = { from, to: to < today ? to : today }
  const beside = alignBefore(
    { days: { from, to }, periods: periodsOf(none, cut, interval, today) },
    {
      days: before,
      periods: covered.from > covered.to ? [] : periodsOf(none, covered, interval, today),
    },
    interval,
  )
  return typeof beside === 'string' ? beside : beside.map((period) => period?.name)
}

test.each<[string, RangeChoice, string, MovementInterval, string[] | string]>([
  ['the same months before', { name: '12m' }, '2026-02-10', 'month', months('2024-03', 12)],
  ['the same months a year earlier', { name: 'ytd' }, '2026-03-01', 'month', months('2025-01', 3)],
  [
    'two ends of months each',
    custom('2026-01-10', '2026-02-08'),
    '2026-11-29',
    'month',
    months('2025-12', 2),
  ],
  ['one month before the ends of two', { name: '30d' }, '2026-11-29', 'month', 'other bars'],
  ['one month before three', { name: '30d' }, '2026-03-01', 'month', 'other bars'],
  ['ends of two before one month', custom('2026-05-02', '2026-05-31'), '2026-11-29', 'month', 'other bars'],
  ['a quarter before two', custom('2026-03-01', '2026-04-30'), '2026-11-29', 'quarter', 'other bars'],
  ['two quarters each', custom('2026-02-01', '2026-04-30'), '2026-11-29', 'quarter', ['2025-Q4', '2026-Q1']],
])('%s', (_, choice, today, interval, beside) => {
  expect(besideOf(choice, today, interval)).toEqual(beside)
})

test('where MRR began later, the first bars have nothing beside them', () => {
  expect(besideOf({ name: 'ytd' }, '2026-04-10', 'month', '2025-03-01')).toEqual([
    undefined,
    undefined,
    '2025-03',
    '2025-04',
  ])
  // It began in the second of two months, and the range is in one.
  const two = custom('2026-05-02', '2026-05-31')
  expect(besideOf(two, '2026-11-29', 'month', '2026-05-01')).toBe('other bars')
  expect(besideOf(two, '2026-11-29', 'month', '2026-06-01')).toBe('nothing')
})

test('days to come have no bar, and what was before them is beside none', () => {
  const choice = custom('2026-10-01', '2026-12-31')
  expect(besideOf(choice, '2026-11-29', 'month')).toEqual(['2026-07', '2026-08'])
  expect(besideOf(choice, '2026-11-29', 'month', '2026-09-01')).toBe('other bars')
})

function months(first: string, count: number): string[] {
  const [year = 0, month = 1] = first.split('-').map(Number)
  return Array.from({ length: count }, (_, at) =>
    new Date(Date.UTC(year, month - 1 + at, 1)).toISOString().slice(0, 7),
  )
}
