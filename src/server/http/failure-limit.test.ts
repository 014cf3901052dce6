import { expect, it } from 'vitest'
import { Refusal } from '../refusal.ts'
import { createFailureLimit } from './failure-limit.ts'

const [here, there] = ['192.0.2.1', '198.51.100.1']

function stage() {
  let ms = 0
  const limited = createFailureLimit({ count: 3, withinMs: 1_000 }, () => new Date(ms))
  const send = (address: string | null, caller: string, refusal?: Refusal) =>
    limited({ address, caller }, async () => {
      if (refusal !== undefined) throw refusal
      return 'taken'
    }).catch((error: unknown) => (error instanceof Refusal ? error.code : 'a fault'))
  const fail = (address: string | null, caller: string) =>
    send(address, caller, new Refusal('invalid_request', 'no'))
  return { limited, send, fail, pass: (by: number) => (ms += by) }
}

it('shuts strangers of a network out after so many failures, and lets them in again when the time is over', async () => {
  const { limited, fail, send, pass } = stage()
  for (let count = 0; count < 3; count += 1) expect(await fail(here, `s${count}`)).toBe('invalid_request')
  await expect(limited({ address: here, caller: 'stranger' }, async () => 1)).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 1,
  })
  pass(1_000)
  expect(await send(here, 'stranger')).toBe('taken')
})

it('lets nobody wait for what comes from another network', async () => {
  const { fail, send } = stage()
  for (let count = 0; count < 9; count += 1) await fail(here, `s${count}`)
  expect(await send(there, 'never heard of')).toBe('taken')
  expect(await send(null, 'never heard of either')).toBe('taken')
})

it('takes the many addresses of one network for one', async () => {
  const { fail } = stage()
  for (let count = 0; count < 3; count += 1) await fail(`2001:db8:1:2::${count + 1}`, 'guess')
  expect(await fail('2001:db8:1:2:ffff::1', 'guess')).toBe('rate_limited')
  expect(await fail('2001:db8:1:3::1', 'guess')).toBe('invalid_request')
})

it('goes on serving who succeeded before, as long as they do not fail as often themselves', async () => {
  const { send, fail } = stage()
  await send(here, 'known')
  for (let count = 0; count < 5; count += 1) await fail(here, 'stranger')
  expect(await send(here, 'known')).toBe('taken')
  for (let count = 0; count < 3; count += 1) expect(await fail(here, 'known')).toBe('invalid_request')
  expect(await fail(here, 'known')).toBe('rate_limited')
  expect(await send(there, 'known')).toBe('taken')
})

it('does not count what is our own fault, nor who is only too fast', async () => {
  const { limited, send } = stage()
  for (let count = 0; count < 5; count += 1) {
    const failing = limited({ address: here, caller: 'a' }, () => Promise.reject(new Error('away')))
    await expect(failing).rejects.toThrow('away')
    await send(here, 'a', new Refusal('rate_limited', 'too fast', 1))
    await send(here, 'a', new Refusal('unavailable', 'busy', 1))
  }
  expect(await send(here, 'a')).toBe('taken')
})
