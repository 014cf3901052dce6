import { describe, expect, it } from 'vitest'
import { openTestApp, origin } from '#test/api/test-app.ts'
import { createApp } from '../app.ts'
import { Refusal } from '../refusal.ts'
import { createCallLimit, createStrangerLimit } from './call-limit.ts'

function stage(paces?: Parameters<typeof createCallLimit>[1]) {
  let ms = 0
  const limit = createCallLimit(() => ms, paces)
  const ask = (userId: number, organizationId: number | null = null): Refusal | null => {
    try {
      limit({ userId, organizationId })
      return null
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
  }
  return { ask, pass: (by: number) => (ms += by) }
}

/** How many calls are refused when each follows the previous one after this many milliseconds. */
function refusals(calls: number, everyMs: number, userOf: (index: number) => number = () => 1): number {
  const { ask, pass } = stage()
  let refused = 0
  for (let index = 0; index < calls; index += 1) {
    if (ask(userOf(index), 7) !== null) refused += 1
    pass(everyMs)
  }
  return refused
}

const paces = { user: { perSecond: 2, atOnce: 3 }, organization: { perSecond: 4, atOnce: 5 } }

describe('the limit on calls', () => {
  it('refuses a person who asks too fast, says how long to wait, and lets them in after it', () => {
    const { ask, pass } = stage(paces)
    expect([ask(1), ask(1), ask(1)]).toEqual([null, null, null])
    expect(ask(1)).toMatchObject({
      code: 'rate_limited',
      message: 'Too many requests from you at once. Wait a second, then try again.',
      retryAfterSeconds: 1,
    })
    expect(ask(2)).toBeNull()
    pass(1_000)
    expect([ask(1), ask(1), ask(1)?.code]).toEqual([null, null, 'rate_limited'])
  })

  it('refuses an organization whose people ask too fast together, and nobody of another', () => {
    const { ask } = stage(paces)
    expect([1, 2, 3, 4, 5].map((user) => ask(user, 7))).toEqual([null, null, null, null, null])
    expect(ask(6, 7)?.message).toContain('from your organization')
    expect(ask(6, 8)).toBeNull()
  })

  it('lets one person not use up what their organization has', () => {
    const { ask } = stage()
    let passed = 0
    while (ask(1, 7) === null) passed += 1
    expect(passed).toBeGreaterThan(0)
    expect(ask(2, 7)).toBeNull()
  })

  it('does not count a refused call, so that whoever goes on asking gets in when it is time', () => {
    const { ask, pass } = stage(paces)
    for (let index = 0; index < 100; index += 1) ask(1)
    pass(500)
    expect(ask(1)).toBeNull()
  })

  it('never stops a screen that polls, two hundred tabs that come back at once, or fifty calls a second for an hour', () => {
    expect(refusals(1_800, 2_000)).toBe(0)
    expect(refusals(600, 0)).toBe(0)
    expect(refusals(50 * 3_600, 20)).toBe(0)
    expect(refusals(200 * 60, 5, (index) => index % 10)).toBe(0)
  })
})

describe('a call over the limit', () => {
  it('is answered 429 with Retry-After, before it changes anything, and public calls go on', async () => {
    const test = await openTestApp()
    try {
      const browser = await test.signedIn('ann@quay.test', 'Quay')
      const app = createApp(test.deps, { limitCalls: createCallLimit(() => 0, paces) })
      const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
      const headers = { cookie, origin, 'content-type': 'application/json' }
      const change = (enabled: boolean) =>
        app.fetch(
          new Request(`${origin}/api/setup/auto-sync`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ enabled }),
          }),
        )
      expect([(await change(true)).status, (await change(true)).status]).toEqual([200, 200])
      await app.fetch(new Request(`${origin}/api/auth/current-user`, { headers }))
      const refused = await change(false)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
      expect(await refused.json()).toEqual({
        error: {
          code: 'rate_limited',
          message: 'Too many requests from you at once. Wait a second, then try again.',
        },
      })
      expect((await browser.get('/api/setup/auto-sync')).body).toEqual({ autoSyncEnabled: true })
      const open = await app.fetch(new Request(`${origin}/api/about`, { headers }))
      expect(open.status).toBe(200)
    } finally {
      await test.close()
    }
  })
})

describe('a network from which nobody is signed in', () => {
  it('is answered at its pace, however it changes its addresses, and shuts no other out', () => {
    let ms = 0
    const limit = createStrangerLimit(() => ms, { perSecond: 10, atOnce: 3 })
    for (const last of [1, 2, 3]) limit(`2001:db8:1:2::${last}`)
    expect(() => limit('2001:db8:1:2::4')).toThrow(/your network/)
    limit('2001:db8:1:3::1')
    ms += 100
    limit('2001:db8:1:2::5')
    for (let index = 0; index < 10; index += 1) limit(undefined)
  })

  it('is limited in the calls of the product and of the identity library, and not in deliveries', async () => {
    const test = await openTestApp()
    const app = createApp(test.deps)
    const ask = async (method: string, path: string, from: string) =>
      (
        await app.fetch(new Request(`${origin}${path}`, { method, headers: { origin } }), {
          incoming: { socket: { remoteAddress: from } },
        })
      ).status
    for (const method of ['GET', 'HEAD'])
      for (const [index, path] of ['/api/about', '/api/settings/sync', '/api/identity/nothing'].entries()) {
        const answers = new Set<number>()
        for (let call = 0; call < 1_000 && !answers.has(429); call += 1)
          answers.add(await ask(method, path, `192.0.${method.length}.${index}`))
        expect([method, path, answers.has(429)]).toEqual([method, path, true])
      }
    for (let call = 0; call < 1_000; call += 1)
      expect(await ask('POST', '/api/webhooks/stripe/nobodys', '192.0.2.77')).not.toBe(429)
    await test.close()
  })
})
