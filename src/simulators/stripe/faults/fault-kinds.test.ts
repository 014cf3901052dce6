import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { ask, at, get, idsOf, origin, simulate } from '../testing/ask.ts'
import { smallWorld } from '../testing/small-world.ts'
import { specIsThere, validateErrorAgainstSpec } from '../testing/spec.ts'
import { type FaultKind, faultKinds } from './faults.ts'

const waited: number[] = []
const simulator = simulate({
  wait: async (ms) => {
    waited.push(ms)
  },
})
const knownPath = '/v1/invoices?limit=2'

async function post(path: string, body: unknown): Promise<Response> {
  return simulator.fetch(new Request(origin + path, { method: 'POST', body: JSON.stringify(body) }))
}

async function strike(kind: FaultKind, more: object = {}): Promise<void> {
  expect((await post('/_faults', { kind, ...more })).status).toBe(201)
}

beforeEach(() => {
  simulator.faults.clear()
  simulator.setWorld(smallWorld())
  waited.length = 0
})

describe('answers that take the place of the real one', () => {
  const errors: [FaultKind, object, number, string | undefined, RegExp][] = [
    ['status', { status: 503 }, 503, undefined, /^An unknown error occurred$/],
    ['rate_limit', {}, 429, 'rate_limit', /^Request rate limit exceeded\. You can learn more/],
    ['rate_limit', { code: 'rate_limit', reason: 'resource-specific' }, 429, 'rate_limit', /^Request rate/],
    ['lock_timeout', {}, 429, 'lock_timeout', /^This object cannot be accessed right now/],
    ['expired_key', {}, 401, 'api_key_expired', /^Expired API Key provided: sk_test_\*+demo$/],
    ['invalid_key', {}, 401, undefined, /^Invalid API Key provided: sk_test_\*+demo$/],
    [
      'missing_permission',
      { permission: 'rak_invoice_read' },
      403,
      'more_permissions_required',
      /'acct_1Small'.*"Invoices Read" \('invoice_read'\)/,
    ],
    ['error_body', {}, 200, undefined, /^An unknown error occurred$/],
  ]
  test.each(errors)('%s %j', async (kind, more, status, code, message) => {
    await strike(kind, more)
    const { body, headers, ...hit } = await ask(simulator, knownPath)
    expect([hit.status, at(body, 'error.code')]).toEqual([status, code])
    expect(at(body, 'error.message')).toMatch(message)
    expect(headers.get('x-simulated-fault')).toBe(kind)
    if (specIsThere) expect(validateErrorAgainstSpec(body)).toEqual([])
  })

  test.each(['1', '-5', 'Wed, 21 Oct 2026 07:28:00 GMT', '999999999999'])(
    'Retry-After: %s',
    async (retryAfter) => {
      await strike('rate_limit', { retryAfter })
      expect((await ask(simulator, knownPath)).headers.get('retry-after')).toBe(retryAfter)
    },
  )

  test('redirect, empty with a status, random and bomb', async () => {
    await strike('redirect', { status: 307, location: 'http://127.0.0.1:1/' })
    await strike('empty', { status: 504, match: { nth: 2 } })
    await strike('random', { match: { nth: 3 } })
    await strike('bomb', { match: { nth: 4 } })
    const redirect = await simulator.fetch(get(knownPath))
    expect([redirect.status, redirect.headers.get('location')]).toEqual([307, 'http://127.0.0.1:1/'])
    const empty = await simulator.fetch(get(knownPath))
    expect([empty.status, await empty.text()]).toEqual([504, ''])
    await expect((await simulator.fetch(get(knownPath))).json()).rejects.toThrow(SyntaxError)
    const bomb = (await simulator.fetch(get(knownPath))).body?.getReader()
    for (let read = 0; read < 100; read += 1) expect((await bomb?.read())?.done).toBe(false)
    await bomb?.cancel()
  })
})

describe('answers that do not come as they should', () => {
  test('cut_json ends in the middle, and the transport is sound', async () => {
    await strike('cut_json')
    const text = await (await simulator.fetch(get(knownPath))).text()
    expect(text.startsWith('{"object":"list"')).toBe(true)
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
  })

  test('drip waits before each byte and gives all of them', async () => {
    await strike('drip', { delayMs: 3 })
    const { body } = await ask(simulator, '/v1/coupons?limit=1')
    expect(idsOf(body)).toEqual(['coupon_forever'])
    expect(waited.length).toBeGreaterThan(100)
    expect(new Set(waited)).toEqual(new Set([3]))
  })

  test('stall gives the first half and then nothing', async () => {
    await strike('stall')
    const reader = (await simulator.fetch(get(knownPath))).body?.getReader()
    expect((await reader?.read())?.value?.length).toBeGreaterThan(100)
    const more = reader?.read().then(() => 'more')
    const nothing = new Promise((resolve) => setImmediate(() => resolve('nothing')))
    expect(await Promise.race([more, nothing])).toBe('nothing')
    await reader?.cancel()
  })
})

