import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, password, type TestApp, type TestBrowser } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'
import { hashOf } from '#test/identity/password-hash.ts'
import { addVerifiedUser } from '../../store/accounts/users.ts'

let test: TestApp
let owner: TestBrowser
beforeAll(async () => {
  test = await openTestApp()
  owner = await test.signedIn('olga@pier.test', 'Pier')
})
afterAll(() => test.close())

const organizationPath = '/api/identity/organization'

async function invite(email: string): Promise<string> {
  const answer = await owner.post(`${organizationPath}/invite-member`, { email, role: 'member' })
  expect(answer.status).toBe(200)
  const { link } = await test.mailTo(email)
  return new URL(link ?? '').searchParams.get('invitationId') ?? ''
}

/** A signed-in person with a verified address and without an organization. */
async function somebody(email: string): Promise<TestBrowser> {
  const passwordHash = await hashOf(password)
  await addVerifiedUser(test.deps.database, { email, name: email, passwordHash })
  const browser = test.newBrowser()
  await browser.post('/api/identity/sign-in/email', { email, password })
  return browser
}

const accept = (browser: TestBrowser, invitationId: string) =>
  browser.post(`${organizationPath}/accept-invitation`, { invitationId })

describe('the link of an invitation', () => {
  it('carries 192 bits of chance and nothing that counts', async () => {
    const tokens = await Promise.all(['a1@links.test', 'a2@links.test', 'a3@links.test'].map(invite))
    for (const token of tokens) expect(token).toMatch(/^[\w-]{32}$/)
    expect(new Set(tokens).size).toBe(3)
    const { body } = await owner.get(`${organizationPath}/members`)
    const shown = (body as { invitations?: { id: string }[] }).invitations ?? []
    expect(shown.map(({ id }) => id).sort()).toEqual(tokens.sort())
  })

  it('tells its holder who invites whom to what, and nothing once it is used, withdrawn or old', async () => {
    const read = (token: string) =>
      test.newBrowser().get(`${organizationPath}/invitation?invitationId=${token}`)
    const token = await invite('told@links.test')
    expect((await read(token)).body).toEqual({
      ...{ organizationName: 'Pier', inviterName: expect.any(String), inviterEmail: 'olga@pier.test' },
      email: 'told@links.test',
    })
    expect((await test.mailTo('told@links.test')).body).toContain(
      'invites you to join the organization “Pier”',
    )
    const [unknown, old, withdrawn] = ['x'.repeat(32), await invite('old@links.test'), token]
    await run(
      test.db.ownerUrl,
      `update invitation set "expiresAt" = now() - interval '1 second' where email = 'old@links.test'`,
    )
    await owner.post(`${organizationPath}/cancel-invitation`, { invitationId: withdrawn })
    const answers = await Promise.all([unknown, old, withdrawn].map(read))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(404)
    expect((await read('1')).status).toBe(400)
  })

  it('is no number, and a number opens nothing', async () => {
    await invite('b@links.test')
    const guest = await somebody('b@links.test')
    const [row] = await run<{ id: number }>(
      test.db.ownerUrl,
      `select id from invitation where email = 'b@links.test'`,
    )
    expect((await accept(guest, String(row?.id))).status).toBe(400)
    expect((await accept(guest, String(row?.id).padStart(32, '0'))).status).toBe(404)
  })

  it('is good once, for the address it went to, and answers anyone else as if it were unknown', async () => {
    const token = await invite('c@links.test')
    const guest = await somebody('c@links.test')
    const stranger = await somebody('eve@links.test')
    const unknown = await accept(stranger, 'x'.repeat(32))
    expect(unknown.status).toBe(404)
    expect((await accept(stranger, token)).text).toBe(unknown.text)
    expect((await accept(guest, token)).status).toBe(200)
    expect((await accept(guest, token)).text).toBe(unknown.text)
    const takenBy = async (browser: TestBrowser) =>
      (await browser.get(`${organizationPath}/list-user-invitations`)).body['taken']
    expect(await takenBy(guest)).toEqual([{ id: token, organizationId: expect.any(String) }])
    expect(await takenBy(stranger)).toEqual([])
    await guest.post(`${organizationPath}/leave`, {})
    expect(await takenBy(guest)).toEqual([])
  })

  it('is good for a verified address only', async () => {
    const token = await invite('d@links.test')
    const guest = await somebody('d@links.test')
    const setVerified = (is: boolean) =>
      run(test.db.ownerUrl, `update "user" set "emailVerified" = $1 where email = 'd@links.test'`, [is])
    await setVerified(false)
    expect((await accept(guest, token)).status).toBe(404)
    await setVerified(true)
    expect((await accept(guest, token)).status).toBe(200)
  })

  it('ends when it is withdrawn, and after two days', async () => {
    const withdrawn = await invite('e@links.test')
    await owner.post(`${organizationPath}/cancel-invitation`, { invitationId: withdrawn })
    expect((await accept(await somebody('e@links.test'), withdrawn)).status).toBe(404)
    const old = await invite('f@links.test')
    await run(
      test.db.ownerUrl,
      `update invitation set "expiresAt" = "expiresAt" - interval '48 hours 1 second' where email = 'f@links.test'`,
    )
    expect((await accept(await somebody('f@links.test'), old)).status).toBe(404)
  })

  it.each<[string, (memberId: number, admin: TestBrowser) => Promise<{ status: number }>]>([
    ['is removed', (memberId) => owner.post(`${organizationPath}/remove-member`, { memberId })],
    [
      'is made a member',
      (memberId) => owner.post(`${organizationPath}/update-member-role`, { memberId, role: 'member' }),
    ],
    ['leaves', (_, admin) => admin.post(`${organizationPath}/leave`, {})],
  ])('ends where the admin who invited %s, and others stay', async (deed, end) => {
    const tag = deed.replaceAll(' ', '-')
    const email = `admin-${tag}@links.test`
    await owner.post(`${organizationPath}/invite-member`, { email, role: 'admin' })
    const admin = await somebody(email)
    const { link } = await test.mailTo(email)
    await accept(admin, new URL(link ?? '').searchParams.get('invitationId') ?? '')
    const own = { email: `back-${tag}@links.test`, role: 'admin' }
    expect((await admin.post(`${organizationPath}/invite-member`, own)).status).toBe(200)
    const token = new URL((await test.mailTo(own.email)).link ?? '').searchParams.get('invitationId') ?? ''
    const ofOwner = await invite(`other-${tag}@links.test`)
    const { body } = await owner.get(`${organizationPath}/members`)
    const { members } = body as unknown as { members: { id: number; email: string }[] }
    expect((await end(members.find((one) => one.email === email)?.id ?? 0, admin)).status).toBe(200)
    expect((await accept(await somebody(own.email), token)).status).toBe(404)
    expect((await accept(await somebody(`other-${tag}@links.test`), ofOwner)).status).toBe(200)
  })
})
