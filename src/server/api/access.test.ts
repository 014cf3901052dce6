import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { errorBody } from '#contract/errors.ts'
import { openTestApp, origin, password, type TestApp, type TestBrowser } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'
import { hashOf } from '#test/identity/password-hash.ts'
import { addVerifiedUser } from '../store/accounts/users.ts'

let test: TestApp
let alone: TestBrowser
let member: TestBrowser
let owner: TestBrowser
let operator: TestBrowser

beforeAll(async () => {
  test = await openTestApp({ OPERATOR_EMAILS: 'ops@tools.test' })
  owner = await test.signedIn('own@mill.test', 'Mill')
  operator = await test.signedIn('ops@tools.test', 'Tools')
  member = await test.signedIn('mem@second.test', 'Second')
  await run(test.db.ownerUrl, `update member set role = 'member' where id = (select max(id) from member)`)
  await addVerifiedUser(test.deps.database, {
    email: 'alone@hut.test',
    name: 'Alone',
    passwordHash: await hashOf(password),
  })
  alone = test.newBrowser()
  await alone.post('/api/identity/sign-in/email', { email: 'alone@hut.test', password })
})
afterAll(() => test.close())

const endpoints = Object.entries(api)
const withAccess = (...access: Endpoint['access'][]) =>
  endpoints.filter(([, endpoint]) => access.includes(endpoint.access))

/** Every call with its placeholders filled and, if it takes a body, an empty one. */
function call(browser: TestBrowser, endpoint: Endpoint, query = '') {
  const path = endpoint.path.replace('{n}', '1').replace(/\{\w+\}/g, 'some_id') + query
  if (endpoint.method === 'GET') return browser.get(path)
  const headers = { origin, 'content-type': 'application/json' }
  return browser.send(path, { method: endpoint.method, headers, body: '{}' })
}

function codeOf(answer: { body: object }): string {
  return errorBody.parse(answer.body).error.code
}

describe('access', () => {
  it('covers a table of calls', () => {
    expect(endpoints.length).toBeGreaterThan(35)
  })

  it.each(withAccess('user', 'member', 'admin', 'operator'))(
    '%s asks the signed-out to sign in',
    async (_, endpoint) => {
      const answer = await call(test.newBrowser(), endpoint)
      expect([answer.status, codeOf(answer)]).toEqual([401, 'unauthenticated'])
    },
  )

  it.each(withAccess('member', 'admin'))('%s asks for an organization', async (_, endpoint) => {
    const answer = await call(alone, endpoint)
    expect([answer.status, codeOf(answer)]).toEqual([403, 'needs_organization'])
  })

  it.each(withAccess('admin'))('%s is refused to plain members', async (_, endpoint) => {
    const answer = await call(member, endpoint)
    expect([answer.status, codeOf(answer)]).toEqual([403, 'forbidden'])
  })

  it.each(withAccess('operator'))('%s is refused to whoever is no operator', async (_, endpoint) => {
    const answer = await call(owner, endpoint)
    expect([answer.status, codeOf(answer)]).toEqual([403, 'forbidden'])
    expect((await call(operator, endpoint)).status).toBe(200)
  })

  it.each(endpoints)('%s refuses nonsense in our shape', async (_, endpoint) => {
    if (endpoint.answers !== 'json') return
    const answer = await call(endpoint.access === 'operator' ? operator : owner, endpoint, '?nonsense=1')
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
  })
})

describe('the description', () => {
  it('names every call with its access', async () => {
    const { body } = await test.newBrowser().get('/api/openapi.json')
    for (const [name, endpoint] of endpoints) {
      expect(body).toHaveProperty(
        ['paths', endpoint.path, endpoint.method.toLowerCase()],
        expect.objectContaining({ operationId: name, 'x-access': endpoint.access }),
      )
    }
  })
})
