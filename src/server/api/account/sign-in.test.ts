import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, origin, password, type TestApp } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'
import { createApp } from '../../app.ts'
import { createIdentity } from '../../providers/identity/create-identity.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
afterAll(() => test.close())

const tokens = () =>
  run<{ id: number; token: string }>(test.db.ownerUrl, 'select id, token from session order by id')
const cookieName = 'tributary.session_token'

describe('a session', () => {
  it('is another after each sign-in, and the earlier one of the browser is dead', async () => {
    const browser = await test.signedIn('ann@loft.test', 'Loft')
    const earlier = browser.cookies.get(cookieName) ?? ''
    await browser.post('/api/identity/sign-in/email', { email: 'ann@loft.test', password })
    expect(browser.cookies.get(cookieName)).not.toBe(earlier)
    const stale = test.newBrowser()
    stale.cookies.set(cookieName, earlier)
    expect((await stale.get('/api/auth/current-user')).status).toBe(401)
    expect((await browser.get('/api/auth/current-user')).status).toBe(200)
  })

  it('gets another token with another organization, and the old token is dead', async () => {
    const browser = await test.signedIn('ben@one.test', 'One')
    const before = browser.cookies.get(cookieName) ?? ''
    const answer = await browser.post('/api/identity/organization/set-active', {
      organizationId: String(browser.organizationId),
    })
    expect(answer.status).toBe(200)
    expect(browser.cookies.get(cookieName)).not.toBe(before)
    const stale = test.newBrowser()
    stale.cookies.set(cookieName, before)
    expect((await stale.get('/api/auth/current-user')).status).toBe(401)
    expect((await browser.get('/api/settings/sync')).status).toBe(200)
  })

  it('is sent again where use has extended it, and never lives longer than seven days', async () => {
    const browser = await test.signedIn('cat@week.test', 'Week')
    const age = (interval: string) =>
      run(
        test.db.ownerUrl,
        `update session set "createdAt" = now() - interval '${interval}', "expiresAt" = now() + interval '11 hours'
          where "userId" = ${browser.userId}`,
      )
    await age('1 day')
    const extended = await browser.get('/api/auth/current-user')
    expect(extended.headers.getSetCookie().join()).toMatch(/session_token=.*Max-Age=43200/)
    await age('6 days 23 hours')
    await browser.get('/api/auth/current-user')
    const [row] = await run<{ left: number }>(
      test.db.ownerUrl,
      `select extract(epoch from "expiresAt" - now())::int as left from session where "userId" = ${browser.userId}`,
    )
    expect(row?.left).toBeLessThanOrEqual(3_600)
  })

  it('is listed without its token, and can be ended by nobody but its user', async () => {
    const browser = await test.signedIn('dan@list.test', 'List')
    const other = await test.signedIn('dan@list.test', 'List')
    const stranger = await test.signedIn('eva@other.test', 'Other')
    const { sessions } = (await browser.get('/api/identity/sessions')).body as never as {
      sessions: { id: string; isCurrent: boolean }[]
    }
    expect(sessions.map(({ isCurrent }) => isCurrent).sort()).toEqual([false, true])
    const text = JSON.stringify(sessions)
    for (const { token } of await tokens()) expect(text).not.toContain(token)

    const sessionId = sessions.find(({ isCurrent }) => !isCurrent)?.id
    const foreign = await stranger.post('/api/identity/sessions/revoke', { sessionId })
    const unknown = await stranger.post('/api/identity/sessions/revoke', { sessionId: '999999' })
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])

    expect((await browser.post('/api/identity/sessions/revoke', { sessionId })).status).toBe(200)
    expect((await other.get('/api/auth/current-user')).status).toBe(401)
    expect((await browser.get('/api/auth/current-user')).status).toBe(200)
  })

  it('is the last after all others are ended', async () => {
    const browser = await test.signedIn('fay@all.test', 'All')
    const others = [await test.signedIn('fay@all.test', 'All'), await test.signedIn('fay@all.test', 'All')]
    await browser.post('/api/identity/sessions/revoke-others')
    for (const other of others) expect((await other.get('/api/auth/current-user')).status).toBe(401)
    expect((await browser.get('/api/auth/current-user')).status).toBe(200)
  })
})

describe('the link of a verification mail', () => {
  it('signs in the browser that signed up and no other', async () => {
    const attacker = test.newBrowser()
    await attacker.post('/api/identity/sign-up/email', { name: 'Mal', email: 'mal@trap.test', password })
    const { link } = await test.mailTo('mal@trap.test')
    const victim = test.newBrowser()
    expect((await victim.get(String(link))).status).toBe(302)
    expect((await victim.get('/api/auth/current-user')).status).toBe(401)
    expect(victim.cookies.has(cookieName)).toBe(false)
    await attacker.get(String(link))
    expect((await attacker.get('/api/auth/current-user')).status).toBe(200)
    // The link works only once: after a sign-out it does not sign in even the browser that made it.
    await attacker.post('/api/identity/sign-out')
    await attacker.get(String(link))
    expect((await attacker.get('/api/auth/current-user')).status).toBe(401)
  })
})

