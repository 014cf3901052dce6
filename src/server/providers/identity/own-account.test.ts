import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, password, type TestApp } from '#test/api/test-app.ts'

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

describe('name and picture', () => {
  it.each([
    { name: 'x'.repeat(101) },
    { name: 'x'.repeat(90_000) },
    { name: { a: 1 } },
    { name: '' },
    { name: '   ' },
    { image: 'javascript:alert(1)' },
    { image: 'data:image/png;base64,AAAA' },
    { image: `https://a.example/${'x'.repeat(80_000)}` },
    { image: 1 },
  ])('such as %j are refused', async (body) => {
    const owner = await test.signedIn('cy@name.test', 'Name')
    const answer = await owner.post('/api/identity/update-user', body)
    expect([answer.status, answer.body]).toMatchObject([400, { error: { code: 'invalid_request' } }])
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
