import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, password, type TestApp, type TestBrowser } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
afterAll(() => test.close())

const ask = (browser: TestBrowser, newEmail: string) =>
  browser.post('/api/identity/change-email', { newEmail, password })
const confirm = (browser: TestBrowser, token: string) =>
  browser.post('/api/identity/change-email/confirm', { token })
const look = (browser: TestBrowser, token: string) =>
  browser.post('/api/identity/change-email/look', { token })
async function tokenTo(email: string): Promise<string> {
  const { link } = await test.mailTo(email)
  return new URL(link ?? '').searchParams.get('confirmEmail') ?? ''
}

it('a change of email is told to the holder of a link before it counts, and to nobody else', async () => {
  const amy = await test.signedIn('amy@amy-old.test', 'Amys')
  const eve = await test.signedIn('eve@looks.test', 'Looks')
  await ask(amy, 'first@amy-new.test')
  const replaced = await tokenTo('amy@amy-old.test')
  await ask(amy, 'amy@amy-new.test')
  const addresses = { from: 'amy@amy-old.test', to: 'amy@amy-new.test' }
  for (const [address, step] of [
    ['amy@amy-old.test', 'old'],
    ['amy@amy-new.test', 'new'],
  ] as const) {
    const token = await tokenTo(address)
    for (const _ of ['once', 'again'])
      expect(await look(amy, token)).toMatchObject({ status: 200, body: { step, ...addresses } })
    const refusal = (await confirm(eve, token)).body
    const refused = [await look(eve, token), await look(amy, `${token}x`), await look(amy, replaced)]
    expect(refused.map(({ status, body }) => [status, body])).toEqual(Array(3).fill([400, refusal]))
    expect((await look(test.newBrowser(), token)).status).toBe(401)
    expect((await confirm(amy, token)).status).toBe(200)
    expect((await look(amy, token)).body).toEqual(refusal)
  }
  await ask(amy, 'later@amy-new.test')
  const late = await tokenTo('amy@amy-new.test')
  await run(
    test.db.ownerUrl,
    `update verification set "expiresAt" = now() where value like '%later@amy-new%'`,
  )
  expect((await look(amy, late)).status).toBe(400)
})
