import { expect, test } from 'vitest'
import { fc } from '#test/fast-check.ts'
import {
  compare,
  minus,
  over,
  plus,
  ratio,
  rationalOfDecimal,
  roundHalfUp,
  textOf,
  times,
  zero,
} from './rational.ts'

const fractions = fc
  .tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.bigInt({ min: 1n, max: 10n ** 9n }))
  .map(([top, bottom]) => ratio(top, bottom))

test.each([
  ['12.5', '25/2'],
  ['-0.25', '-1/4'],
  ['2000', '2000'],
  ['0.000000000001', '1/1000000000000'],
])('reads the decimal %s exactly', (text, exact) => {
  expect(textOf(rationalOfDecimal(text) ?? zero)).toBe(exact)
})

test.each(['', 'abc', '1e3', '1,5', '1.', 'NaN', '9'.repeat(41)])('refuses %j', (text) => {
  expect(rationalOfDecimal(text)).toBeUndefined()
})

test.each([
  [5n, 2n, 3],
  [-5n, 2n, -2],
  [7n, 3n, 2],
  [1n, 2n, 1],
  [-1n, 3n, 0],
])('R28 rounds %i/%i half up to %i', (top, bottom, rounded) => {
  expect(roundHalfUp(ratio(top, bottom))).toBe(rounded)
})

test('sums and products undo each other', () => {
  fc.assert(
    fc.property(fractions, fractions, (a, b) => {
      expect(minus(plus(a, b), b)).toEqual(a)
      if (b.top !== 0n) expect(over(times(a, b), b)).toEqual(a)
      expect(compare(a, b) + compare(b, a)).toBe(0)
    }),
  )
})

test('rounding stays within half of one', () => {
  fc.assert(
    fc.property(fractions, (a) => {
      const gap = minus(ratio(BigInt(roundHalfUp(a)), 1n), a)
      expect(compare(gap, ratio(1n, 2n))).toBeLessThanOrEqual(0)
      expect(compare(gap, ratio(-1n, 2n))).toBeGreaterThan(0)
    }),
  )
})

test('a share of nothing is nothing', () => {
  expect(over(ratio(3n, 1n), zero)).toEqual(zero)
})
