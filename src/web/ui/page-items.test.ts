import { expect, test } from 'vitest'
import { fc } from '#test/fast-check.ts'
import { pageItems } from './page-items.ts'

const shown = (page: number, totalPages: number) =>
  pageItems(page, totalPages)
    .map((item) => ('page' in item ? item.page : '…'))
    .join(' ')

test.each([
  [1, 0, ''],
  [1, 1, '1'],
  [3, 5, '1 2 3 4 5'],
  [1, 6, '1 2 … 6'],
  [3, 6, '1 2 3 4 … 6'],
  [4, 6, '1 … 3 4 5 6'],
  [6, 6, '1 … 5 6'],
  [50, 100, '1 … 49 50 51 … 100'],
])('page %i of %i', (page, totalPages, text) => expect(shown(page, totalPages)).toBe(text))

test('first, last and current page are always there, in order, and few', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.nat(), (totalPages, seed) => {
      const page = (seed % totalPages) + 1
      const pages = pageItems(page, totalPages).flatMap((item) => ('page' in item ? [item.page] : []))
      expect(pages).toContain(1)
      expect(pages).toContain(page)
      expect(pages).toContain(totalPages)
      expect(pages).toEqual([...new Set(pages)].toSorted((a, b) => a - b))
      expect(pages.length).toBeLessThanOrEqual(5)
    }),
  )
})
