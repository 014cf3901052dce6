import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, password, type TestApp, type TestBrowser } from '#test/api/test-app.ts'
import { tributary } from '#test/cli/run-command.ts'
import { run } from '#test/database.ts'
import { appCode } from '#test/identity/app-code.ts'
import { declareSecret } from '#test/leaks.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
afterAll(() => test.close())

const command = (...args: string[]) => tributary(args, { DATABASE_URL: test.db.databaseUrl })
const activityOf = async (browser: TestBrowser) => {
  const { body } = await browser.get('/api/audit/activity')
  return (body as never as { lines: { action: string; subject: string; actor: string | null }[] }).lines
}
const whoIs = async (browser: TestBrowser) => (await browser.get('/api/auth/current-user')).status

async function withSecondFactor(email: string, organization: string) {
  const browser = await test.signedIn(email, organization)
  const call = (path: string, body: object) => browser.post(`/api/identity/two-factor/${path}`, body)
  const { totpURI, backupCodes } = (await call('enable', { password })).body as never as {
    totpURI: string
    backupCodes: string[]
  }
  const secret = new URL(totpURI).searchParams.get('secret') ?? ''
  declareSecret('the secret of an app', secret, ['database', 'log'])
  for (const code of backupCodes) declareSecret('a recovery code', code, ['database', 'log'])
  expect((await call('verify-totp', { code: appCode(secret) })).status).toBe(200)
  return browser
}

it('somebody without app and codes gets in by the password again: logged, mailed, and signed out elsewhere', async () => {
  const kim = await withSecondFactor('kim@pier.test', 'Pier')
  const [waiting, other] = [test.newBrowser(), await withSecondFactor('lou@quay.test', 'Quay')]
  const signIn = (browser: TestBrowser) =>
    browser.post('/api/identity/sign-in/email', { email: 'kim@pier.test', password })
  expect((await signIn(waiting)).body).toMatchObject({ twoFactorRedirect: true })

  expect(await command('second-factor-off', 'Kim@pier.test')).toMatchObject({
    code: 0,
    out: 'Two-factor authentication of Kim@pier.test is off. Sessions ended: 1. The person is told by mail.\n',
  })
  expect(await whoIs(kim)).toBe(401)
  expect(await whoIs(other)).toBe(200)
  const again = test.newBrowser()
  expect((await signIn(again)).body).not.toHaveProperty('twoFactorRedirect')
  expect(await whoIs(again)).toBe(200)
  const line = { action: 'second_factor_reset', subject: 'kim@pier.test', actor: null }
  expect(await activityOf(again)).toContainEqual(expect.objectContaining(line))
  expect(await test.mailTo('kim@pier.test')).toMatchObject({
    subject: 'Two-factor authentication was turned off',
    body: expect.stringContaining('signed you out everywhere'),
  })
  expect(await run(test.db.ownerUrl, 'select "userId" from "twoFactor"')).toHaveLength(1)
  expect(await run(test.db.ownerUrl, 'select email from "user" where "twoFactorEnabled"')).toEqual([
    { email: 'lou@quay.test' },
  ])
  expect(await command('second-factor-off', 'kim@pier.test')).toMatchObject({
    code: 1,
    error: expect.stringContaining('No account of kim@pier.test has two-factor authentication.'),
  })
})

it('a member becomes the owner of an organization whose last owner is gone, logged and mailed', async () => {
  const ann = await test.signedIn('ann@weir.test', 'Weir')
  const ben = await test.signedIn('ben@lock.test', 'Lock')
  await run(
    test.db.ownerUrl,
    `insert into member ("organizationId", "userId", role, "createdAt") values ($1, $2, 'member', now())`,
    [ann.organizationId, ben.userId],
  )
  await run(test.db.ownerUrl, `update member set role = 'admin' where "userId" = $1`, [ann.userId])

  const { code, error } = await command('make-owner', 'ben@lock.test')
  expect([code, error]).toEqual([
    1,
    `Tributary cannot make an owner: ben@lock.test belongs to several organizations. Name the number of one: ${ben.organizationId} (Lock), ${ann.organizationId} (Weir).\n`,
  ])
  const number = String(ann.organizationId)
  expect(await command('make-owner', 'ben@lock.test', number)).toMatchObject({
    code: 0,
    out: 'ben@lock.test is an owner of Weir. Owners told by mail: 1.\n',
  })
  const line = { action: 'owner_made', subject: 'ben@lock.test', actor: null }
  expect(await activityOf(ann)).toContainEqual(expect.objectContaining(line))
  expect((await test.mailTo('ben@lock.test')).subject).toBe('Your organization has another owner')
  expect((await command('make-owner', 'ben@lock.test', number)).error).toContain('is an owner of it already')
  expect((await command('make-owner', 'ben@lock.test', '999')).error).toContain('Name one of')
  expect((await command('make-owner', 'nobody@lock.test')).error).toContain('Have them invited first')
})
