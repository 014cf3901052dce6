import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, password, type TestApp, type TestBrowser } from '#test/api/test-app.ts'
import { appCode } from '#test/identity/app-code.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
afterAll(() => test.close())

describe('a change of password', () => {
  const change = { currentPassword: password, newPassword: 'a new passphrase of mine' }

  it('ends every other session, whatever the caller asks for', async () => {
    const owner = await test.signedIn('ann@own.test', 'Own')
    const thief = await test.signedIn('ann@own.test', 'Own')
    const asked = { ...change, revokeOtherSessions: false }
    expect((await owner.post('/api/identity/change-password', asked)).status).toBe(200)
    expect((await thief.get('/api/auth/current-user')).status).toBe(401)
    expect((await owner.get('/api/auth/current-user')).status).toBe(200)
  })

  it('takes no address of its owner, and tells nobody who is not signed in what it would take', async () => {
    const owner = await test.signedIn('bo@mail.house.test', 'House')
    for (const newPassword of ['bo@mail.house.test', 'mail.house.test', 'bo.mail.house.test']) {
      const answer = await owner.post('/api/identity/change-password', { ...change, newPassword })
      expect([answer.status, answer.body]).toMatchObject([400, { code: 'WEAK_PASSWORD' }])
    }
    const stranger = await test.newBrowser().post('/api/identity/change-password', {
      ...change,
      newPassword: 'short',
    })
    expect(stranger.status).toBe(401)
  })
})

describe('a new password', () => {
  const chosen = 'a new passphrase of mine'

  async function mailedToken(email: string): Promise<string> {
    const asked = { email, redirectTo: '/reset-password' }
    await test.newBrowser().post('/api/identity/request-password-reset', asked)
    const { link } = await test.mailTo(email)
    return /reset-password\/([^?]+)/.exec(String(link))?.[1] ?? ''
  }
  const reset = (token: string, newPassword: string) =>
    test.newBrowser().post('/api/identity/reset-password', { token, newPassword })

  const ways: Record<string, (owner: TestBrowser, email: string) => Promise<{ status: number }>> = {
    'a link': async (_, email) => reset(await mailedToken(email), chosen),
    'the earlier one': (owner) =>
      owner.post('/api/identity/change-password', { currentPassword: password, newPassword: chosen }),
  }

  it.each(Object.entries(ways))('by %s ends the links that were mailed before', async (way, choose) => {
    const email = `ann@links-${way.replaceAll(' ', '-')}.test`
    const owner = await test.signedIn(email, `Links, ${way}`)
    const earlier = await mailedToken(email)
    expect((await choose(owner, email)).status).toBe(200)
    expect((await reset(earlier, 'a passphrase of a thief')).status).toBe(400)
  })

  it.each(Object.entries(ways))('by %s ends sign-ins that wait for a code', async (way, choose) => {
    const email = `ann@codes-${way.replaceAll(' ', '-')}.test`
    const owner = await test.signedIn(email, `Codes, ${way}`)
    const begun = await owner.post('/api/identity/two-factor/enable', { password })
    const { totpURI, backupCodes } = begun.body as unknown as { totpURI: string; backupCodes: string[] }
    const secret = new URL(totpURI).searchParams.get('secret') ?? ''
    await owner.post('/api/identity/two-factor/verify-totp', { code: appCode(secret) })
    const thief = test.newBrowser()
    const asked = await thief.post('/api/identity/sign-in/email', { email, password })
    expect(asked.body).toMatchObject({ twoFactorRedirect: true })
    expect((await choose(owner, email)).status).toBe(200)
    const code = backupCodes[0]
    expect((await thief.post('/api/identity/two-factor/verify-backup-code', { code })).status).toBe(401)
  })
})

describe('name and picture', () => {
  it.each([
    { name: 'x'.repeat(101) },
    { name: 'x'.repeat(90_000) },
    { name: { a: 1 } },
    { name: '' },
    { name: '   ' },
    { name: '\u200b' },
    { name: 'Eve\u0000' },
    { image: 'javascript:alert(1)' },
    { image: 'data:image/png;base64,AAAA' },
    { image: `https://a.example/${'x'.repeat(80_000)}` },
    { image: 1 },
  ])('such as %j are refused', async (body) => {
    const owner = await test.signedIn('cy@name.test', 'Name')
    const answer = await owner.post('/api/identity/update-user', body)
    expect([answer.status, answer.body]).toMatchObject([400, { error: { code: 'invalid_request' } }])
  })

  it('that hides or turns what stands beside it is kept as it looks', async () => {
    const owner = await test.signedIn('ed@plain.test', 'Plain')
    const name = 'Eve \u202e\u2066(robin@\u200bbigcorp.example)\r\nnot by'
    expect((await owner.post('/api/identity/update-user', { name })).status).toBe(200)
    expect((await owner.get('/api/auth/current-user')).body).toMatchObject({
      name: 'Eve (robin@bigcorp.example) not by',
    })
  })

  it('of a hundred characters, and an address by https, are kept', async () => {
    const owner = await test.signedIn('di@kept.test', 'Kept')
    const body = { name: 'x'.repeat(100), image: 'https://a.example/me.png' }
    expect((await owner.post('/api/identity/update-user', body)).status).toBe(200)
    expect((await owner.get('/api/auth/current-user')).body).toMatchObject({
      name: body.name,
      imageUrl: body.image,
    })
  })
})
