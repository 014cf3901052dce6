import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '#server/app.ts'
import { createIdentity } from '#server/providers/identity/create-identity.ts'
import { origin } from '#test/api/test-app.ts'
import { run as query } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'

let world: TestWorld
/** The same installation with a hosted sign-in, whose provider gets no request: existing sessions stay valid. */
let hosted: App
beforeAll(async () => {
  world = await newWorld()
  const oidc = {
    issuer: 'http://localhost:9',
    clientId: 'tributary',
    clientSecret: 'a secret of the test',
    trustedDomains: [],
  }
  const config = { ...world.deps.config, oidc }
  hosted = createApp({ ...world.deps, config, identity: createIdentity({ ...world.deps, config }) })
})
afterAll(() => world.close())

async function ask(person: Person, path: string, body: object) {
  const answer = await hosted.fetch(
    new Request(new URL(path, origin), {
      method: 'POST',
      headers: {
        origin,
        'content-type': 'application/json',
        cookie: [...person.cookies].map((pair) => pair.join('=')).join('; '),
      },
      body: JSON.stringify(body),
    }),
  )
  for (const cookie of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    person.cookies.set(name, value)
  }
  const { error } = Object(await answer.json())
  return [answer.status, error?.message]
}

const refusal = [403, 'Sign out and in again, then do this within ten minutes.']
const signedInAgo = ({ userId }: Person, minutes: number) =>
  query(
    world.ownerUrl,
    `update session set "createdAt" = now() - $2 * interval '1 minute', "updatedAt" = now() where "userId" = $1`,
    [userId, minutes],
  )

describe('where a hosted provider keeps the passwords', () => {
  it('only a sign-in of the last ten minutes deletes an organization, however lately it was used', async () => {
    const owner = await world.person({ organization: 'Orchard' })
    const remove = () => ask(owner, '/api/identity/organization/delete', { name: 'Orchard', password: '' })
    await signedInAgo(owner, 11)
    expect(await remove()).toEqual(refusal)
    // Switching the organization replaces the session's cookie, but must not make the sign-in fresh.
    expect(
      await ask(owner, '/api/identity/organization/set-active', {
        organizationId: String(owner.organizationId),
      }),
    ).toEqual([200, undefined])
    expect(await remove()).toEqual(refusal)
    expect(await query(world.ownerUrl, `select name from "organization"`)).toEqual([{ name: 'Orchard' }])
    await signedInAgo(owner, 9)
    expect(await remove()).toEqual([200, undefined])
    expect(await query(world.ownerUrl, `select name from "organization"`)).toEqual([])
  })

  it('the same goes for an account', async () => {
    const leaver = await world.person({ organization: null })
    const remove = () => ask(leaver, '/api/identity/account/delete', { email: leaver.email, password: '' })
    const left = () => query(world.ownerUrl, `select id from "user" where id = ${leaver.userId}`)
    await signedInAgo(leaver, 11)
    expect(await remove()).toEqual(refusal)
    expect(await left()).toHaveLength(1)
    await signedInAgo(leaver, 9)
    expect(await remove()).toEqual([200, undefined])
    expect(await left()).toEqual([])
  })
})
