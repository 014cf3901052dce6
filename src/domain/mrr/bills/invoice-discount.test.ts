import { expect, test } from 'vitest'
import { sharesByLargestRemainder } from './invoice-discount.ts'

test.each([
  [100, [1000, 1000, 1000], [34, 33, 33]],
  [5000, [300, 0, 200], [300, 0, 200]],
  [7, [10, 30, 60], [1, 2, 4]],
  [50, [0, 0], [0, 0]],
])('R5 %i spread over %j adds up to the cent and never exceeds a line', (amount, weights, shares) => {
  expect(sharesByLargestRemainder(amount, weights)).toEqual(shares)
})
