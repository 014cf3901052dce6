import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRateLimits } from '#server/store/connections/rate-limits.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { hubspotBy } from '#test/providers/hubspot-by.ts'
import type { CrmAccess } from '../crm-directory.ts'
import { HubspotError } from './hubspot-error.ts'

const secret = 'access-token-that-must-not-leak'
const account = { portalId: 42, uiDomain: 'app.hubspot.com' }
const ok = () => Response.json(account)
const failing =
  (status: number, body: object = {}, headers: Record<string, string> = {}) =>
  () =>
    Response.json(body, { status, headers })

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

let portals = 0

/** A HubSpot that gives a list of answers and repeats the last; it records the requests and the waiting times. */
function scripted(...answers: ((request: Request) => Response | Promise<Response>)[]) {
  let at = 1_000_000
  const requests: Request[] = []
  const waits: number[] = []
  const crm = hubspotBy(
    async (request) => {
      requests.push(request)
      const answer = answers[Math.min(requests.length, answers.length) - 1]
      if (!answer) throw new Error('no answer was written')
      return answer(request)
    },
    {
      clientSecret: 'client-secret-that-must-not-leak',
      now: () => new Date(at),
      sleep: async (ms) => {
        waits.push(ms)
        at += ms
      },
      paces: createRateLimits(db.database, () => new Date(at)),
    },
  )
  portals += 1
  const access: CrmAccess = {
    portalId: String(portals),
    token: async (refused) => (refused ? 'renewed' : secret),
  }
  return { crm, access, requests, waits, read: () => crm.getAccount(access) }
}

