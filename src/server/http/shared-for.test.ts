import { expect, it } from 'vitest'
import { sharedFor } from './shared-for.ts'

it('does the work once for all who ask within the time, and anew for who asks later', async () => {
  let now = 0
  let done = 0
  const ask = sharedFor(
    1_000,
    () => now,
    async () => (done += 1),
  )
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
  now = 999
  expect(await ask()).toBe(1)
  now = 1_000
  expect(await ask()).toBe(2)
})

it('tells a failure as often as it is asked, and tries again later', async () => {
  let now = 0
  let isAway = true
  const ask = sharedFor(
    1_000,
    () => now,
    async () => {
      if (isAway) throw new Error('away')
      return 'here'
    },
  )
  await expect(ask()).rejects.toThrow('away')
  isAway = false
  await expect(ask()).rejects.toThrow('away')
  now = 1_000
  expect(await ask()).toBe('here')
})
