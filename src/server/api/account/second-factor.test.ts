import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, origin, password, type TestApp, type TestBrowser } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'
import { appCode } from '#test/identity/app-code.ts'
import { declareSecret } from '#test/leaks.ts'
import { createApp } from '../../app.ts'
import { createIdentity } from '../../providers/identity/create-identity.ts'
import { rotateSecondFactors } from '../../providers/identity/rotate-second-factors.ts'
import { createSeal } from '../../seal.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
afterAll(() => test.close())

const call = (browser: TestBrowser, path: string, body: object) =>
  browser.post(`/api/identity/two-factor/${path}`, body)
const signIn = (browser: TestBrowser, email: string) =>
  browser.post('/api/identity/sign-in/email', { email, password })

/** A person with a confirmed second factor. */
async function factored(email: string) {
  const browser = await test.signedIn(email, email.split('@')[0] ?? '')
  const begun = await call(browser, 'enable', { password })
  const { totpURI, backupCodes } = begun.body as unknown as { totpURI: string; backupCodes: string[] }
  const secret = new URL(totpURI).searchParams.get('secret') ?? ''
  declareSecret('the secret of an app', secret, ['database', 'log'])
  for (const code of backupCodes) declareSecret('a recovery code', code, ['database', 'log'])
  return { browser, secret, backupCodes, totpURI }
}

async function confirmed(email: string) {
  const person = await factored(email)
  const answer = await call(person.browser, 'verify-totp', { code: appCode(person.secret) })
  expect(answer.status).toBe(200)
  return person
}

const whoIs = async (browser: TestBrowser) => (await browser.get('/api/auth/current-user')).status
const actionsOf = (email: string) =>
  run<{ action: string }>(
    test.db.ownerUrl,
    `select action from audit_log where actor_email = '${email}' and action <> 'organization_created' order by id`,
  ).then((rows) => rows.map(({ action }) => action))

describe('a second factor', () => {
  it('counts only after a code, and is told by mail and in the activity log', async () => {
    const { browser, secret, backupCodes, totpURI } = await factored('ann@ann-factor.test')
    expect(new URL(totpURI).protocol).toBe('otpauth:')
    expect(new Set(backupCodes).size).toBe(10)
    const stranger = test.newBrowser()
    await signIn(stranger, 'ann@ann-factor.test')
    expect(await whoIs(stranger)).toBe(200)
    expect((await call(browser, 'verify-totp', { code: '000000' })).status).toBe(401)
    expect((await call(browser, 'verify-totp', { code: appCode(secret) })).status).toBe(200)
    const { body } = await browser.get('/api/auth/current-user')
    expect(body).toMatchObject({ hasSecondFactor: true, organization: { role: 'owner' } })
    expect(await test.mailTo('ann@ann-factor.test')).toMatchObject({
      subject: 'Two-factor authentication was turned on',
    })
    expect(await actionsOf('ann@ann-factor.test')).toEqual(['signed_in', 'signed_in', 'second_factor_on'])
  })

  it('is asked for after the password, and the password alone opens nothing', async () => {
    const { secret } = await confirmed('ben@ben-factor.test')
    const elsewhere = test.newBrowser()
    const asked = await signIn(elsewhere, 'ben@ben-factor.test')
    expect(asked.body).toMatchObject({ twoFactorRedirect: true })
    expect([...elsewhere.cookies].filter(([name, value]) => value !== '' && name.endsWith('device'))).toEqual(
      [],
    )
    expect(await whoIs(elsewhere)).toBe(401)
    expect(await actionsOf('ben@ben-factor.test')).toEqual(['signed_in', 'second_factor_on'])
    const answer = await call(elsewhere, 'verify-totp', { code: appCode(secret, 1) })
    expect([answer.status, await whoIs(elsewhere)]).toEqual([200, 200])
    expect(await actionsOf('ben@ben-factor.test')).toEqual(['signed_in', 'second_factor_on', 'signed_in'])
  })

  it('takes each recovery code once, in any spelling, and stores none', async () => {
    const { backupCodes } = await confirmed('cat@cat-factor.test')
    const [code = ''] = backupCodes
    const answers: number[] = []
    for (const typed of [code.toUpperCase().replaceAll('-', ' '), code]) {
      const elsewhere = test.newBrowser()
      await signIn(elsewhere, 'cat@cat-factor.test')
      answers.push((await call(elsewhere, 'verify-backup-code', { code: typed })).status)
    }
    expect(answers).toEqual([200, 401])
    expect(await test.mailTo('cat@cat-factor.test')).toMatchObject({ subject: 'A recovery code was used' })
    const [row] = await run<{ codes: string }>(
      test.db.ownerUrl,
      `select "backupCodes" as codes from "twoFactor" f join "user" u on u.id = f."userId" where email = 'cat@cat-factor.test'`,
    )
    const hashes = JSON.parse(row?.codes ?? '[]') as string[]
    expect(hashes.length).toBe(9)
    // A reader of the database has hashes, which are no codes.
    const elsewhere = test.newBrowser()
    await signIn(elsewhere, 'cat@cat-factor.test')
    expect(
      (await call(elsewhere, 'verify-backup-code', { code: String(hashes[0]).slice(0, 40) })).status,
    ).toBe(401)
  })

  it('takes a code of the app as the app shows it, with a space in the middle', async () => {
    const { browser, secret } = await factored('gil@gil-factor.test')
    const shown = (step: number) => appCode(secret, step).replace(/^\d{3}/, '$& ')
    expect((await call(browser, 'verify-totp', { code: shown(0) })).status).toBe(200)
    expect((await call(browser, 'disable', { password, code: shown(1) })).status).toBe(200)
  })

  it('is turned off, and its recovery codes renewed, by password and code together', async () => {
    const { browser, secret, backupCodes } = await confirmed('dan@dan-factor.test')
    for (const path of ['disable', 'generate-backup-codes']) {
      const wrong = { password, code: '000000' }
      expect((await call(browser, path, wrong)).status).toBe(400)
      const right = { password: 'not the password', code: appCode(secret, path === 'disable' ? 0 : 1) }
      expect((await call(browser, path, right)).status).toBe(400)
      await run(test.db.ownerUrl, `delete from attempt_budgets where key like 'factor:%'`)
    }
    const renewed = await call(browser, 'generate-backup-codes', { password, code: backupCodes[0] })
    expect(renewed.status).toBe(200)
    expect((await call(browser, 'disable', { password, code: backupCodes[1] })).status).toBe(400)
    const { backupCodes: fresh } = renewed.body as unknown as { backupCodes: string[] }
    expect((await call(browser, 'disable', { password, code: fresh[0] })).status).toBe(200)
    expect((await browser.get('/api/auth/current-user')).body).toMatchObject({ hasSecondFactor: false })
    const elsewhere = test.newBrowser()
    await signIn(elsewhere, 'dan@dan-factor.test')
    expect(await whoIs(elsewhere)).toBe(200)
    expect(await actionsOf('dan@dan-factor.test')).toContain('second_factor_off')
  })

  it('ends the sessions that began by the password alone, and keeps the one that turned it on', async () => {
    const { browser, secret } = await factored('gil@gil-factor.test')
    const elsewhere = test.newBrowser()
    await signIn(elsewhere, 'gil@gil-factor.test')
    expect(await whoIs(elsewhere)).toBe(200)
    expect((await call(browser, 'verify-totp', { code: appCode(secret) })).status).toBe(200)
    expect([await whoIs(browser), await whoIs(elsewhere)]).toEqual([200, 401])
  })

  it('asks for the password before it spends a code, and notes a recovery code that it spent', async () => {
    const { browser, backupCodes } = await confirmed('hal@hal-factor.test')
    const [code] = backupCodes
    expect((await call(browser, 'disable', { password: 'not the password', code })).status).toBe(400)
    expect((await call(browser, 'disable', { password, code })).status).toBe(200)
    const actions = await actionsOf('hal@hal-factor.test')
    expect(actions.filter((action) => action !== 'signed_in')).toEqual([
      'second_factor_on',
      'recovery_code_used',
      'second_factor_off',
    ])
    const again = await call(browser, 'disable', { password, code: backupCodes[1] })
    expect([again.status, again.body]).toMatchObject([
      400,
      { error: { message: 'Two-factor authentication is off. Turn it on first.' } },
    ])
  })
})

