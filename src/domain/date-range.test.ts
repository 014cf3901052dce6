import { describe, expect, it, test } from 'vitest'
import { fc } from '#test/fast-check.ts'
import {
  addDays,
  type DayRange,
  daysOfRange,
  isDay,
  periodBefore,
  type RangeChoice,
  rangeNames,
  readRange,
} from './date-range.ts'

const today = '2026-11-27'
const none = { range: null, from: null, to: null }

test.each<[RangeChoice, DayRange, DayRange | null]>([
  [{ name: '30d' }, { from: '2026-10-29', to: today }, { from: '2026-09-29', to: '2026-10-28' }],
  [{ name: '90d' }, { from: '2026-08-30', to: today }, { from: '2026-06-01', to: '2026-08-29' }],
  [{ name: '12m' }, { from: '2025-12-01', to: today }, { from: '2024-12-01', to: '2025-11-27' }],
  [{ name: 'ytd' }, { from: '2026-01-01', to: today }, { from: '2025-01-01', to: '2025-11-27' }],
  [{ name: 'all' }, { from: null, to: null }, null],
  [custom('2026-03-01', '2026-03-31'), days('2026-03-01', '2026-03-31'), days('2026-02-01', '2026-02-28')],
  [custom('2026-02-01', '2026-02-28'), days('2026-02-01', '2026-02-28'), days('2026-01-01', '2026-01-31')],
  [custom('2026-03-01', '2026-03-15'), days('2026-03-01', '2026-03-15'), days('2026-02-01', '2026-02-15')],
  [custom('2026-03-05', '2026-03-05'), days('2026-03-05', '2026-03-05'), days('2026-03-04', '2026-03-04')],
  [custom('1970-01-02', '1970-01-03'), days('1970-01-02', '1970-01-03'), null],
  [custom('2026-03-01', null), { from: '2026-03-01', to: null }, null],
  [custom(null, '2026-03-31'), { from: null, to: '2026-03-31' }, null],
  [custom('1970-01-01', '9999-12-31'), days('1970-01-01', '9999-12-31'), null],
])('%o is %o, and follows %o', (choice, range, before) => {
  expect(daysOfRange(choice, today)).toEqual(range)
  expect(periodBefore(choice, today)).toEqual(before)
})

test('the year to date of a leap day is compared with the last day of February', () => {
  expect(periodBefore({ name: 'ytd' }, '2024-02-29')).toEqual({ from: '2023-01-01', to: '2023-02-28' })
})

describe('reading a range', () => {
  it('takes every name, days, and the fallback without either', () => {
    for (const name of rangeNames) expect(readRange({ ...none, range: name }, 'all').choice).toEqual({ name })
    expect(readRange(none, '12m').choice).toEqual({ name: '12m' })
    const both = { range: '30d', from: '2026-01-01', to: '2026-01-31' }
    expect(readRange(both, 'all').choice).toEqual(custom('2026-01-01', '2026-01-31'))
    expect(readRange({ ...none, from: '2026-01-01' }, 'all').choice).toEqual(custom('2026-01-01', null))
    expect(readRange({ ...none, from: '', to: '2026-01-31' }, '30d').choice).toEqual(
      custom(null, '2026-01-31'),
    )
  })

  it.each([
    [{ ...none, range: 'forever' }, "There is no date range 'forever'."],
    [{ ...none, range: '' }, "There is no date range ''."],
    [{ ...none, from: '2026-02-30', to: '2026-03-01' }, "'2026-02-30' is not a day."],
    [{ ...none, from: '1969-12-31', to: '2026-03-01' }, "'1969-12-31' is not a day."],
    [{ ...none, from: '0001-01-01' }, "'0001-01-01' is not a day."],
    [{ ...none, from: '2026-01-01', to: '2200-01-01' }, "'2200-01-01' is not a day."],
    [{ ...none, from: '2026-01-01', to: 'x'.repeat(3000) }, `'${'x'.repeat(40)}' is not a day.`],
    [{ ...none, from: '', to: '' }, 'A date range needs a first or a last day.'],
    [{ ...none, from: '', to: '2026-02-30' }, "'2026-02-30' is not a day."],
    [
      { ...none, from: '2026-05-01', to: '2026-04-01' },
      'The date range starts on 2026-05-01, after it ends on 2026-04-01.',
    ],
  ])('says why %o is none', (text, problem) => {
    expect(readRange(text, 'all')).toEqual({ choice: null, problem: expect.stringContaining(problem) })
  })
})

test('30 and 90 days are compared with the days right before them, also from the 1st of a month', () => {
  expect(periodBefore({ name: '90d' }, '2026-11-29')).toEqual(days('2026-06-03', '2026-08-31'))
  expect(periodBefore({ name: '30d' }, '2026-01-30')).toEqual(days('2025-12-02', '2025-12-31'))
})

const anyDay = fc.integer({ min: 0, max: 40_000 }).map((number) => addDays('1990-01-01', number))

test('the period before ends before the range, and takes as long within a month’s difference of days', () => {
  fc.assert(
    fc.property(anyDay, anyDay, (one, other) => {
      const [from, to] = [one, other].sort() as [string, string]
      const before = periodBefore(custom(from, to), today)
      if (before === null) return
      expect(isDay(before.from) && isDay(before.to)).toBe(true)
      expect(before.to < from && before.from <= before.to).toBe(true)
      if (!from.endsWith('-01')) expect(addDays(before.to, 1)).toBe(from)
      const length = (range: { from: string; to: string }) => Date.parse(range.to) - Date.parse(range.from)
      expect(Math.abs(length(before) - length({ from, to }))).toBeLessThanOrEqual(4 * 86_400_000)
    }),
  )
})

function custom(from: string | null, to: string | null): RangeChoice {
  return { name: 'custom', from, to }
}

function days(from: string, to: string): DayRange {
  return { from, to }
}
