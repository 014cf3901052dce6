import { expect, test } from 'vitest'
import { liftAbove } from './lift-above.ts'

const toast = { left: 660, right: 1000, top: 700, bottom: 800 }
const at = (top: number, bottom: number, left = 800, right = 900) => ({ left, right, top, bottom })

test('stays at the bottom where it covers nothing', () => {
  expect(liftAbove(toast, [], 800)).toBe(0)
  expect(liftAbove(toast, [at(750, 780, 0, 660), at(600, 700), at(800, 850)], 800)).toBe(0)
})

test('rises above what it would cover, and then above what it would cover there', () => {
  expect(liftAbove(toast, [at(750, 780)], 800)).toBe(50)
  expect(liftAbove(toast, [at(660, 690), at(750, 780)], 800)).toBe(140)
  expect(liftAbove(toast, [at(600, 640), at(750, 780)], 800)).toBe(50)
})

test('stays where it would rise too far', () => {
  const ladder = Array.from({ length: 8 }, (_, step) => at(20 + step * 100, 80 + step * 100))
  expect(liftAbove(toast, ladder, 800)).toBe(0)
})
