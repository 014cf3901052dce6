import { expect, test } from 'vitest'
import { line, price } from '#test/mrr/examples.ts'
import { quantityOfLine } from './line-quantity.ts'

const seat = price('seat', 2000)
const tiered = price('tiered', null, 'month', { billingScheme: 'tiered' })
const packs = price('packs', 2000, 'month', { transformQuantity: { divideBy: 10, round: 'up' } })
const gone = undefined

/** A line over January that states no quantity. */
const unstated = (amountCents: number, more: Partial<ReturnType<typeof line>> = {}) => ({
  ...line(seat, 1, { from: '2025-01-01' }),
  ...{ quantity: null, amountCents },
  ...more,
})

test.each([
  ['the units that it states', { ...unstated(6000), quantity: 4 }, seat, 4],
  ['none of the units for the flat fee of a tier', unstated(6000), tiered, 0],
  ['the units that its amount pays for', unstated(6000), seat, 3],
  ['one unit of what costs a part of a unit', unstated(6001), seat, 1],
  ['one unit of what costs nothing', unstated(0), seat, 1],
  [
    'one unit of a part of a period, whose amount shows no units',
    unstated(6000, { isProration: true }),
    seat,
    1,
  ],
  ['one unit of packs, whose amount shows no units', unstated(6000), packs, 1],
  ['the units at its own unit amount where the price is gone', unstated(6000), gone, 3],
  ['one unit where no unit amount is known', unstated(6000, { unitAmountDecimal: null }), gone, 1],
])('a line counts %s', (_, of, known, units) => {
  expect(quantityOfLine(of, known)).toBe(units)
})