describe('answers that say something else', () => {
  test.each<[FaultKind, unknown[], boolean]>([
    ['empty_page', [], true],
    ['early_end', ['in_many', 'in_loose'], false],
    ['long_page', ['in_many', 'in_loose', 'in_one'], false],
  ])('%s', async (kind, ids, hasMore) => {
    await strike(kind)
    const { body } = await ask(simulator, knownPath)
    expect([idsOf(body), body['has_more']]).toEqual([ids, hasMore])
  })

  test('repeat_page gives the first page again and again', async () => {
    await strike('repeat_page', { match: { times: null } })
    const { body } = await ask(simulator, `${knownPath}&starting_after=in_loose`)
    expect([idsOf(body), body['has_more']]).toEqual([['in_many', 'in_loose'], true])
  })

  test('wrong_kind, and a field of one’s choice', async () => {
    await strike('wrong_kind', { match: { times: 1 } })
    expect(at((await ask(simulator, knownPath)).body, 'data.0.object')).toBe('topup')
    await strike('field', { path: 'data.*.status', value: 'quantum', match: { nth: 1 } })
    await strike('field', { path: 'data.0.lines', match: { nth: 2 } })
    const { body } = await ask(simulator, knownPath)
    expect([at(body, 'data.0.status'), at(body, 'data.1.status')]).toEqual(['quantum', 'quantum'])
    expect(at((await ask(simulator, knownPath)).body, 'data.0')).not.toHaveProperty('lines')
  })
})

describe('an account that changes', () => {
  const gone = { remove: { invoices: ['in_loose'] } }

  test('between two pages, when the request comes that was named', async () => {
    await strike('change', { change: gone, match: { pathPrefix: '/v1/invoices', nth: 2 } })
    const first = await ask(simulator, knownPath)
    expect(idsOf(first.body)).toEqual(['in_many', 'in_loose'])
    const second = await ask(simulator, `${knownPath}&starting_after=in_loose`)
    expect([second.status, at(second.body, 'error.code')]).toEqual([400, 'resource_missing'])
    expect(second.headers.get('x-simulated-fault')).toBeNull()
  })

  test('at once, by a control call', async () => {
    const [one] = simulator.world.customers
    const put = {
      customers: [
        { ...one, id: 'cus_new', name: 'New' },
        { ...one, name: 'Renamed' },
      ],
    }
    expect((await post('/_changes', { put, ...gone })).status).toBe(200)
    expect((await ask(simulator, '/v1/customers/cus_one')).body['name']).toBe('Renamed')
    expect((await ask(simulator, '/v1/customers/cus_new')).body['name']).toBe('New')
    expect(simulator.world.customers).toHaveLength(smallWorld().customers.length + 1)
  })

  test.each([
    { put: { invoices: 'all' } },
    { put: { invoices: [{}] } },
    { put: { invoices: [{ id: 'in_x', object: 'customer' }] } },
    { remove: { planets: ['x'] }, put: [] },
  ])('not by %j', async (change) => {
    const before = simulator.world
    expect((await post('/_changes', change)).status).toBe(400)
    expect(simulator.world).toBe(before)
  })
})

test('a fault for one key strikes no other, and for all times it goes on until it is switched off', async () => {
  await strike('status', { match: { key: 'of_this_world', times: null } })
  const statuses = async (key: string) =>
    [1, 2, 3].map(() => ask(simulator, knownPath, key).then(({ status }) => status))
  expect(await Promise.all(await statuses('sk_test_of_this_world'))).toEqual([500, 500, 500])
  expect(await Promise.all(await statuses('sk_test_tributary_demo'))).toEqual([200, 200, 200])
})

test('the document names every kind', () => {
  const document = readFileSync(new URL('../../../../docs/simulators.md', import.meta.url), 'utf8')
  expect(faultKinds.filter((kind) => !document.includes(`| \`${kind}\``))).toEqual([])
})
