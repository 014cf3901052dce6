import { expect, it } from 'vitest'
import { coverageOf } from './company-coverage.ts'

const usd = (attachedCents: number, mrrCents: number) => ({ currency: 'usd', mrrCents, attachedCents })

it.each([
  ['nothing', 0, 100, 0],
  ['all', 100, 100, 100],
  ['nearly all is not all', 9_999, 10_000, 99],
  ['nearly nothing is not nothing', 1, 10_000, 1],
  ['a part', 666, 1_000, 66],
  ['no dollars', 0, 0, null],
])('%s', (_, attached, whole, percent) => {
  expect(coverageOf([usd(attached, whole)]).percent).toBe(percent)
})

it('leaves other currencies beside the dollars', () => {
  const euros = { currency: 'eur', mrrCents: 500, attachedCents: 500 }
  expect(coverageOf([euros, usd(0, 100)])).toEqual({
    percent: 0,
    mrrCents: 100,
    attachedCents: 0,
    others: [euros],
  })
})
