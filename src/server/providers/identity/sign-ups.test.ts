import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp, type TestBrowser } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
afterAll(() => test.close())

const mallory = 'the passphrase of mallory'
const victor = 'the passphrase of victor'

const signUp = (browser: TestBrowser, email: string, password: string, name = 'Somebody') =>
  browser.post('/api/identity/sign-up/email', { name, email, password, callbackURL: '/setup' })
const linkTo = async (email: string) => String((await test.mailTo(email)).link)
const signIn = (email: string, password: string) =>
  test.newBrowser().post('/api/identity/sign-in/email', { email, password })
const whoIs = async (browser: TestBrowser) => (await browser.get('/api/auth/current-user')).status
const follow = async (browser: TestBrowser, link: string) => {
  const { status, headers } = await browser.get(link)
  return [status, new URL(String(headers.get('location')), 'http://localhost')] as const
}
const accounts = (email: string) =>
  run<{ name: string }>(
    test.db.ownerUrl,
    `select u.name from "user" u join account a on a."userId" = u.id where u.email = '${email}'`,
  )

describe('a sign-up', () => {
  it('makes no account and keeps no password of one before the address is proven', async () => {
    await signUp(test.newBrowser(), 'new@lock.test', mallory)
    expect(await run(test.db.ownerUrl, `select 1 from "user" where email = 'new@lock.test'`)).toEqual([])
    expect((await signIn('new@lock.test', mallory)).body).toMatchObject({ code: 'EMAIL_NOT_VERIFIED' })
    const wrong = await signIn('new@lock.test', victor)
    const unknown = await signIn('nobody@lock.test', victor)
    expect([wrong.status, wrong.text]).toEqual([unknown.status, unknown.text])
  })

  it("of a stranger leaves nothing of the stranger's in the account of whoever proves the address", async () => {
    const [attacker, victim] = [test.newBrowser(), test.newBrowser()]
    await signUp(attacker, 'hire@victim.test', mallory, 'Mal')
    const stale = await linkTo('hire@victim.test')
    await signUp(victim, 'hire@victim.test', victor, 'Vic')
    const good = await linkTo('hire@victim.test')

    const [, refused] = await follow(victim, stale)
    expect(`${refused.pathname}${refused.search}`).toBe('/setup?error=INVALID_TOKEN')
    expect(await whoIs(victim)).toBe(401)
    const [, welcomed] = await follow(victim, good)
    expect(`${welcomed.pathname}${welcomed.search}`).toBe('/setup')
    expect(await whoIs(victim)).toBe(200)

    expect((await signIn('hire@victim.test', mallory)).status).toBe(401)
    expect((await signIn('hire@victim.test', victor)).status).toBe(200)
    expect(await accounts('hire@victim.test')).toEqual([{ name: 'Vic' }])
    await attacker.get(good)
    await attacker.get(stale)
    expect(await whoIs(attacker)).toBe(401)
  })

  it('is completed in another browser by the choice of a password, and by nothing that only follows links', async () => {
    const attacker = test.newBrowser()
    await signUp(attacker, 'phone@victim.test', mallory, 'Mal')
    const phone = test.newBrowser()
    const [status, led] = await follow(phone, await linkTo('phone@victim.test'))
    expect([status, led.pathname, led.searchParams.get('redirectUrl')]).toEqual([302, '/sign-in', '/setup'])
    expect(await accounts('phone@victim.test')).toEqual([])

    const choose = (newPassword: string) =>
      phone.post('/api/identity/sign-up/complete', { token: led.searchParams.get('signUp'), newPassword })
    for (const weak of ['short', 'phone@victim.test', 'x'.repeat(129)])
      expect((await choose(weak)).status).toBe(400)
    expect((await choose(victor)).status).toBe(200)
    expect(await whoIs(phone)).toBe(401)
    expect((await choose(mallory)).status).toBe(400)
    expect((await signIn('phone@victim.test', mallory)).status).toBe(401)
    expect((await signIn('phone@victim.test', victor)).status).toBe(200)
    expect(await accounts('phone@victim.test')).toEqual([{ name: 'phone' }])
    await follow(attacker, await linkTo('phone@victim.test'))
    expect(await whoIs(attacker)).toBe(401)
  })

  it('takes the place of an account that was never proven, with all that stood there', async () => {
    await test.signedIn('old@victim.test', 'Old')
    await run(test.db.ownerUrl, `update "user" set "emailVerified" = false where email = 'old@victim.test'`)
    const browser = test.newBrowser()
    await signUp(browser, 'old@victim.test', victor, 'Vic')
    await follow(browser, await linkTo('old@victim.test'))
    expect(await accounts('old@victim.test')).toEqual([{ name: 'Vic' }])
    expect((await signIn('old@victim.test', victor)).status).toBe(200)
  })

  it('never replaces the password of an address that was proven meanwhile', async () => {
    const late = test.newBrowser()
    await signUp(late, 'late@later.test', mallory)
    const link = await linkTo('late@later.test')
    await test.signedIn('late@later.test', 'Late')
    const [, led] = await follow(late, link)
    expect(led.searchParams.get('error')).toBe('INVALID_TOKEN')
    expect(await whoIs(late)).toBe(401)
    expect((await signIn('late@later.test', mallory)).status).toBe(401)
  })

  it('has its link sent again in place of the earlier one, and says of one that is too old that it is', async () => {
    const browser = test.newBrowser()
    await signUp(browser, 'slow@lock.test', victor)
    const earlier = await linkTo('slow@lock.test')
    await browser.post('/api/identity/send-verification-email', { email: 'slow@lock.test', callbackURL: '/' })
    const again = await linkTo('slow@lock.test')
    expect(again).not.toBe(earlier)
    expect((await follow(browser, earlier))[1].searchParams.get('error')).toBe('INVALID_TOKEN')
    await run(test.db.ownerUrl, `update sign_ups set expires_at = now() where email = 'slow@lock.test'`)
    expect((await follow(browser, again))[1].searchParams.get('error')).toBe('TOKEN_EXPIRED')
    expect(await whoIs(browser)).toBe(401)
  })

  it('keeps neither link nor cookie as they were given out', async () => {
    const browser = test.newBrowser()
    await signUp(browser, 'kept@lock.test', victor)
    const token = new URL(await linkTo('kept@lock.test')).searchParams.get('token') ?? ''
    const [cookie = ''] = decodeURIComponent(browser.cookies.get('tributary.signed_up') ?? '').split('.')
    const rows = JSON.stringify(await run(test.db.ownerUrl, 'select * from sign_ups'))
    for (const secret of [token, cookie]) {
      expect(secret.length).toBeGreaterThan(30)
      expect(rows).not.toContain(secret)
    }
  })
})