describe('a password', () => {
  const weak = [
    'short',
    'password2026!',
    'P@ssw0rd2026',
    'qwertyuiop',
    'aaaaaaaaaaaa',
    '1234567890',
    'tributary2026',
    'gus@weak.test',
    'gus.weak.test',
    'iloveyouiloveyou',
    '9876543210',
  ]
  it.each(weak)('such as %s is refused', async (chosen) => {
    const answer = await test
      .newBrowser()
      .post('/api/identity/sign-up/email', { name: 'Gus', email: 'gus@weak.test', password: chosen })
    expect(answer.status).toBe(400)
  })

  it('is looked at wherever one is chosen', async () => {
    const browser = await test.signedIn('hal@weak.test', 'Weak')
    const changed = await browser.post('/api/identity/change-password', {
      currentPassword: password,
      newPassword: 'Welcome2026!!',
    })
    expect([changed.status, changed.body]).toMatchObject([400, { code: 'WEAK_PASSWORD' }])
    await browser.post('/api/identity/request-password-reset', {
      email: 'hal@weak.test',
      redirectTo: '/sign-in',
    })
    const { link } = await test.mailTo('hal@weak.test')
    const token = /reset-password\/([^?]+)/.exec(String(link))?.[1]
    const reset = (newPassword: string) =>
      test.newBrowser().post('/api/identity/reset-password', { newPassword, token })
    expect((await reset('hal@weak.test')).status).toBe(400)
    expect((await reset('a new passphrase of mine')).status).toBe(200)
    expect((await browser.get('/api/auth/current-user')).status).toBe(401)
  })
})

describe('attempts', () => {
  const guarded = () => {
    const { config, database, mail, seal, log } = test.deps
    const identity = createIdentity({ config, database, mail, seal, log, now: () => new Date() })
    const app = createApp({ ...test.deps, config: { ...config, trustedProxies: ['10.0.0.0/8'] }, identity })
    return async (path: string, body: object, from: string) =>
      app.fetch(
        new Request(`${origin}/api/identity${path}`, {
          method: 'POST',
          headers: { origin, 'content-type': 'application/json', 'x-forwarded-for': `6.6.6.6, ${from}` },
          body: JSON.stringify(body),
        }),
        { incoming: { socket: { remoteAddress: '10.1.2.3' } } },
      )
  }
  const statuses = (answers: Response[]) => answers.map(({ status }) => status)
  const many = <T>(count: number, make: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => make(index)))

  it('at one account from one place end after ten, for known and unknown alike', async () => {
    await test.signedIn('ivy@guess.test', 'Guess')
    const post = guarded()
    for (const email of ['ivy@guess.test', 'nobody@guess.test']) {
      const guess = () => post('/sign-in/email', { email, password: 'wrong password' }, '192.0.2.1')
      const answers = [...(await many(10, guess)), await guess()]
      expect(statuses(answers)).toEqual([...Array(10).fill(401), 429])
      expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
      await run(test.db.ownerUrl, `delete from attempt_budgets where key like 'network:%'`)
    }
  })

  it('from ever new places end at ninety a day, and leave the owner in where they are signed in', async () => {
    await test.signedIn('jon@spray.test', 'Spray')
    const post = guarded()
    await run(
      test.db.ownerUrl,
      `update session set "ipAddress" = '198.51.100.7' where id = (select max(id) from session)`,
    )
    await post('/sign-in/email', { email: 'jon@spray.test', password: 'wrong password' }, '192.0.2.200')
    await run(test.db.ownerUrl, `update attempt_budgets set used = 90 where key like 'account:%'`)
    const from = (address: string) => post('/sign-in/email', { email: 'JON@spray.test', password }, address)
    expect((await from('192.0.2.201')).status).toBe(429)
    expect((await from('198.51.100.7')).status).toBe(200)
  })

  it('of one network of IPv6 count together', async () => {
    const post = guarded()
    const guess = (index: number) =>
      post(
        '/sign-in/email',
        { email: `u${index}@six.test`, password: 'wrong password' },
        `2001:db8:1:2::${index + 1}`,
      )
    const answers = statuses(await many(31, guess))
    expect(answers.filter((status) => status === 429)).toHaveLength(1)
    expect(
      (await post('/sign-in/email', { email: 'v@six.test', password: 'x' }, '2001:db8:1:3::1')).status,
    ).toBe(401)
  })

  it('to have mail sent to one address end after five, for known and unknown alike', async () => {
    await test.signedIn('kay@flood.test', 'Flood')
    const post = guarded()
    for (const email of ['kay@flood.test', 'nobody@flood.test']) {
      const answers = await many(6, (index) =>
        post('/request-password-reset', { email, redirectTo: '/sign-in' }, `203.0.113.${index}`),
      )
      expect(statuses(answers).sort()).toEqual([200, 200, 200, 200, 200, 429])
    }
  })

  it('answer the same to a known and an unknown account', async () => {
    await test.signedIn('lea@same.test', 'Same')
    for (const [path, body] of [
      ['/sign-in/email', { password: 'wrong password' }],
      ['/request-password-reset', { redirectTo: '/sign-in' }],
      ['/send-verification-email', {}],
    ] as const) {
      const answers = await many(2, (index) =>
        test
          .newBrowser()
          .post(`/api/identity${path}`, { ...body, email: ['lea@same.test', 'no@same.test'][index] }),
      )
      expect(answers[0]?.text).toBe(answers[1]?.text)
      expect(answers[0]?.status).toBe(answers[1]?.status)
    }
  })
})