describe('a call to HubSpot', () => {
  it('follows no redirect, which would carry the token to another address', async () => {
    const { read, requests } = scripted(() => Response.redirect('http://elsewhere.test/', 307))
    await expect(read()).rejects.toThrow(HubspotError)
    expect(requests.length).toBeGreaterThan(0)
    expect(requests.map(({ redirect }) => redirect)).toEqual(requests.map(() => 'manual'))
    expect(new Set(requests.map(({ url }) => new URL(url).host))).toEqual(new Set(['api.hubspot.test']))
  })

  it.each([
    ['ten-second window', failing(429, { policyName: 'TEN_SECONDLY_ROLLING' }), 10_000],
    ['one-second window', failing(429, { policyName: 'SECONDLY' }), 1_000],
    ['Retry-After', failing(429, {}, { 'retry-after': '3' }), 3_000],
    ['lock', failing(423), 2_500],
    ['short move', failing(477, {}, { 'retry-after': '4' }), 4_000],
    ['overload', failing(503), 500],
    ['page of a proxy', () => new Response('<html>', { status: 502 }), 500],
    ['success that is no JSON', () => new Response('<html>'), 500],
    ['empty success', () => new Response(''), 500],
    ['redirect', () => Response.redirect('http://elsewhere.test/', 302), 500],
    ['broken connection', () => Promise.reject(new TypeError('fetch failed')), 500],
  ])('waits and repeats after a %s', async (_, fault, waitMs) => {
    const { read, waits, requests } = scripted(fault, ok)
    expect(await read()).toMatchObject({ portalId: '42' })
    expect(waits).toEqual([waitMs])
    expect(requests.map(({ url }) => new URL(url).host)).toEqual(['api.hubspot.test', 'api.hubspot.test'])
  })

  it.each([
    ['daily limit', failing(429, { policyName: 'DAILY' }), 'rate_limited', 3_600_000],
    ['long Retry-After', failing(429, {}, { 'retry-after': '900' }), 'rate_limited', 900_000],
    ['absurd Retry-After', failing(429, {}, { 'retry-after': '999999999' }), 'rate_limited', 999_999_999_000],
    ['move of the account', failing(477, {}, { 'retry-after': '86400' }), 'unavailable', 86_400_000],
    ['missing scope', failing(403, { category: 'MISSING_SCOPES' }), 'forbidden', undefined],
    ['bad request', failing(400, { category: 'VALIDATION_ERROR' }), 'rejected', undefined],
    ['record that is gone', failing(404, { category: 'OBJECT_NOT_FOUND' }), 'not_found', undefined],
  ])('does not sleep through a %s', async (_, fault, kind, retryAfterMs) => {
    const { read, waits, requests } = scripted(fault)
    await expect(read()).rejects.toMatchObject({ kind, retryAfterMs })
    expect(waits).toEqual([])
    expect(requests).toHaveLength(1)
  })

  it('asks for three searches a second at most, of the five that all tools of an account share', async () => {
    const { crm, access, waits } = scripted(() => Response.json({ total: 0, results: [] }))
    for (let search = 0; search < 7; search++) await crm.searchCompanies(access, 'x')
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(2_000)
  })

  it('gives up after five attempts', async () => {
    const { read, requests } = scripted(failing(500))
    await expect(read()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(requests).toHaveLength(5)
  })

  it('asks for a new token when its own is refused, and tries that once more after a while', async () => {
    const { crm, access, requests, waits } = scripted(failing(401))
    let held = secret
    const token = async (refused?: string) => {
      if (refused === secret) held = 'renewed'
      return held
    }
    await expect(crm.getAccount({ ...access, token })).rejects.toMatchObject({ kind: 'unauthorized' })
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual([
      `Bearer ${secret}`,
      'Bearer renewed',
      'Bearer renewed',
    ])
    expect(waits).toEqual([8_000])
  })

  it('does not repeat what must not happen twice when its outcome is unknown', async () => {
    const { crm, access, requests } = scripted(failing(504))
    await expect(crm.createObject(access, 'subscription', null)).rejects.toMatchObject({
      kind: 'unavailable',
    })
    expect(requests).toHaveLength(1)
  })

  it('refuses an answer without end', async () => {
    const endless = () =>
      new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(4 * 1024 * 1024)) }))
    await expect(scripted(endless).read()).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('says why in words, with the id for the support, and repeats no secret', async () => {
    const message =
      'Property values were not valid: [{"isValid":false,"message":"x is no number","name":"mrr","error":"INVALID_INTEGER"}]'
    const { read } = scripted(failing(400, { message, correlationId: 'correlation-1', status: 'error' }))
    const error = await read().catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(HubspotError)
    expect(error).toMatchObject({
      message: 'mrr: x is no number',
      request: { method: 'GET', path: '/account-info/2026-09/details', status: 400, id: 'correlation-1' },
    })
    const visible = JSON.stringify(error) + String(error) + Object.values(error as object).join()
    expect(visible).not.toContain('must-not-leak')
  })

  it('sends secrets in bodies alone', async () => {
    const { crm, requests } = scripted(() =>
      Response.json({
        access_token: 'a',
        refresh_token: 'b',
        expires_in: 1800,
        hub_id: 42,
        scopes: ['oauth'],
      }),
    )
    expect(await crm.exchangeCode({ code: 'code-1', redirectUri: 'http://localhost/x' })).toEqual({
      accessToken: 'a',
      refreshToken: 'b',
      expiresInSeconds: 1800,
      portalId: '42',
      scopes: ['oauth'],
    })
    expect(requests[0]?.url).toBe('http://api.hubspot.test/oauth/2026-09/token')
    expect(await requests[0]?.text()).toContain('client-secret-that-must-not-leak')
    const page = crm.authorizeUrl({ redirectUri: 'http://localhost/x', state: 's' })
    expect(page).not.toContain('client-secret')
    expect(page).toContain('scope=oauth%20crm.objects.companies.read')
  })
})

