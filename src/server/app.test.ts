import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, origin, type TestApp, type TestBrowser } from '#test/api/test-app.ts'
import { createApp } from './app.ts'
import { createIdentity } from './providers/identity/create-identity.ts'
import { openDatabase } from './store/postgres/database.ts'

let test: TestApp
let browser: TestBrowser
beforeAll(async () => {
  test = await openTestApp()
  browser = await test.signedIn('ann@yard.test', 'Yard')
})
afterAll(() => test.close())

const json = { origin, 'content-type': 'application/json' }
const put = (init: RequestInit) => browser.send('/api/settings/sync', { method: 'PUT', ...init })
const settings = JSON.stringify({ syncSettings: { autoCreateContacts: false } })

describe('a path', () => {
  it('that is unknown is answered 404 in our shape', async () => {
    const answer = await browser.get('/api/nothing')
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({ error: { code: 'not_found', message: expect.any(String) } })
  })

  it.each(['DELETE', 'POST', 'OPTIONS'])(
    'with the wrong method %s is answered 405 with Allow',
    async (method) => {
      const answer = await browser.send('/api/settings/sync', { method, headers: json })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'HEAD, GET, PUT'])
    },
  )

  it('with doubled slashes is the same path, guard included', async () => {
    expect((await browser.get(`${origin}//api///settings//sync`)).status).toBe(200)
    expect((await test.newBrowser().get(`${origin}//api///settings//sync`)).status).toBe(401)
  })

  it('answers HEAD as GET without a body', async () => {
    const answer = await browser.send('/api/settings/sync', { method: 'HEAD' })
    expect([answer.status, answer.text]).toEqual([200, ''])
  })
})

describe('a change', () => {
  it.each([
    ['another origin', { ...json, origin: 'https://evil.example' }],
    ['a page without origin', { ...json, origin: 'null' }],
    ['another port', { ...json, origin: 'http://localhost:3001' }],
    ['another site by fetch metadata', { ...json, 'sec-fetch-site': 'cross-site' }],
    ['a sibling site', { ...json, 'sec-fetch-site': 'same-site' }],
  ])('that comes from %s is refused', async (_, headers) => {
    const answer = await put({ headers, body: settings })
    expect([answer.status, answer.body]).toEqual([
      403,
      { error: { code: 'forbidden', message: expect.any(String) } },
    ])
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ])('sent as %s is refused with 415', async (type) => {
    expect((await put({ headers: { origin, 'content-type': type }, body: settings })).status).toBe(415)
  })

  it('of more than 100 kB is refused with 413', async () => {
    const answer = await put({ headers: json, body: `{"a":"${'x'.repeat(100_000)}"}` })
    expect([answer.status, answer.body]).toEqual([
      413,
      { error: { code: 'payload_too_large', message: expect.any(String) } },
    ])
  })

  it.each([
    ['cut short', '{"syncSettings":'],
    ['with a prototype', '{"syncSettings":{"__proto__":{"autoCreateContacts":false}}}'],
    ['nested too deep', '['.repeat(60_000)],
    ['not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
  ])('whose JSON is %s is refused', async (_, body) => {
    const answer = await put({ headers: json, body })
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: { code: 'invalid_json', message: expect.any(String) } },
    ])
  })

  it.each([
    ['{"syncSettings":{"autoCreateContacts":"false"}}', 'syncSettings.autoCreateContacts'],
    ['{"syncSettings":{"organizationId":1}}', 'syncSettings.organizationId'],
    ['{"syncSettings":{},"role":"owner"}', 'role'],
    ['null', 'Invalid input'],
  ])('with the body %s is refused by the name of the field', async (body, field) => {
    const answer = await put({ headers: json, body })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(field)
  })

  it('is taken from a caller that is no browser, and says what it saved', async () => {
    const answer = await put({ headers: { 'content-type': 'application/json' }, body: settings })
    expect(answer.body).toEqual({ syncSettings: { autoCreateContacts: false, autoCreateCompanies: true } })
    expect((await browser.get('/api/settings/sync')).body).toEqual(answer.body)
  })
})

