import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { ask, at, get, idsOf, origin, simulate } from '../testing/ask.ts'

const waited: number[] = []
const simulator = simulate({
  wait: async (ms) => {
    waited.push(ms)
  },
})
const knownPath = '/v1/customers?limit=1'

async function control(method: string, path: string, json?: unknown) {
  const body = json === undefined ? null : JSON.stringify(json)
  const response = await simulator.fetch(new Request(origin + path, { method, body }))
  return { status: response.status, body: await response.json() }
}

const strike = (fault: unknown) => control('POST', '/_faults', fault)

beforeEach(async () => {
  simulator.faults.clear()
  simulator.requests.clear()
  waited.length = 0
})

describe('faults in process', () => {
  test('status: an error in Stripe’s shape, once, with its headers', async () => {
    await strike({ kind: 'status', status: 503, shouldRetry: true })
    const hit = await ask(simulator, knownPath)
    expect([hit.status, at(hit.body, 'error.type')]).toEqual([503, 'api_error'])
    expect(hit.headers.get('x-simulated-fault')).toBe('status')
    expect(hit.headers.get('stripe-should-retry')).toBe('true')
    expect((await ask(simulator, knownPath)).status).toBe(200)
  })

  test('rate_limit names its reason', async () => {
    await strike({ kind: 'rate_limit', reason: 'endpoint-concurrency' })
    const hit = await ask(simulator, knownPath)
    expect([hit.status, at(hit.body, 'error.code')]).toEqual([429, 'rate_limit'])
    expect(hit.headers.get('stripe-rate-limited-reason')).toBe('endpoint-concurrency')
  })

  test('html, empty and slow', async () => {
    await strike({ kind: 'html' })
    const html = await simulator.fetch(get(knownPath))
    expect([html.status, html.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8'])
    simulator.faults.clear()
    await strike({ kind: 'empty' })
    const empty = await simulator.fetch(get(knownPath))
    expect([empty.status, await empty.text()]).toEqual([200, ''])
    simulator.faults.clear()
    await strike({ kind: 'slow', delayMs: 2500 })
    expect(idsOf((await ask(simulator, knownPath)).body)).toEqual(['cus_two'])
    expect(waited).toEqual([2500])
  })

  test('reset and truncate break off', async () => {
    await strike({ kind: 'reset' })
    await expect(simulator.fetch(get(knownPath))).rejects.toThrow('fetch failed')
    expect(simulator.requests.entries.at(-1)?.status).toBe(0)
    simulator.faults.clear()
    await strike({ kind: 'truncate' })
    const cut = await simulator.fetch(get(knownPath))
    expect(cut.status).toBe(200)
    await expect(cut.text()).rejects.toThrow()
  })

  test('match: the nth request under a prefix, so many times', async () => {
    await strike({ kind: 'status', match: { pathPrefix: '/v1/customers', nth: 2, times: 2 } })
    const statuses: number[] = []
    for (const path of ['/v1/products', knownPath, knownPath, '/v1/products', knownPath, knownPath])
      statuses.push((await ask(simulator, path)).status)
    expect(statuses).toEqual([200, 200, 500, 200, 500, 200])
  })

  test('a fault that cannot be read is refused by name', async () => {
    expect(await strike({ kind: 'melt' })).toMatchObject({ status: 400 })
    expect(await strike({ kind: 'status', status: 42 })).toMatchObject({
      status: 400,
      body: { error: 'status must be a whole number from 200 to 599' },
    })
  })

  test('controls switch faults off and show what was asked, and are not counted', async () => {
    await strike({ kind: 'status', match: { times: 100 } })
    expect(await control('DELETE', '/_faults')).toEqual({ status: 200, body: { faults: [] } })
    await ask(simulator, '/v1/customers/cus_one')
    await ask(simulator, '/v1/nonsense')
    const { body } = await control('GET', '/_requests')
    expect(body).toMatchObject({
      total: 2,
      byPath: { '/v1/customers/:id': 1, unknown: 1 },
      byStatus: { '200': 1, '404': 1 },
      writes: 0,
    })
  })
})

describe('faults over a real connection', () => {
  const server = serve({ fetch: simulator.fetch, port: 0, hostname: '127.0.0.1' })
  const ready = once(server, 'listening')
  afterAll(() => server.close())

  const request = async () => {
    await ready
    const address: AddressInfo | string | null = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    return fetch(`http://127.0.0.1:${port}${knownPath}`, {
      headers: { authorization: 'Bearer sk_test_tributary_demo', connection: 'close' },
    })
  }

  test('answers whole without a fault', async () => {
    expect(await (await request()).json()).toMatchObject({ object: 'list', has_more: true })
  })

  test('reset cuts the connection before an answer', async () => {
    await strike({ kind: 'reset' })
    await expect(request()).rejects.toThrow('fetch failed')
    expect((await request()).status).toBe(200)
  })

  test('truncate cuts it in the middle of the body', async () => {
    await strike({ kind: 'truncate' })
    const cut = await request()
    expect([cut.status, cut.headers.get('x-simulated-fault')]).toEqual([200, 'truncate'])
    await expect(cut.text()).rejects.toThrow('terminated')
  })

  test('bomb comes packed, and unpacks without end', async () => {
    await strike({ kind: 'bomb' })
    const bomb = await request()
    expect(bomb.headers.get('content-encoding')).toBe('gzip')
    const reader = bomb.body?.getReader()
    let size = 0
    while (size < 2_000_000) size += (await reader?.read())?.value?.length ?? Number.NaN
    await reader?.cancel()
  })
})
