import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '#test/api/test-app.ts'
import { tributary } from '#test/cli/run-command.ts'
import { run } from '#test/database.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
afterAll(() => test.close())

const command = (...args: string[]) => tributary(args, { DATABASE_URL: test.db.databaseUrl })

it('an operator releases a claim, which is logged and told, and the next of the domain may found an organization', async () => {
  const holder = await test.signedIn('eve@college.test', 'Eves')
  const second = await test.signedIn('dean@free.test', 'Free')
  await run(test.db.ownerUrl, `update "user" set email = 'dean@college.test' where email = 'dean@free.test'`)
  const found = () => second.post('/api/identity/organization/create', { name: 'College', slug: 'college' })
  expect((await found()).status).toBe(403)

  await run(test.db.ownerUrl, `update organization set name = E'\\x1b[2JEves\\x07' where name = 'Eves'`)
  const released = await command('release-domain', 'College.test.')
  expect(released).toMatchObject({
    code: 0,
    out: 'Released college.test, which [2JEves had claimed. Owners told by mail: 1.\n',
  })
  expect((await test.mailTo('eve@college.test')).subject).toBe(
    'A domain is no longer claimed by your organization',
  )
  const { body } = await holder.get('/api/audit/activity')
  const { lines } = body as never as { lines: { action: string; subject: string; actor: string | null }[] }
  expect(lines[0]).toMatchObject({ action: 'domain_released', subject: 'college.test', actor: null })
  expect((await found()).status).toBe(200)
})

it('a domain that nobody has claimed is told in one line, and a call without one is a wrong call', async () => {
  expect(await command('release-domain', 'nobody.test')).toMatchObject({
    code: 1,
    error: 'Tributary cannot release a domain: No organization has claimed nobody.test.\n',
  })
  expect((await command('release-domain')).code).toBe(2)
})