describe('a query', () => {
  it.each([
    ['page=0', 'page'],
    ['page=1e3', 'page'],
    ['page=0x10', 'page'],
    ['page[]=1', 'page[]'],
    ['page=1&page=2', 'page'],
    ['limit=101', 'limit'],
    ['sort=id;drop', 'sort'],
    ['order=sideways', 'order'],
    ['nonsense=1', 'nonsense'],
    ['__proto__=1', '__proto__'],
    ['search=%00', 'search'],
  ])('%s is refused by the name of the field', async (query, field) => {
    const answer = await browser.get(`/api/stripe/subscriptions?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringContaining(field) },
    })
  })
})

describe('every answer', () => {
  it.each([
    '/api/about',
    '/api/nothing',
    '/api/auth/current-user',
    '/api/identity/verify-email',
    '/',
    '/outbox',
  ])('of %s carries the security headers and is not kept', async (path) => {
    const { headers } = await test.newBrowser().get(path)
    const policy = headers.get('content-security-policy') ?? ''
    for (const part of ["frame-ancestors 'none'", "script-src 'self'", "img-src 'self' data: https:"])
      expect(policy.split('; ')).toContain(part)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
    expect(headers.get('cache-control')).toContain('no-store')
  })

  it('asks browsers to keep to https once the product is reached by it', async () => {
    const header = async (publicUrl: string) => {
      const deps = { ...test.deps, config: { ...test.deps.config, publicUrl } }
      const answer = await createApp(deps).fetch(new Request(`${publicUrl}/api/about`))
      return answer.headers.get('strict-transport-security')
    }
    expect(await header('https://tributary.example')).toBe('max-age=31536000')
    expect(await header(origin)).toBeNull()
  })

  it('to a fault of ours names a reference and nothing else', async () => {
    const deps = {
      ...test.deps,
      identity: {
        ...test.deps.identity,
        sessionCookie: () => 'any',
        findSession: () => Promise.reject(new Error('secret at db.internal')),
      },
    }
    const answer = await createApp(deps).fetch(new Request(`${origin}/api/settings/sync`))
    const reference = answer.headers.get('x-request-id')
    expect([answer.status, await answer.json()]).toEqual([
      500,
      {
        error: {
          code: 'internal',
          message: `Something went wrong on our side. Try again later. Reference: ${reference}`,
        },
      },
    ])
  })

  it.each([
    '/api/settings/sync',
    '/api/health',
    '/api/identity/reset-password/some_token?callbackURL=/',
    '/api/hubspot/callback',
  ])('of %s while the database is away is 503 with Retry-After', async (path) => {
    const { config, mail, seal, log } = test.deps
    const url = 'postgres://nobody:secret@127.0.0.1:1/away'
    const database = openDatabase({ url, poolSize: 1, statementTimeoutMs: 1_000, onError: () => {} })
    const identity = createIdentity({
      config,
      database,
      mail,
      seal,
      log,
      now: () => new Date(),
      isRateLimited: false,
    })
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const request = new Request(`${origin}${path}`, { headers: { cookie } })
    const answer = await createApp({ ...test.deps, database, identity }).fetch(request)
    await database.destroy()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.text()).not.toContain('127.0.0.1')
  })
})

describe('the identity calls', () => {
  it('are refused to another site, and too large ones are', async () => {
    const signIn = (init: RequestInit) =>
      test.newBrowser().send('/api/identity/sign-in/email', { method: 'POST', ...init })
    const body = JSON.stringify({ email: 'ann@yard.test', password: 'x'.repeat(10) })
    expect((await signIn({ headers: { ...json, origin: 'https://evil.example' }, body })).status).toBe(403)
    expect((await signIn({ headers: json, body: 'x'.repeat(100_001) })).status).toBe(413)
  })

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'send nobody on to %s',
    async (callbackURL) => {
      const answer = await test.newBrowser().post('/api/identity/sign-up/email', {
        name: 'Eve',
        email: `eve-${callbackURL.length}@lane.test`,
        password: 'long enough',
        callbackURL,
      })
      expect(answer.status).toBe(403)
    },
  )
})

describe('the outbox', () => {
  it('shows mail as text', async () => {
    await test.deps.mail.send({
      to: 'x@y.test',
      subject: '<script>alert(1)</script>',
      body: '"&',
      link: 'http://a.test/?a=1&b="',
    })
    const { text } = await browser.get('/outbox')
    expect(text).toContain('&lt;script&gt;alert(1)')
    expect(text).toContain('href="http://a.test/?a=1&amp;b=&quot;">Open in Tributary</a>')
    expect(text).toContain('<code>http://a.test/?a=1&amp;b=&quot;</code>')
  })

  it('is not there once mail is real', async () => {
    const config = { ...test.deps.config, smtpUrl: 'smtp://mail.test' }
    const answer = await createApp({ ...test.deps, config }).fetch(new Request(`${origin}/outbox`))
    expect(answer.status).toBe(404)
  })
})

describe('the way back from HubSpot', () => {
  it.each(['', '?state=forged&code=abc', '?state=x&returnUrl=https://evil.example', '?error=access_denied'])(
    'with %j leads to our own page, signed in or not',
    async (query) => {
      for (const visitor of [browser, test.newBrowser()]) {
        const { status, headers } = await visitor.get(`/api/hubspot/callback${query}`)
        expect([status, headers.get('location')]).toEqual([302, `${origin}/hubspot-connected?outcome=failed`])
      }
    },
  )
})
