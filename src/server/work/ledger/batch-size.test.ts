import { expect, it } from 'vitest'
import { createBatchSize, invoicesMax } from './batch-size.ts'

it('as many customers are taken as there was room for, and more again where they have fewer invoices', () => {
  const portion = createBatchSize()
  const sizes = [portion.size()]
  for (const batch of [
    { customers: 60, invoices: invoicesMax, wasCut: true },
    { customers: 60, invoices: invoicesMax / 2, wasCut: false },
    ...Array.from({ length: 6 }, () => ({ customers: 1, invoices: 2 * invoicesMax, wasCut: true })),
    ...Array.from({ length: 8 }, () => ({ customers: 1, invoices: 10, wasCut: false })),
  ]) {
    portion.follow(batch)
    sizes.push(portion.size())
  }
  expect(sizes).toEqual([100, 60, 60, 30, 15, 7, 3, 1, 1, 2, 4, 8, 16, 32, 64, 100, 100])
})
