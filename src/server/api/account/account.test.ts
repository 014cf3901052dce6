import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, password, type TestApp, type TestBrowser } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'
import { domainTaken } from '../../work/organization/create-organization.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
afterAll(() => test.close())

const create = (browser: TestBrowser, name: string, slug: string) =>
  browser.post('/api/identity/organization/create', { name, slug })

/** Signs up, opens the link in the mail, and returns as a signed-in person. */
async function signUp(email: string): Promise<TestBrowser> {
  const browser = test.newBrowser()
  const signedUp = await browser.post('/api/identity/sign-up/email', { name: 'Ada', email, password })
  expect(signedUp.status).toBe(200)
  const { link } = await test.mailTo(email.toLowerCase())
  const verified = await browser.get(String(link))
  expect(verified.status).toBe(302)
  return browser
}

describe('a new user', () => {
  it('signs up, verifies, creates an organization and finds it active', async () => {
    const browser = await signUp('ada@harbour.test')
    const before = await browser.get('/api/auth/current-user')
    expect(before.body).toMatchObject({
      email: 'ada@harbour.test',
      needsOrganization: true,
      setupProgress: null,
    })

    expect((await create(browser, 'Harbour', 'harbour')).status).toBe(200)
    const after = await browser.get('/api/auth/current-user')
    expect(after.body).toMatchObject({
      needsOrganization: false,
      organization: { name: 'Harbour', role: 'owner' },
      setupComplete: false,
      setupProgress: { currentStep: 'hubspot', hubspotConnected: false, dataImported: false },
    })
  })

  it('finds the organization active again after the next sign-in', async () => {
    const browser = test.newBrowser()
    await browser.post('/api/identity/sign-in/email', { email: 'ada@harbour.test', password })
    const { body } = await browser.get('/api/auth/current-user')
    expect(body).toMatchObject({ organization: { name: 'Harbour' } })
  })

  it('is not signed in before the address is verified', async () => {
    const browser = test.newBrowser()
    await browser.post('/api/identity/sign-up/email', { name: 'Eve', email: 'eve@quay.test', password })
    await browser.post('/api/identity/sign-in/email', { email: 'eve@quay.test', password })
    expect((await browser.get('/api/auth/current-user')).status).toBe(401)
  })

  it('learns nothing from signing up with an address that has an account', async () => {
    const fresh = await test.newBrowser().post('/api/identity/sign-up/email', {
      name: 'Zoe',
      email: 'zoe@harbour.test',
      password,
    })
    const known = await test.newBrowser().post('/api/identity/sign-up/email', {
      name: 'Zoe',
      email: 'ada@harbour.test',
      password,
    })
    expect(known.status).toBe(fresh.status)
    expect(known.text).toBe(fresh.text)
    expect((await test.mailTo('ada@harbour.test')).subject).toBe('You already have an account')
  })
})

