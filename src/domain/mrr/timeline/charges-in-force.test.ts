import { expect, test } from 'vitest'
import { invoice, line, on, price } from '#test/mrr/examples.ts'
import type { Charge, Credit } from '../bills/bill.ts'
import { chargeInForce } from './charges-in-force.ts'

const pro = price('pro', 2000)
const day = '2025-01-16'
const at = on(day)
const partial = { from: day, to: '2025-02-01', isProration: true }

const charge = (quantity: number, more: Partial<Charge> = {}): Charge => {
  const billed = line(pro, quantity, partial)
  const { periodEnd: until, priceId, productId, amountCents, discountCents, inclusiveTaxCents } = billed
  return {
    ...{ at, until, itemKey: 'si_1', invoice: invoice(day, [billed]), lines: [billed], price: pro },
    ...{ priceId, productId, isProration: true, quantity, amountCents },
    ...{ discountCents, discountIds: [], inclusiveTaxCents },
    ...more,
  }
}
const credit = (quantity: number): Credit => {
  const returned = line(pro, quantity, { ...partial, isCredit: true, amountCents: -1000 * quantity })
  return { at, itemKey: 'si_1', invoice: invoice(day, [returned]), line: returned, quantity }
}
type Second = { prior?: number; credits?: number[]; charges: Charge[] }

test.each<[string, Second, number]>([
  ['the only charge', { prior: 1, credits: [1], charges: [charge(3)] }, 3],
  [
    'the last charge, where one credit closes what was before',
    { prior: 1, credits: [1], charges: [charge(1), charge(3)] },
    3,
  ],
  [
    'the charge of a reversal, not the change that it took back',
    { prior: 1, credits: [1, 3], charges: [charge(1), charge(3)] },
    1,
  ],
  [
    'what no credit takes back, where none closes what was before',
    { credits: [3, 2], charges: [charge(5), charge(3), charge(2)] },
    5,
  ],
  [
    'a renewal, which no credit takes back',
    { credits: [1, 3], charges: [charge(1), charge(3, { isProration: false })] },
    3,
  ],
  [
    'one charge, however much is taken back',
    { prior: 9, credits: [3, 3], charges: [charge(3), charge(3)] },
    3,
  ],
  [
    'no charge of 0 at the terms before, which is a credit',
    { prior: 1, charges: [charge(3), charge(1, { amountCents: 0 })] },
    3,
  ],
])('R37 within a second applies %s', (_, { prior, credits = [], charges }, quantity) => {
  const before = prior === undefined ? undefined : { priceId: pro.id, quantity: prior }
  expect(chargeInForce(charges, credits.map(credit), before)?.quantity).toBe(quantity)
})

test('R37 the order in which credits arrive decides nothing', () => {
  const charges = [charge(2), charge(3)]
  const applied = [
    [2, 3],
    [3, 2],
  ].map((credits) => chargeInForce(charges, credits.map(credit), undefined)?.quantity)
  expect(new Set(applied).size).toBe(1)
})