describe('a batch', () => {
  const write = (key: string) => ({
    ...{ key, values: { subscriptionId: key, mrr: '1.00' } },
    isNew: false,
  })
  const result = (key: string, id: string, more: object = {}) => ({
    id,
    properties: { stripe_subscription_id: key },
    ...more,
  })

  it('finds results by trace id or key, never by position, and reads back what was not said', async () => {
    const { crm, access } = scripted(
      failing(207, {
        results: [result('c', '3'), { id: '2', objectWriteTraceId: '1' }],
        numErrors: 1,
        errors: [{ message: 'no', context: { objectWriteTraceId: ['0'] } }],
      }),
      failing(207, {
        results: [{ id: '4', properties: { stripe_subscription_id: 'd', mrr: '1' } }],
        errors: [{ category: 'OBJECT_NOT_FOUND', context: { ids: ['e'] } }],
      }),
    )
    const outcomes = await crm.upsertRecords(
      access,
      'subscription',
      '2-1',
      ['a', 'b', 'c', 'd', 'e'].map(write),
    )
    expect(Object.fromEntries(outcomes.map((one) => [one.key, one.state]))).toEqual({
      a: 'refused',
      b: 'written',
      c: 'written',
      d: 'written',
      e: 'unknown',
    })
    expect(outcomes.find(({ key }) => key === 'b')).toMatchObject({ recordId: '2' })
  })

  it('halves a batch refused as a whole until the culprit stands alone', async () => {
    const { crm, access, requests } = scripted(async (request) => {
      const { inputs } = (await request.clone().json()) as { inputs: { id: string }[] }
      return inputs.some(({ id }) => id === 'k37')
        ? Response.json({ category: 'VALIDATION_ERROR', message: 'bad row' }, { status: 400 })
        : Response.json({ results: inputs.map(({ id }) => result(id, `r-${id}`)) })
    })
    const writes = Array.from({ length: 100 }, (_, index) => write(`k${index}`))
    const outcomes = await crm.upsertRecords(access, 'subscription', '2-1', writes)
    expect(outcomes.filter(({ state }) => state === 'written')).toHaveLength(99)
    expect(outcomes.find(({ state }) => state === 'refused')).toEqual({
      key: 'k37',
      state: 'refused',
      message: 'bad row',
    })
    expect(requests.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(100)))
  })

  it('is not given up for neighbours that are refused alike, as long as others are written', async () => {
    const bad = new Set(Array.from({ length: 9 }, (_, index) => `k${index}`))
    const { crm, access } = scripted(async (request) => {
      const { inputs } = (await request.clone().json()) as { inputs: { id: string }[] }
      return inputs.some(({ id }) => bad.has(id))
        ? Response.json({ category: 'VALIDATION_ERROR', message: 'bad row' }, { status: 400 })
        : Response.json({ results: inputs.map(({ id }) => result(id, `r-${id}`)) })
    })
    const writes = Array.from({ length: 100 }, (_, index) => write(`k${index}`))
    const outcomes = await crm.upsertRecords(access, 'subscription', '2-1', writes)
    expect(outcomes.filter(({ state }) => state === 'written')).toHaveLength(91)
    expect(
      outcomes
        .filter(({ state }) => state === 'refused')
        .map(({ key }) => key)
        .sort(),
    ).toEqual([...bad])
  })

  it('is given up after a handful refused in the same words but for ids, and in no others', async () => {
    const refusing = (messageOf: (id: string) => string) =>
      scripted(async (request) => {
        const { inputs } = (await request.clone().json()) as { inputs: { id: string }[] }
        const body = { category: 'VALIDATION_ERROR', message: messageOf(inputs[0]?.id ?? '') }
        return Response.json(body, { status: 400 })
      })
    const writes = Array.from({ length: 100 }, (_, index) => write(`k${index}`))
    const alike = refusing((id) => `Record ${id} of 4711 may not be written`)
    const given = await alike.crm.upsertRecords(alike.access, 'subscription', '2-1', writes)
    const held = given.flatMap((outcome) => (outcome.state === 'held' ? [outcome.isTried] : []))
    expect([held.length, held.filter(Boolean).length]).toEqual([100, 5])
    expect(alike.requests.length).toBeLessThan(15)
    // The session gives up the next batch at its first row.
    await alike.crm.upsertRecords(alike.access, 'subscription', '2-1', writes)
    expect(alike.requests.length).toBeLessThan(17)
    const words = ['alpha', 'beta', 'gamma']
    const unlike = refusing((id) => `${words[Number(id.slice(1)) % 3]} is wrong`)
    const told = await unlike.crm.upsertRecords(unlike.access, 'subscription', '2-1', writes.slice(0, 9))
    expect(new Set(told.map(({ state }) => state))).toEqual(new Set(['refused']))
  })

  it('whose new records are refused one by one is no affair of the account while it has room', async () => {
    const errors = ['0', '1'].map((traceId) => ({
      message: 'no',
      context: { objectWriteTraceId: [traceId] },
    }))
    const limits = (overallUsage: number) => ({ customObjectTypes: { overallLimit: 7, overallUsage } })
    for (const [usage, states] of [
      [6, ['refused', 'refused']],
      [7, ['held', 'held']],
    ] as const) {
      const { crm, access, requests } = scripted(failing(207, { results: [result('c', '3')], errors }), () =>
        Response.json(limits(usage)),
      )
      const news = ['a', 'b', 'c'].map((key) => ({ ...write(key), isNew: true }))
      const outcomes = await crm.upsertRecords(access, 'subscription', '2-1', news)
      expect(outcomes.map(({ state }) => state).sort()).toEqual([...states, 'written'])
      expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET'])
    }
  })
})
