import { expect, test } from 'vitest'
import { ask, at, simulate } from '../testing/ask.ts'
import { liveModeLimits, testModeLimits } from './rate-limit.ts'

test('the 26th request to one endpoint in a second is refused, and room returns a second later', async () => {
  let nowMs = 5_000
  const simulator = simulate({ limits: testModeLimits, clock: () => nowMs })
  const statuses: number[] = []
  for (let count = 0; count < 26; count += 1) {
    nowMs += 10
    statuses.push((await ask(simulator, '/v1/invoices')).status)
  }
  expect(statuses).toEqual([...Array(25).fill(200), 429])
  const refused = await ask(simulator, '/v1/invoices')
  expect(at(refused.body, 'error.code')).toBe('rate_limit')
  expect(refused.headers.get('stripe-rate-limited-reason')).toBe('endpoint-rate')
  expect(refused.headers.get('x-simulated-fault')).toBeNull()
  nowMs = 5_010 + 999
  expect((await ask(simulator, '/v1/invoices')).status).toBe(429)
  nowMs += 1
  expect((await ask(simulator, '/v1/invoices')).status).toBe(200)
  expect((await ask(simulator, '/v1/invoices')).status).toBe(429)
})

test('the account has a limit over all endpoints, larger in live mode', async () => {
  const paths = ['/v1/invoices', '/v1/customers', '/v1/prices', '/v1/products', '/v1/coupons']
  const accepted = async (limits: typeof testModeLimits) => {
    const simulator = simulate({ limits, clock: () => 1_000 })
    let count = 0
    for (let round = 0; round < 22; round += 1)
      for (const path of paths) if ((await ask(simulator, path)).status === 200) count += 1
    return count
  }
  expect(await accepted(testModeLimits)).toBe(25)
  expect(await accepted(liveModeLimits)).toBe(100)
})

test('all ids of a retrieve endpoint count as one endpoint', async () => {
  const limits = { globalPerSecond: 100, endpointPerSecond: 2 }
  const simulator = simulate({ limits, clock: () => 1_000 })
  await ask(simulator, '/v1/invoices/in_one')
  await ask(simulator, '/v1/invoices/in_many')
  expect((await ask(simulator, '/v1/invoices/in_loose')).status).toBe(429)
  expect((await ask(simulator, '/v1/invoices')).status).toBe(200)
})
