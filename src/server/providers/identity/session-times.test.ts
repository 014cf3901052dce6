import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { openTestApp, type TestApp } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'

const hourMs = 3_600_000

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
afterAll(() => test.close())
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * hourMs }))
afterEach(() => void vi.useRealTimers())

/** The difference between the times of the session and its user and the database's clock, in seconds. */
async function offSeconds(email: string) {
  const [off] = await run<{ begun: number; used: number }>(
    test.db.ownerUrl,
    `select abs(extract(epoch from now() - s."createdAt"))::int as begun,
            abs(extract(epoch from now() - s."updatedAt"))::int as used
       from session s join "user" u on u.id = s."userId" where u.email = $1`,
    [email],
  )
  return off
}

it('a session goes by the clock of the database where the server has a wrong one', async () => {
  const email = 'ann@clock.test'
  const owner = await test.signedIn(email, 'Clock')
  expect((await offSeconds(email))?.begun).toBeLessThan(60)
  expect((await offSeconds(email))?.used).toBeLessThan(60)
  await run(test.db.ownerUrl, `update session set "updatedAt" = now() - interval '1 day'`)
  // The time of the last use is updated every few minutes.
  vi.setSystemTime(Date.now() + hourMs)
  expect((await owner.get('/api/auth/current-user')).status).toBe(200)
  expect((await offSeconds(email))?.begun).toBeLessThan(60)
  expect((await offSeconds(email))?.used).toBeLessThan(60)
})