describe('codes', () => {
  /** The same database, with the limits that the tests above lift. */
  function limited() {
    const { config, database, mail, seal, log, now } = test.deps
    const identity = createIdentity({ config, database, mail, seal, log, now })
    const app = test.watch(createApp({ ...test.deps, identity }, { limitCalls: () => {} }))
    const cookies = new Map<string, string>()
    return async (path: string, body: object) => {
      const answer = await app.fetch(
        new Request(`${origin}/api/identity${path}`, {
          method: 'POST',
          headers: {
            origin,
            'content-type': 'application/json',
            cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
          },
          body: JSON.stringify(body),
        }),
      )
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        cookies.set(name, value)
      }
      return answer.status
    }
  }

  it('are taken once, and wrong ones only ten times, over any number of sign-ins', async () => {
    const { secret } = await confirmed('eve@eve-factor.test')
    const code = appCode(secret, 1)
    const answers: number[] = []
    for (let round = 0; round < 2; round += 1) {
      const ask = limited()
      await ask('/sign-in/email', { email: 'eve@eve-factor.test', password })
      answers.push(await ask('/two-factor/verify-totp', { code }))
    }
    expect(answers).toEqual([200, 400])
    const wrong: number[] = []
    for (let round = 0; round < 4; round += 1) {
      const ask = limited()
      await ask('/sign-in/email', { email: 'eve@eve-factor.test', password })
      for (let index = 0; index < 3; index += 1)
        wrong.push(await ask('/two-factor/verify-totp', { code: `00000${round * 3 + index}`.slice(-6) }))
    }
    // One place of the ten was taken by the code that came twice.
    expect(wrong.filter((status) => status === 401).length).toBe(9)
    expect(wrong.slice(9)).toEqual([429, 429, 429])
  })

  it('go on after the sealing key was rotated and the old one taken out', async () => {
    const { secret } = await confirmed('fay@fay-factor.test')
    const [old, fresh] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
    const both = createSeal(
      new Map([
        [1, old],
        [2, fresh],
      ]),
    )
    const rotation = await rotateSecondFactors({ ...test.deps, seal: both })
    expect(rotation).toMatchObject({ left: 0, unreadable: 0 })
    const seal = createSeal(new Map([[2, fresh]]))
    const identity = createIdentity({ ...test.deps, seal, isRateLimited: false })
    const app = createApp({ ...test.deps, seal, identity }, { limitCalls: () => {} })
    const post = (path: string, body: object, cookie = '') =>
      app.fetch(
        new Request(`${origin}/api/identity${path}`, {
          method: 'POST',
          headers: { origin, 'content-type': 'application/json', cookie },
          body: JSON.stringify(body),
        }),
      )
    const asked = await post('/sign-in/email', { email: 'fay@fay-factor.test', password })
    const cookie = asked.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const answer = await post('/two-factor/verify-totp', { code: appCode(secret) }, cookie)
    expect(answer.status).toBe(200)
  })
})
