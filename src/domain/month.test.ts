import { expect, it, test } from 'vitest'
import { addDays, type Day } from './date-range.ts'
import { dayOfInstant, isoOfInstant } from './instant.ts'
import { lastDayOf, monthOfInstant, monthsBetween, nextMonth, startOfMonth, wholeMonths } from './month.ts'

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

test.each([
  ['2024-02', '2024-02-29'],
  ['2025-02', '2025-02-28'],
  ['2025-12', '2025-12-31'],
])('%s ends on %s', (month, day) => expect(lastDayOf(month)).toBe(day))

test.each([
  ['all days', null, null, { from: null, to: null }, []],
  ['whole months', '2025-02-01', '2025-03-31', { from: '2025-02', to: '2025-03' }, []],
  ['one month', '2024-02-01', '2024-02-29', { from: '2024-02', to: '2024-02' }, []],
  [
    'a cut month on either side',
    '2025-01-31',
    '2025-04-01',
    { from: '2025-02', to: '2025-03' },
    ['2025-01-31 2025-01-31', '2025-04-01 2025-04-01'],
  ],
  ['a cut start', '2025-12-02', null, { from: '2026-01', to: null }, ['2025-12-02 2025-12-31']],
  ['a cut end', null, '2026-01-30', { from: null, to: '2025-12' }, ['2026-01-01 2026-01-30']],
  ['days of one month', '2025-03-02', '2025-03-30', null, ['2025-03-02 2025-03-30']],
  ['days of two months', '2025-03-02', '2025-04-29', null, ['2025-03-02 2025-04-29']],
])('whole months and the days beside them: %s', (_name, from, to, months, beside) => {
  const found = wholeMonths({ from, to })
  expect(found.months).toEqual(months)
  expect(found.beside.map((days) => `${days.from} ${days.to}`)).toEqual(beside)
})

it('whole months and the days beside them are each day of the range once', () => {
  const start = '2023-12-20'
  for (let first = 0; first < 70; first += 3)
    for (let length = 0; length < 100; length += 1) {
      const from = addDays(start, first)
      const { months, beside } = wholeMonths({ from, to: addDays(from, length) })
      const ofMonths = months === null ? [] : monthsBetween(months.from ?? '', months.to ?? '')
      const parts = [...ofMonths.map((month) => ({ from: `${month}-01`, to: lastDayOf(month) })), ...beside]
      const days = parts.flatMap((part) => daysFrom(part.from, part.to)).toSorted()
      expect(days).toEqual(daysFrom(from, addDays(from, length)))
    }
})

function daysFrom(from: Day, to: Day): Day[] {
  const days: Day[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}
