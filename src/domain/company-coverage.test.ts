import { expect, it } from 'vitest'
import { percentAttached } from './company-coverage.ts'

it.each([
  ['nothing', 0, 100, 0],
  ['all', 100, 100, 100],
  ['nearly all is not all', 9_999, 10_000, 99],
  ['nearly nothing is not nothing', 1, 10_000, 1],
  ['a part', 666, 1_000, 66],
  ['no MRR', 0, 0, null],
])('%s', (_, attachedCents, mrrCents, percent) => {
  expect(percentAttached({ mrrCents, attachedCents })).toBe(percent)
})
