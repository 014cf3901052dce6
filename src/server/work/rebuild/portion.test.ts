import { expect, it } from 'vitest'
import { createPortion, customersMax, invoicesMax } from './portion.ts'

it('as many customers are taken as there was room for, and more again where they have fewer invoices', () => {
  const portion = createPortion()
  const taken = [portion.customersMax()]
  for (const batch of [
    { customers: 30, invoices: invoicesMax, wasCut: true },
    { customers: 30, invoices: invoicesMax / 2, wasCut: false },
    { customers: 1, invoices: 2 * invoicesMax, wasCut: true },
    ...Array.from({ length: 8 }, () => ({ customers: 1, invoices: 10, wasCut: false })),
  ]) {
    portion.follow(batch)
    taken.push(portion.customersMax())
  }
  expect(taken).toEqual([customersMax, 30, 30, 1, 2, 4, 8, 16, 32, 64, customersMax, customersMax])
})
