import { expect, it } from 'vitest'
import { createRandom } from '#simulators/worlds/numbers/random.ts'
import { createSeenIds } from './seen-ids.ts'

const idsFrom = (first: number, count: number) => Array.from({ length: count }, (_, n) => String(first + n))

it('tells what stands in one reading alone, in whatever order they come, and little beside it', () => {
  const random = createRandom(7)
  const shuffled = (ids: readonly string[]) => {
    const places = new Map(ids.map((id) => [id, random.next()]))
    return ids.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
  }
  const known = idsFrom(24_180_001_000_000, 200_000)
  const gone = new Set(shuffled(known).slice(0, 300))
  const seen = createSeenIds()
  for (const id of shuffled(known.filter((one) => !gone.has(one)))) seen.add(id)
  for (const id of known) seen.add(id)
  const odd = known.filter((id) => seen.isOdd(id))
  expect(seen.isEven()).toBe(false)
  expect(odd.filter((id) => gone.has(id))).toHaveLength(gone.size)
  expect(odd.length).toBeLessThan(gone.size * 3)
})

it('has nothing to tell of two readings that are the same', () => {
  const ids = idsFrom(1, 50_000)
  const seen = createSeenIds()
  for (const id of [...ids, ...ids.toReversed()]) seen.add(id)
  expect(seen.isEven()).toBe(true)
  expect(ids.some((id) => seen.isOdd(id))).toBe(false)
})
