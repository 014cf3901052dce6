import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, origin, type TestApp, type TestBrowser } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'
import { createApp } from '../app.ts'
import { createIdentity } from '../providers/identity/create-identity.ts'

let test: TestApp
let browser: TestBrowser
beforeAll(async () => {
  test = await openTestApp()
  browser = await test.signedIn('ida@gate.test', 'Gate')
})
afterAll(() => test.close())

const invalid = { error: { code: 'invalid_request', message: expect.any(String) } }

describe('an identity call', () => {
  it.each([
    ['/api/identity/update-user', { name: 'a\u0000b' }],
    ['/api/identity/update-user', { name: null }],
    ['/api/identity/sessions/revoke', { sessionId: 'a\u0000b' }],
    ['/api/identity/organization/create', { name: 'a\u0000b', slug: 'a' }],
    ['/api/identity/sign-in/email', { email: 'a\u0000b@gate.test', password: 'x' }],
    ['/api/identity/organization/set-active', { organizationId: 'abc' }],
    ['/api/identity/organization/set-active', { organizationId: '9'.repeat(30) }],
    ['/api/identity/organization/accept-invitation', { invitationId: '\ud800' }],
  ])('of %s with %j is refused as invalid', async (path, body) => {
    const answer = await browser.post(path, body)
    expect([answer.status, answer.body]).toEqual([400, invalid])
  })

  it('with a token that only the database refuses is refused as invalid, too', async () => {
    const token = 'a\u0000b'
    const newPassword = 'a-long-enough-passphrase'
    const answer = await browser.post('/api/identity/reset-password', { token, newPassword })
    expect([answer.status, answer.body]).toEqual([400, invalid])
  })

  it.each([
    'GET /list-sessions',
    'POST /revoke-sessions',
    'POST /link-social',
    'POST /get-access-token',
    'POST /delete-user',
    'POST /rotate-session',
    'POST /verify-password',
    'GET /list-accounts',
    'GET /organization/get-full-organization',
  ])('of the library that nobody needs, %s, is not there', async (call) => {
    const [method = '', path = ''] = call.split(' ')
    const url = `/api/identity${path}`
    expect((method === 'GET' ? await browser.get(url) : await browser.post(url)).status).toBe(404)
  })

  it('that there is not is answered in our shape', async () => {
    for (const answer of [
      await browser.get('/api/identity/nothing'),
      await browser.post('/api/identity/nothing'),
    ]) {
      expect([answer.status, answer.body]).toEqual([
        404,
        { error: { code: 'not_found', message: expect.any(String) } },
      ])
    }
  })

  it('that fails by our fault is logged by us, and only its reference goes out', async () => {
    await run(test.db.ownerUrl, 'alter table account rename to account_away')
    try {
      const email = 'ida@gate.test'
      const answer = await browser.post('/api/identity/sign-in/email', { email, password: 'wrong password' })
      const reference = answer.headers.get('x-request-id')
      expect([answer.status, answer.body]).toEqual([
        500,
        {
          error: {
            code: 'internal',
            message: `Something went wrong on our side. Try again later. Reference: ${reference}`,
          },
        },
      ])
    } finally {
      await run(test.db.ownerUrl, 'alter table account_away rename to account')
    }
  })
})

describe('the log', () => {
  it('takes no more of what a caller sent than a line', async () => {
    const lines: string[] = []
    const { config, database, mail, seal } = test.deps
    const log = pino({ level: 'info' }, { write: (line) => lines.push(line) })
    const identity = createIdentity({
      config,
      database,
      mail,
      seal,
      log,
      now: () => new Date(),
      isRateLimited: false,
    })
    const query = new URLSearchParams({ token: 't', callbackURL: `https://${'x'.repeat(5_000)}.example` })
    await createApp({ ...test.deps, identity }).fetch(
      new Request(`${origin}/api/identity/verify-email?${query}`),
    )
    expect(lines.length).toBeGreaterThan(0)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(500)
  })
})

describe('a link of a mail', () => {
  const paths = ['/api/identity/verify-email?token=forged', '/api/identity/reset-password/forged?']

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/\\evil.example',
    '/%5cevil.example',
    'javascript:alert(1)',
    `${origin}@evil.example`,
    `${origin}.evil.example`,
  ])('leads nobody to %s', async (callbackURL) => {
    for (const path of paths) {
      const answer = await browser.get(`${path}&${new URLSearchParams({ callbackURL })}`)
      const location = answer.headers.get('location')
      if (location === null) expect(answer.status).toBe(403)
      else expect(new URL(location, origin).origin).toBe(origin)
    }
  })

  it('leads on to a page of ours', async () => {
    const answer = await browser.get(`${paths[0]}&callbackURL=/setup`)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/setup?error=INVALID_TOKEN'])
  })
})

describe('a sender that hangs up', () => {
  it.each(['/api/identity/sign-in/email', '/api/setup/auto-sync'])(
    'in the middle of the body of %s passes for no fault of ours',
    async (path) => {
      const body = new ReadableStream({
        pull: (controller) => controller.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })),
      })
      const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
      const request = new Request(`${origin}${path}`, {
        method: 'POST',
        headers: { origin, cookie, 'content-type': 'application/json' },
        body,
        duplex: 'half',
      } as RequestInit)
      const answer = await createApp(test.deps).fetch(request)
      expect([answer.status, await answer.json()]).toEqual([400, invalid])
    },
  )
})
