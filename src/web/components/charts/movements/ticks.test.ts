import { expect, test } from 'vitest'
import { fc } from '#test/fast-check.ts'
import { niceTicks } from './ticks.ts'

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
