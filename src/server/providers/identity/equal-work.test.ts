import { createHook } from 'node:async_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, password, type TestApp } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'
import { forgetHashes } from '#test/identity/password-hash.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
  forgetHashes()
  for (const [name, organization] of [
    ['known', 'Office'],
    ['unproven', 'Unproven'],
    ['hosted', 'Hosted'],
  ] as const)
    await test.signedIn(`${name}@${name}.test`, organization)
  await run(
    test.db.ownerUrl,
    `update "user" set "emailVerified" = false where email = 'unproven@unproven.test'`,
  )
  await run(
    test.db.ownerUrl,
    `update account set password = null, "providerId" = 'oidc'
      where "userId" = (select id from "user" where email = 'hosted@hosted.test')`,
  )
  await test
    .newBrowser()
    .post('/api/identity/sign-up/email', { name: 'W', email: 'waiting@waiting.test', password })
})
afterAll(() => test.close())

/** How often a password is hashed meanwhile. Hashing takes a tenth of a second, everything else almost nothing. */
async function countHashes(work: () => Promise<unknown>): Promise<number> {
  let hashes = 0
  const hook = createHook({ init: (_, type) => (hashes += type === 'SCRYPTREQUEST' ? 1 : 0) }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return hashes
}

const known = ['known', 'unproven', 'hosted', 'waiting'].map((name) => `${name}@${name}.test`)

type Call = { path: string; body: Record<string, unknown> }

async function observe({ path, body }: Call) {
  const browser = test.newBrowser()
  let answer = { status: 0, text: '' }
  const hashes = await countHashes(async () => {
    answer = await browser.post(`/api/identity${path}`, body)
  })
  return { status: answer.status, text: answer.text, hashes }
}

describe('answers and work are the same for known and unknown accounts', () => {
  it('at a sign-in with a wrong password', async () => {
    const signIn = (email: string) =>
      observe({ path: '/sign-in/email', body: { email, password: 'not the right passphrase' } })
    const unknown = await signIn('nobody@office.test')
    expect(unknown).toMatchObject({ status: 401, hashes: 1 })
    for (const email of known) expect(await signIn(email), email).toEqual(unknown)
  })

  it('at a sign-up', async () => {
    const signUp = (email: string) =>
      observe({ path: '/sign-up/email', body: { name: 'A', email, password } })
    const unknown = await signUp('new@office.test')
    expect(unknown).toMatchObject({ status: 200, hashes: 1 })
    for (const email of known) expect(await signUp(email), email).toEqual(unknown)
  })

  it('at a reset of the password and at another verification mail', async () => {
    for (const [path, target] of [
      ['/request-password-reset', 'redirectTo'],
      ['/send-verification-email', 'callbackURL'],
    ] as const) {
      const ask = (email: string) => observe({ path, body: { email, [target]: '/sign-in' } })
      const unknown = await ask('nobody@office.test')
      expect(unknown, path).toMatchObject({ status: 200, hashes: 0 })
      for (const email of known) expect(await ask(email), `${path} ${email}`).toEqual(unknown)
    }
  })
})
