import { expect, test } from 'vitest'
import { percentOf } from './percent.ts'

test.each([
  [0, 0, 0],
  [5, 0, 0],
  [1, 3, 33],
  [2, 3, 67],
  [3, 3, 100],
  [4, 3, 100],
])('%i of %i is %i %%', (processed, total, percent) => expect(percentOf(processed, total)).toBe(percent))
