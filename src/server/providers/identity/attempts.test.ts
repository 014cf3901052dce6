import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, origin, password, type TestApp } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'
import { type App, createApp } from '../../app.ts'
import { createIdentity } from './create-identity.ts'
import { createHashQueue } from './hash-queue.ts'
import { servedCalls } from './paths.ts'

let test: TestApp
let app: App
beforeAll(async () => {
  test = await openTestApp()
  const { config, database, mail, seal, log } = test.deps
  const identity = createIdentity({ config, database, mail, seal, log, now: () => new Date() })
  app = createApp({ ...test.deps, config: { ...config, trustedProxies: ['10.0.0.0/8'] }, identity })
})
afterAll(() => test.close())

/** Sends a request from a network address and returns the cookies of the answer. */
async function ask(path: string, from: string, body?: object, cookie = '') {
  const answer = await app.fetch(
    new Request(`${origin}/api/identity${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { origin, cookie, 'content-type': 'application/json', 'x-forwarded-for': from },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
    { incoming: { socket: { remoteAddress: '10.1.2.3' } } },
  )
  const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0])
  return { status: answer.status, text: await answer.text(), cookie: cookies.join('; ') }
}

const spend = (key: string, used: number) =>
  run(test.db.ownerUrl, `update attempt_budgets set used = ${used} where key like '${key}'`)
const countBudgets = async () =>
  (await run<{ n: number }>(test.db.ownerUrl, 'select count(*)::int as n from attempt_budgets'))[0]?.n

describe('an attempt that nobody could answer', () => {
  it.each([
    ['/sign-in/email', { x: 1 }],
    ['/sign-in/email', { email: 'ann@house.test', password: 1 }],
    ['/sign-in/email', { email: 'ann@house.test', password: 'x'.repeat(129) }],
    ['/sign-up/email', { email: 'ann@house.test', password }],
    ['/reset-password', { newPassword: password }],
    ['/update-user', { name: { a: 1 } }],
  ])('at %s with %j uses up no budget', async (path, body) => {
    const before = await countBudgets()
    expect((await ask(path, '192.0.2.9', body)).status).toBe(400)
    expect(await countBudgets()).toBe(before)
  })
})

describe('guesses of others', () => {
  const guessAt = (email: string, from: string, cookie = '') =>
    ask('/sign-in/email', from, { email, password: 'wrong password' }, cookie)
  const signIn = (email: string, from: string, chosen = password, cookie = '') =>
    ask('/sign-in/email', from, { email, password: chosen }, cookie)

  it('do not keep a device out that has been signed in before, nor do its own help another', async () => {
    for (const email of ['ben@house.test', 'cat@other.test']) await test.signedIn(email, email)
    const { cookie } = await signIn('ben@house.test', '192.0.2.20')
    const device = cookie.split('; ').find((pair) => pair.includes('.device=')) ?? ''
    expect(device).not.toBe('')
    await guessAt('ben@house.test', '192.0.2.21')
    await spend('account:%', 90)
    await spend('network:%', 30)
    expect((await signIn('ben@house.test', '192.0.2.21')).status).toBe(429)
    expect((await signIn('ben@house.test', '192.0.2.21', password, device)).status).toBe(200)

    const asked = { email: 'ben@house.test', redirectTo: '/sign-in' }
    await ask('/request-password-reset', '192.0.2.25', asked)
    await spend('mail:%', 5)
    expect((await ask('/request-password-reset', '192.0.2.25', asked)).status).toBe(429)
    expect((await ask('/request-password-reset', '192.0.2.25', asked, device)).status).toBe(200)

    // The cookie counts only for its own address and cannot be invented.
    await guessAt('cat@other.test', '192.0.2.22')
    await spend('account:%', 90)
    expect((await signIn('cat@other.test', '192.0.2.23', password, device)).status).toBe(429)
    const forged = device.replace(/=\w/, (first) => (first === '=A' ? '=B' : '=A'))
    expect((await signIn('ben@house.test', '192.0.2.24', password, forged)).status).toBe(429)
  })

  it('of a device count against that device', async () => {
    await test.signedIn('dan@device.test', 'Device')
    const { cookie } = await signIn('dan@device.test', '192.0.2.30')
    const device = cookie.split('; ').find((pair) => pair.includes('.device=')) ?? ''
    const answers: number[] = []
    for (let index = 0; index < 11; index += 1)
      answers.push((await guessAt('dan@device.test', `192.0.3.${index}`, device)).status)
    expect(answers).toEqual([...Array(10).fill(401), 429])
  })

  it.each<[string, object]>([
    ['/change-password', { currentPassword: 'wrong password', newPassword: 'another horse battery' }],
    ['/two-factor/enable', { password: 'wrong password' }],
    ['/two-factor/disable', { password: 'wrong password', code: '000000' }],
    ['/two-factor/generate-backup-codes', { password: 'wrong password', code: '000000' }],
  ])(
    'in a session that they hold count at %s as at the sign-in, and a right one clears them',
    async (path, body) => {
      const email = `guy@held${path.replaceAll('/', '-')}.test`
      await test.signedIn(email, path)
      const { cookie } = await signIn(email, '192.0.2.60')
      await run(test.db.ownerUrl, 'update "user" set "twoFactorEnabled" = true where email = $1', [email])
      const guess = (from: string) => ask(path, from, body, cookie)
      for (let count = 0; count < 10; count += 1) expect((await guess('192.0.2.61')).status).toBe(400)
      expect((await guess('192.0.2.61')).status).toBe(429)
      expect((await ask('/two-factor/enable', '192.0.2.62', { password }, cookie)).status).toBe(200)
      for (let count = 0; count < 10; count += 1) expect((await guess('192.0.2.62')).status).toBe(400)
      await spend('account:%', 90)
      expect((await guess('192.0.2.63')).status).toBe(429)
      await run(test.db.ownerUrl, 'delete from attempt_budgets')
    },
  )

  it('are forgotten when the address is proven: by a reset, and by the link of a sign-up', async () => {
    await test.signedIn('eve@reset.test', 'Reset')
    await guessAt('eve@reset.test', '192.0.2.40')
    await spend('account:%', 90)
    await spend('pair:%', 10)
    expect((await signIn('eve@reset.test', '192.0.2.40')).status).toBe(429)
    await ask('/request-password-reset', '192.0.2.40', { email: 'eve@reset.test', redirectTo: '/sign-in' })
    const { link } = await test.mailTo('eve@reset.test')
    const token = /reset-password\/([^?]+)/.exec(String(link))?.[1]
    const chosen = 'a new passphrase of eve'
    expect((await ask('/reset-password', '192.0.2.40', { token, newPassword: chosen })).status).toBe(200)
    expect((await signIn('eve@reset.test', '192.0.2.40', chosen)).status).toBe(200)

    const signUp = { name: 'Fay', email: 'fay@proven.test', password }
    const { cookie } = await ask('/sign-up/email', '192.0.2.50', signUp)
    await guessAt('fay@proven.test', '192.0.2.50')
    await spend('account:%', 90)
    await spend('pair:%', 10)
    expect((await signIn('fay@proven.test', '192.0.2.50')).status).toBe(429)
    const { link: proof } = await test.mailTo('fay@proven.test')
    const followed = String(proof).slice(`${origin}/api/identity`.length)
    expect((await ask(followed, '192.0.2.50', undefined, cookie)).status).toBe(302)
    expect((await signIn('fay@proven.test', '192.0.2.50')).status).toBe(200)
  })
})

describe('mail that anybody can have sent', () => {
  const forms = [
    'victim@flood.test',
    'VICTIM@flood.test',
    'victim+1@flood.test',
    'victim+2@flood.test',
  ] as const
  beforeAll(async () => {
    for (const form of forms) await ask('/sign-up/email', '203.0.113.1', { email: form, name: 'V', password })
  })
  const bodies: Record<string, (email: string) => object> = {
    '/sign-in/email': (to) => ({ email: to, password }),
    '/sign-in/demo': () => ({}),
    '/sign-in/social': () => ({ provider: 'oidc' }),
    '/sign-up/email': (to) => ({ email: to, name: 'V', password }),
    '/sign-up/complete': () => ({ token: 'x', newPassword: password }),
    '/sign-out': () => ({}),
    '/request-password-reset': (to) => ({ email: to, redirectTo: '/sign-in' }),
    '/reset-password': () => ({ token: 'x', newPassword: password }),
    '/change-password': () => ({ currentPassword: password, newPassword: `${password} too` }),
    '/update-user': () => ({ name: 'V' }),
    '/change-email': (to) => ({ newEmail: to, password }),
    '/change-email/look': () => ({ token: 'x' }),
    '/change-email/confirm': () => ({ token: 'x' }),
    '/two-factor/enable': () => ({ password }),
    '/two-factor/verify-totp': () => ({ code: '000000' }),
    '/two-factor/verify-backup-code': () => ({ code: 'none' }),
    '/two-factor/generate-backup-codes': () => ({ password, code: '000000' }),
    '/two-factor/disable': () => ({ password, code: '000000' }),
    '/send-verification-email': (to) => ({ email: to }),
  }
  const calls = [...servedCalls].filter((call) => call.startsWith('POST ')).map((call) => call.slice(5))

  it.each(calls)(
    'by %s comes five times an hour to one mailbox, from however many networks',
    async (path) => {
      const bodyOf = bodies[path]
      if (bodyOf === undefined) throw new Error(`No body for ${path}`)
      await run(test.db.ownerUrl, 'delete from outbox; delete from attempt_budgets')
      for (let index = 0; index < 14; index += 1) {
        await ask(path, `203.0.113.${index}`, bodyOf(forms[index % forms.length] ?? ''))
      }
      const sent = 'select count(*)::int as n from outbox'
      const [row] = await run<{ n: number }>(test.db.ownerUrl, sent)
      expect(row?.n).toBeLessThanOrEqual(5)
      if (path === '/sign-up/email' || path === '/send-verification-email') expect(row?.n).toBe(5)
    },
  )
})

describe('links of mails', () => {
  it.each(['/reset-password/nobodys?callbackURL=/', '/verify-email?token=nobodys&callbackURL=/'])(
    'such as %s are followed sixty times a minute from one network',
    async (path) => {
      const from = path.startsWith('/reset') ? '198.51.100.1' : '198.51.100.2'
      const statuses: number[] = []
      for (let index = 0; index < 61; index += 1) statuses.push((await ask(path, from)).status)
      expect(statuses).toEqual([...Array(60).fill(302), 429])
      expect((await ask(path, '198.51.100.3')).status).toBe(302)
    },
  )
})

describe('the queue for hashing', () => {
  it('lets few in at a time, refuses a flood, and keeps a place and a turn for known devices', async () => {
    const inTurn = createHashQueue({ atOnce: 4, keptForKnown: 1, waitingMax: 10 })
    const begun: string[] = []
    const ends: (() => void)[] = []
    const come = (name: string, isKnown: boolean) =>
      inTurn(isKnown, async () => {
        begun.push(name)
        await new Promise<void>((end) => ends.push(end))
      })
    const flood = Array.from({ length: 20 }, (_, index) => come(`s${index}`, false))
    const refused = Promise.allSettled(flood).then((all) =>
      all.filter(({ status }) => status === 'rejected').map((one) => (one as PromiseRejectedResult).reason),
    )
    await come('never', false).catch((error) => {
      expect(error).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
    })
    const known = [come('k0', true), come('k1', true)]
    await Promise.resolve()
    await Promise.resolve()
    expect(begun).toEqual(['s0', 's1', 's2', 'k0'])
    ends.shift()?.()
    await expect.poll(() => begun).toEqual(['s0', 's1', 's2', 'k0', 'k1'])
    while (begun.length < 15 || ends.length > 0) {
      ends.shift()?.()
      await Promise.resolve()
    }
    await Promise.all(known)
    expect(await refused).toHaveLength(7)
  })

  it('gives the place back of whoever fails', async () => {
    const inTurn = createHashQueue({ atOnce: 1, keptForKnown: 0, waitingMax: 1 })
    await expect(inTurn(false, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await inTurn(false, async () => 'in')).toBe('in')
  })
})
