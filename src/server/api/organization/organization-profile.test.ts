import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp, type TestBrowser } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'

const path = '/api/identity/organization'
let test: TestApp
let owner: TestBrowser
let member: TestBrowser
beforeAll(async () => {
  test = await openTestApp()
  owner = await test.signedIn('own@profile.test', 'Profile')
  member = await test.signedIn('mem@other.test', 'Other')
})
afterAll(() => test.close())

const profile = async (browser = owner) => (await browser.get(`${path}/profile`)).body
const save = (body: object, browser = owner) => browser.post(`${path}/update`, body)
const wanted = { name: 'Profile', slug: 'profile', pictureUrl: null }

it('is what the organization was made with until it is changed, and each change is in the activity', async () => {
  expect(await profile()).toMatchObject({ name: 'Profile', pictureUrl: null })
  const pictureUrl = 'https://pictures.example/logo.png'
  const saved = await save({ name: ' \u202eProfile\nL\u200btd ', slug: 'profile-ltd', pictureUrl })
  expect(saved).toMatchObject({
    status: 200,
    body: { name: 'Profile Ltd', slug: 'profile-ltd', pictureUrl },
  })
  expect(await profile()).toEqual({ name: 'Profile Ltd', slug: 'profile-ltd', pictureUrl })
  expect((await owner.get('/api/auth/current-user')).body).toMatchObject({
    organization: { name: 'Profile Ltd' },
  })
  const { lines } = (await owner.get('/api/audit/activity')).body as unknown as { lines: object[] }
  expect(lines[0]).toMatchObject({
    action: 'organization_changed',
    subject: 'Profile Ltd',
    actor: 'own@profile.test',
  })
  expect(await profile(member)).toMatchObject({ name: 'Other' })
})

it.each([
  ['no name', { name: '  ' }],
  ['a name that is too long', { name: 'x'.repeat(101) }],
  ['a slug that is no part of an address', { slug: 'Two Words' }],
  ['a slug that is too long', { slug: 'x'.repeat(64) }],
  ['a picture without https', { pictureUrl: 'http://pictures.example/a.png' }],
  ['a picture that is script', { pictureUrl: 'javascript:alert(1)' }],
  ['a picture that is data', { pictureUrl: 'data:image/svg+xml,<svg/>' }],
  ['a picture with a password in its address', { pictureUrl: 'https://a:b@pictures.example/a.png' }],
  ['a picture with a long address', { pictureUrl: `https://pictures.example/${'a'.repeat(500)}` }],
])('refuses %s, and changes nothing', async (_, change) => {
  const before = await profile()
  expect(await save({ ...wanted, ...change })).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request' } },
  })
  expect(await profile()).toEqual(before)
})

it('refuses the slug of another organization, and takes its own again', async () => {
  const { slug } = (await profile(member)) as unknown as { slug: string }
  expect(await save({ ...wanted, slug })).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict' } },
  })
  expect((await save(wanted)).status).toBe(200)
  expect((await save({ ...wanted, name: 'Again' })).status).toBe(200)
})

it('of two that take a slug at once, one is refused', async () => {
  const answers = await Promise.all([
    save({ ...wanted, slug: 'raced' }),
    save({ name: 'Other', slug: 'raced', pictureUrl: null }, member),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

it('is shown to members, and changed by owners and admins alone', async () => {
  const ofMember = (role: string) =>
    run(
      test.db.ownerUrl,
      `update member set role = '${role}' where "userId" = (select id from "user" where email = 'mem@other.test')`,
    )
  await ofMember('member')
  expect(await profile(member)).toMatchObject({ pictureUrl: null })
  expect((await save({ name: 'Taken over', slug: 'taken-over', pictureUrl: null }, member)).status).toBe(403)
  await ofMember('admin')
  expect((await save({ name: 'By an admin', slug: 'by-an-admin', pictureUrl: null }, member)).status).toBe(
    200,
  )
})
