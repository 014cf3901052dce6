import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, origin, type TestApp } from '../api/test-app.ts'
import { watchCrossings } from '../crossings.ts'
import { run as query } from '../database.ts'
import { searchDump } from '../dump.ts'
import { takeLeaks } from '../leaks.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
afterAll(() => test.close())

const tell = (cookies: ReadonlyMap<string, string>, text: string, path = '/api/told') => ({
  request: new Request(`${origin}${path}`, {
    headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
  }),
  answer: new Response(text),
})

it('finds what belongs to another organization in an answer, and only there', async () => {
  const ann = await test.signedIn('ann@quay.test', 'Quay')
  const bob = await test.signedIn('bob@mole.test', 'Mole')
  await ann.post('/api/identity/organization/invite-member', { email: 'cat@quay.test', role: 'member' })
  const found = async (cookies: ReadonlyMap<string, string>, text: string, path?: string) => {
    const crossings = watchCrossings(test.db.ownerUrl)
    const { request, answer } = tell(cookies, text, path)
    await crossings.note(request, answer)
    expect(await crossings.search()).toBeGreaterThan(2)
    return takeLeaks()
  }
  const text = 'Ask ann@quay.test.'
  const place = 'in answer: GET /api/told'
  const [foreign] = await found(bob.cookies, text)
  expect(foreign).toContain(`told to bob@mole.test ${place}`)
  expect((await found(new Map(), text))[0]).toContain(`told to a stranger ${place}`)
  expect((await found(bob.cookies, '{"email":"cat@quay.test"}'))[0]).toContain(place)
  expect(await found(ann.cookies, text)).toEqual([])
  expect(await found(bob.cookies, 'Ask bob@mole.test.')).toEqual([])
  expect(await found(bob.cookies, text, '/outbox')).toEqual([])
})

it('finds a secret in the clear in any table', async () => {
  const { ownerUrl } = test.db
  expect(await searchDump(ownerUrl)).toBeGreaterThan(5)
  expect(takeLeaks()).toEqual([])
  await query(ownerUrl, `update "user" set image = 'sk_test_kept_in_the_clear' where email = 'ann@quay.test'`)
  await searchDump(ownerUrl)
  expect(takeLeaks()).toEqual(['a key of Stripe in database: public."user"'])
  await query(ownerUrl, 'update "user" set image = null')
})
