import { expect, test } from 'vitest'
import { matching, places } from './places.ts'

test.each([
  ['', places.length],
  ['sync', 3],
  ['hist sy', 1],
  ['ync', 0],
  ['what changed', 1],
  ['retry', 1],
  ['failed', 1],
  ['api key', 1],
])('%j finds %i screens', (query, count) => expect(matching(places, query)).toHaveLength(count))

test('no two screens have one key', () => {
  const keys = places.flatMap(({ key }) => key ?? [])
  expect(new Set(keys).size).toBe(keys.length)
})
