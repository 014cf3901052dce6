import { expect, test } from 'vitest'
import { listedProductsMax } from '#contract/lists/filter-options.ts'
import { boughtFields } from './segment-fields.ts'

test('a list of products that is not whole says how to find the others', () => {
  const noteOf = (count: number) => {
    const products = [...Array(count).keys()].map((at) => `Product ${at}`)
    const known = { statuses: [], products: [...products, null], currencies: [], intervals: [] }
    const fields = boughtFields({ ...known, reportingCurrency: 'usd' })
    return fields.find(({ name }) => name === 'product')?.note
  }
  expect(noteOf(listedProductsMax - 1)).toBeUndefined()
  expect(noteOf(listedProductsMax)).toBe('The first 200 are listed. The search of the list finds the others.')
})
