import { expect, test } from 'vitest'
import { on } from '#test/mrr/examples.ts'
import { cadenceOfPeriod, isWholePeriod, monthsLater, monthsOf, periodsLater } from './interval.ts'
import { defaultPolicy } from './policy.ts'
import { textOf, zero } from './rational.ts'

test.each([
  ['month', 1, '1'],
  ['month', 3, '3'],
  ['year', 2, '24'],
  ['week', 1, '3/13'],
  ['day', 1, '12/365'],
])('R1 R2 one %s x %i stands for %s months', (interval, count, months) => {
  expect(textOf(monthsOf({ interval, count }, defaultPolicy) ?? zero)).toBe(months)
})

test('R2 setting: another week factor', () => {
  const four = monthsOf({ interval: 'week', count: 1 }, { ...defaultPolicy, weeksPerMonth: [4, 1] })
  expect(textOf(four ?? zero)).toBe('1/4')
})

test('R1 an interval that is not known, or no whole count, has no divisor', () => {
  expect(monthsOf({ interval: 'decade', count: 1 }, defaultPolicy)).toBeUndefined()
  expect(monthsOf({ interval: 'month', count: 0 }, defaultPolicy)).toBeUndefined()
})

test.each([
  ['2024-01-31', 1, '2024-02-29'],
  ['2025-01-31', 1, '2025-02-28'],
  ['2025-03-31', -1, '2025-02-28'],
  ['2024-02-29', 12, '2025-02-28'],
])('R27 %s and %i months is %s', (from, months, to) => {
  expect(monthsLater(on(from), months)).toBe(on(to))
})

test.each([
  ['2025-02-28', '2025-03-31', 'month', true],
  ['2025-01-20', '2025-02-01', 'month', false],
  ['2024-02-29', '2025-02-28', 'year', true],
  ['2025-01-01', '2025-04-01', 'month', false],
  ['2025-01-01', '2025-01-08', 'week', true],
])('R35 %s to %s is a whole %s: %s', (from, to, interval, isWhole) => {
  expect(isWholePeriod(on(from), on(to), { interval, count: 1 })).toBe(isWhole)
})

test.each([
  ['2025-01-01', '2025-02-01', 'month', 1],
  ['2025-01-31', '2025-02-28', 'month', 1],
  ['2025-01-01', '2025-04-01', 'month', 3],
  ['2024-01-01', '2025-01-01', 'year', 1],
  ['2025-01-01', '2027-01-01', 'year', 2],
  ['2025-01-01', '2025-01-15', 'week', 2],
  ['2025-01-01', '2025-01-02', 'day', 1],
])('R13 a period from %s to %s suggests %s x %i', (from, to, interval, count) => {
  expect(cadenceOfPeriod(on(from), on(to))).toEqual({ interval, count })
})

test('no cadence without a period', () => {
  expect(cadenceOfPeriod(on('2025-01-01'), on('2025-01-01'))).toBeUndefined()
  expect(cadenceOfPeriod(Number.NaN, 0)).toBeUndefined()
})

test('the period before a date', () => {
  expect(periodsLater(on('2025-03-01'), { interval: 'month', count: 2 }, -1)).toBe(on('2025-01-01'))
})