describe('the domain of an organization', () => {
  it('is refused to the second user, in whatever spelling', async () => {
    const browser = await signUp('Bob@Sub.HARBOUR.test')
    const refused = await create(browser, 'Another', 'another')
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ error: { message: domainTaken } })
    expect(await run(test.db.ownerUrl, `select 1 from organization where slug = 'another'`)).toEqual([])
    const { body } = await browser.get('/api/auth/current-user')
    expect(body).toMatchObject({ needsOrganization: true })
  })

  it('goes to exactly one of two who come at once', async () => {
    const browsers = await Promise.all([signUp('one@race.test'), signUp('two@race.test')])
    const answers = await Promise.all(
      browsers.map((browser, index) => create(browser, 'Race', `race-${index}`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  })

  it('is not claimed by personal addresses', async () => {
    expect((await create(await signUp('kim@gmail.com'), 'Kim', 'kim')).status).toBe(200)
    expect((await create(await signUp('lou@gmail.com'), 'Lou', 'lou')).status).toBe(200)
  })

  it('tells a caller only of their own', async () => {
    const browser = await signUp('carl@harbour.test')
    const ask = (emailDomain: string) => browser.post('/api/auth/check-domain-users', { emailDomain })
    expect((await ask('harbour.test')).body).toMatchObject({ isFirstUser: false })
    expect((await ask('HARBOUR.test.')).body).toMatchObject({ isFirstUser: false })
    expect((await ask('race.test')).status).toBe(403)
    const first = await signUp('first@island.test')
    expect((await first.post('/api/auth/check-domain-users', { emailDomain: 'island.test' })).body).toEqual({
      isFirstUser: true,
      inviters: [],
    })
  })

  it('names owners and admins in short to a colleague, without addresses', async () => {
    const owner = await test.signedIn('robin@named.test', 'Named')
    const sam = await signUp('sam@named.test')
    const ask = async () =>
      (await sam.post('/api/auth/check-domain-users', { emailDomain: 'named.test' })).body
    expect(await ask()).toEqual({ isFirstUser: false, inviters: [] })
    await owner.post('/api/identity/update-user', { name: 'Robin van Dalen' })
    expect(await ask()).toEqual({ isFirstUser: false, inviters: ['Robin D.'] })
  })
})

describe('an invitation', () => {
  it('to exactly this address is accepted once, and the organization becomes active', async () => {
    const owner = await test.signedIn('olga@pier.test', 'Pier')
    const invited = await owner.post('/api/identity/organization/invite-member', {
      email: 'nia@mail.pier.test',
      role: 'member',
    })
    expect(invited.status).toBe(200)
    expect((await test.mailTo('nia@mail.pier.test')).link).toContain('/org-selection?invitationId=')

    const guest = await signUp('nia@mail.pier.test')
    const check = () => guest.post('/api/auth/check-pending-invitations')
    expect((await check()).body).toEqual({ hasPendingInvitation: true, autoAccepted: true })
    expect((await guest.get('/api/auth/current-user')).body).toMatchObject({
      organization: { id: owner.organizationId, role: 'member' },
    })
    expect((await check()).body).toEqual({ hasPendingInvitation: false, autoAccepted: false })
  })

  it.each(['cfo@bigcorp.test', 'cfo@gmail.com'])(
    'of an organization that has not claimed the domain waits for the answer of %s, who is told whose it is',
    async (email) => {
      const lure = await test.signedIn(`lure-of-${email.split('@')[1]}@gmail.com`, `Finance of ${email}`)
      await lure.post('/api/identity/organization/invite-member', { email, role: 'admin' })
      const guest = await signUp(email)
      expect((await guest.post('/api/auth/check-pending-invitations')).body).toEqual({
        hasPendingInvitation: true,
        autoAccepted: false,
      })
      expect((await guest.get('/api/auth/current-user')).body).toMatchObject({ organization: null })
      const { body } = await guest.get('/api/identity/organization/list-user-invitations')
      expect(body).toEqual({
        invitations: [
          {
            id: expect.any(String),
            organizationName: `Finance of ${email}`,
            inviterEmail: `lure-of-${email.split('@')[1]}@gmail.com`,
            isFromOwnDomain: false,
          },
        ],
        taken: [],
      })
      const [{ id: invitationId }] = (body as never as { invitations: [{ id: string }] }).invitations
      const accepted = await guest.post('/api/identity/organization/accept-invitation', { invitationId })
      expect(accepted.status).toBe(200)
    },
  )

  it('ends with the membership: the next request is refused', async () => {
    const owner = await test.signedIn('otto@dock.test', 'Dock')
    await owner.post('/api/identity/organization/invite-member', { email: 'pia@dock.test', role: 'member' })
    const guest = await signUp('pia@dock.test')
    await guest.post('/api/auth/check-pending-invitations')
    expect((await guest.get('/api/settings/sync')).status).toBe(200)
    const { members } = (await owner.get('/api/identity/organization/members')).body as never as {
      members: { id: string; email: string }[]
    }
    const memberId = members.find(({ email }) => email === 'pia@dock.test')?.id
    expect((await owner.post('/api/identity/organization/remove-member', { memberId })).status).toBe(200)
    expect((await guest.get('/api/settings/sync')).body).toMatchObject({
      error: { code: 'needs_organization' },
    })
  })

  it('opens nothing once it is too old', async () => {
    const owner = await test.signedIn('rob@late.test', 'Late')
    const asked = { email: 'ivo@else.test', role: 'member' }
    const { body } = await owner.post('/api/identity/organization/invite-member', asked)
    await run(
      test.db.ownerUrl,
      `update invitation set "expiresAt" = now() - interval '1 second'
      where email = 'ivo@else.test'`,
    )
    const guest = await signUp('ivo@else.test')
    const { id: invitationId } = body as never as { id: string }
    const accepted = await guest.post('/api/identity/organization/accept-invitation', { invitationId })
    expect(accepted.status).toBe(404)
    expect((await guest.get('/api/settings/sync')).body).toMatchObject({
      error: { code: 'needs_organization' },
    })
  })

  it('among several waits for a choice', async () => {
    for (const [email, name] of [
      ['a@first.test', 'First'],
      ['b@second.test', 'Second'],
    ] as const) {
      const owner = await test.signedIn(email, name)
      await owner.post('/api/identity/organization/invite-member', { email: 'sam@third.test', role: 'admin' })
    }
    const guest = await signUp('sam@third.test')
    expect((await guest.post('/api/auth/check-pending-invitations')).body).toEqual({
      hasPendingInvitation: true,
      autoAccepted: false,
    })
  })
})
