import { expect, test } from 'vitest'
import { fc } from '#test/fast-check.ts'
import { isNamed, niceTicks, timeTicks } from './ticks.ts'

test.each([
  [[], [0]],
  [[0], [0]],
  [
    [3_809_300, -120_000],
    [-1_000_000, 0, 1_000_000, 2_000_000, 3_000_000, 4_000_000],
  ],
  [
    [9, 3],
    [0, 2.5, 5, 7.5, 10],
  ],
])('%o has the ticks %o', (values, ticks) => expect(niceTicks(values)).toEqual(ticks))

test('ticks cover every value and zero, by equal steps, and are few', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e12, max: 1e12 }), { minLength: 1 }), (values) => {
      const ticks = niceTicks(values)
      expect(ticks).toContain(0)
      expect(Math.min(...values)).toBeGreaterThanOrEqual(ticks[0] ?? Number.NaN)
      expect(Math.max(...values)).toBeLessThanOrEqual(ticks.at(-1) ?? Number.NaN)
      expect(ticks.length).toBeLessThanOrEqual(7)
    }),
  )
})

test('an axis names the last of any number of points, at equal distances', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 12 }), (count, most) => {
      const named = [...Array(count).keys()].filter((index) => isNamed(index, count, most))
      expect(named.at(-1)).toBe(count - 1)
      expect(named.length).toBeLessThanOrEqual(most)
      expect(new Set(named.slice(1).map((index, at) => index - (named[at] ?? 0))).size).toBeLessThan(2)
    }),
  )
})

test.each([
  [
    '2024-11-20',
    '2026-11-29',
    [
      '2025-02-01',
      '2025-05-01',
      '2025-08-01',
      '2025-11-01',
      '2026-02-01',
      '2026-05-01',
      '2026-08-01',
      '2026-11-01',
    ],
  ],
  ['2026-11-20', '2026-11-29', ['2026-11-21', '2026-11-23', '2026-11-25', '2026-11-27', '2026-11-29']],
  ['2026-11-29', '2026-11-29', ['2026-11-29']],
])('the time from %s to %s is named to its end', (first, last, expected) => {
  const { ticks } = timeTicks(Date.parse(first), Date.parse(last), 8)
  expect(ticks.map((tick) => new Date(tick).toISOString().slice(0, 10))).toEqual(expected)
})
