import { expect, it } from 'vitest'
import { Refusal } from '../refusal.ts'
import { createFailureLimit } from './failure-limit.ts'

function stage() {
  let ms = 0
  const limited = createFailureLimit({ count: 3, withinMs: 1_000 }, () => new Date(ms))
  const fail = (caller: string) =>
    limited(caller, () => Promise.reject(new Refusal('invalid_request', 'no'))).catch(
      (error: unknown) => error instanceof Refusal && error.code,
    )
  return { limited, fail, pass: (by: number) => (ms += by) }
}

it('shuts strangers out after so many failures, and lets them in again when the time is over', async () => {
  const { limited, fail, pass } = stage()
  for (let count = 0; count < 3; count += 1) expect(await fail(`s${count}`)).toBe('invalid_request')
  await expect(limited('stranger', async () => 1)).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 1,
  })
  pass(1_000)
  expect(await limited('stranger', async () => 1)).toBe(1)
})

it('goes on serving who succeeded before', async () => {
  const { limited, fail } = stage()
  await limited('known', async () => 1)
  for (let count = 0; count < 5; count += 1) await fail('stranger')
  expect(await limited('known', async () => 2)).toBe(2)
})

it('does not count what is our own fault', async () => {
  const { limited } = stage()
  for (let count = 0; count < 5; count += 1)
    await expect(limited('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await limited('a', async () => 1)).toBe(1)
})
