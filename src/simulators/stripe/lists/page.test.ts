import { expect, test } from 'vitest'
import { Collection } from '../world/collection.ts'
import { cutPage, type PageRequest } from './page.ts'

const everything = { fromSeconds: Number.NEGATIVE_INFINITY, toSeconds: Number.POSITIVE_INFINITY }

/** Thirty rows, three to a second, so that every page border can fall inside a second. */
const rows = Array.from({ length: 30 }, (_, index) => ({
  id: `row_${String(index).padStart(2, '0')}`,
  object: 'row',
  created: 100 + Math.floor(index / 3),
  odd: index % 2 === 1,
}))
const collection = new Collection(rows)
const newestFirst = collection.rows.map((row) => row.id)

function walk(change: Partial<PageRequest>, direction: 'startingAfter' | 'endingBefore') {
  const seen: string[] = []
  let cursor = direction === 'endingBefore' ? collection.rows.at(-1) : undefined
  for (;;) {
    const page = cutPage(collection.rows, {
      limit: 4,
      created: everything,
      keep: () => true,
      ...change,
      [direction]: cursor,
    })
    const ids = page.data.map((row) => row.id)
    if (direction === 'endingBefore') seen.unshift(...ids)
    else seen.push(...ids)
    if (!page.hasMore) return seen
    cursor = direction === 'endingBefore' ? page.data[0] : page.data.at(-1)
  }
}

test('rows stand newest first, and within a second in no order of their ids', () => {
  const seconds = collection.rows.map(({ created }) => created)
  expect(seconds).toEqual(seconds.toSorted((a, b) => b - a))
  expect([rows.map(({ id }) => id), rows.toReversed().map(({ id }) => id)]).not.toContainEqual(newestFirst)
})

test.each([1, 2, 3, 4, 7, 29, 30, 31])('pages of %i cover every row once, both ways', (limit) => {
  expect(walk({ limit }, 'startingAfter')).toEqual(newestFirst)
  expect(walk({ limit }, 'endingBefore')).toEqual(newestFirst.slice(0, -1))
})

test('rows that are not kept are neither shown nor counted as more', () => {
  const odd = newestFirst.filter((id) => Number(id.slice(4)) % 2 === 1)
  expect(walk({ keep: (row) => row['odd'] === true }, 'startingAfter')).toEqual(odd)
  const page = cutPage(collection.rows, {
    limit: 15,
    created: everything,
    keep: (row) => row['odd'] === true,
  })
  expect(page.hasMore).toBe(false)
})

test('a window takes whole seconds, both ends included', () => {
  const created = { fromSeconds: 102, toSeconds: 103 }
  expect(walk({ created }, 'startingAfter').toSorted()).toEqual([
    'row_06',
    'row_07',
    'row_08',
    'row_09',
    'row_10',
    'row_11',
  ])
})
