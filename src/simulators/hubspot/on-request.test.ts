import { describe, expect, it } from 'vitest'
import {
  askToken,
  connect,
  createOrders,
  enterpriseHubId as hubId,
  install,
  openBench,
} from './test-client.ts'

const contacts = '/crm/objects/2026-09/contacts'
const companies = '/crm/objects/2026-09/companies'
const tied = '/crm/associations/2026-09/contacts/companies'
const hosted = '/account-info/2026-09/details'

/** Behaviour that a setting or call requests; behaviour by default is tested beside the code. */
describe('on request the simulated HubSpot', () => {
  it.each([0, 30_000])('lets search lag %d ms behind', async (searchLagMs) => {
    const app = await connect()
    await app.send('POST', '/_control/lags', { searchLagMs })
    await app.call('POST', contacts, { properties: { email: 'a@acme.example' } })
    const find = async () => (await app.call('POST', `${contacts}/search`, {})).body.total
    expect(await find()).toBe(searchLagMs === 0 ? 1 : 0)
    app.clock.now += searchLagMs
    expect(await find()).toBe(1)
  })

  it('flips single reads of a schema for 90 s', async () => {
    const app = await connect()
    await app.send('POST', '/_control/lags', { schemaSettleMs: 90_000 })
    const type = await createOrders(app)
    const read = async () => {
      const { status, body } = await app.call('GET', `/crm-object-schemas/2026-09/schemas/${type}`)
      return status === 200 && body.primaryDisplayProperty === 'title'
    }
    app.clock.now += 89_000
    expect([await read(), await read(), await read()]).toEqual([false, true, false])
    app.clock.now += 1_000
    expect([await read(), await read(), await read()]).toEqual([true, true, true])
  })

  it.each([
    ['texts', true, [207, 'string', 1]],
    ['numbers', false, [200, 'number', 0]],
  ])('answers ids of associated records as %s', async (associatedIds, reportsUnassociated, answered) => {
    const app = await connect()
    const openAnswers = { associatedIds, reportsUnassociated }
    await app.send('POST', '/_control/settings', { hubId, openAnswers })
    const idOf = async (path: string, properties: object) =>
      (await app.call('POST', path, { properties })).body.id
    const [kim, lee] = [
      await idOf(contacts, { email: 'k@a.test' }),
      await idOf(contacts, { email: 'l@a.test' }),
    ]
    const acme = await idOf(companies, { name: 'Acme' })
    await app.call('PUT', `${contacts}/${kim}/associations/default/companies/${acme}`)
    const inputs = [{ id: kim }, { id: lee }]
    const { status, body } = await app.call('POST', `${tied}/batch/read`, { inputs })
    const given = body.results[0].to[0].toObjectId
    expect([status, typeof given, body.errors?.length ?? 0]).toEqual(answered)
    expect([body.results.length, String(given)]).toEqual([1, acme])
  })

  it('locks itself with 423 for 2 s', async () => {
    const app = await connect()
    const match = { pathPrefix: '/crm/objects' }
    await app.send('POST', '/_faults', { kind: 'status', status: 423, forMs: 2_000, match })
    const statuses: number[] = []
    for (const waitMs of [0, 1_000, 999, 1]) {
      app.clock.now += waitMs
      statuses.push((await app.call('GET', contacts)).status)
    }
    expect(statuses).toEqual([423, 423, 423, 200])
  })

  it.each(['TEN_SECONDLY_ROLLING', 'SECONDLY', 'DAILY'])('refuses with 429 by %s', async (policyName) => {
    const app = await connect()
    await app.send('POST', '/_faults', { kind: 'rate_limit', policyName })
    const { status, body } = await app.call('GET', contacts)
    expect({ status, body }).toMatchObject({ status: 429, body: { policyName, errorType: 'RATE_LIMIT' } })
  })

  it('moves to another data centre: 477 with Retry-After, and then the pages of the EU', async () => {
    const app = await connect()
    await app.send('POST', '/_faults', { kind: 'status', status: 477, retryAfter: '7200' })
    const moving = await app.call('GET', hosted)
    expect([moving.status, moving.headers.get('retry-after')]).toEqual([477, '7200'])
    await app.send('POST', '/_control/settings', { hubId, dataHostingLocation: 'eu1' })
    expect((await app.call('GET', hosted)).body).toMatchObject({
      uiDomain: 'app-eu1.hubspot.com',
      dataHostingLocation: 'eu1',
    })
  })

  it('writes and then answers 504', async () => {
    const app = await connect()
    await app.send('POST', '/_faults', { kind: 'lost_answer', status: 504, match: { method: 'POST' } })
    expect((await app.call('POST', contacts, { properties: { email: 'a@acme.example' } })).status).toBe(504)
    expect(app.simulator.portal(hubId).records('0-1')).toHaveLength(1)
  })

  it('lets only one of two refreshes have the token', async () => {
    const bench = openBench()
    const { refreshToken } = await install(bench)
    await bench.send('POST', '/_control/settings', { hubId, rotateRefreshTokens: true })
    const refresh = () => askToken(bench, { grant_type: 'refresh_token', refresh_token: refreshToken })
    const [first, second] = [await refresh(), await refresh()]
    expect([first.status, second.status, second.body.error]).toEqual([200, 400, 'invalid_grant'])
  })

  it('makes what an admin required on contacts a 400', async () => {
    const app = await connect()
    await app.send('POST', '/_control/settings', { hubId, adminRequired: { '0-1': ['phone'] } })
    const { status, body } = await app.call('POST', contacts, { properties: { email: 'a@acme.example' } })
    expect({ status, body }).toMatchObject({ status: 400, body: { category: 'VALIDATION_ERROR' } })
  })

  it('names a contact that is there, by its first address and by a further one', async () => {
    const seedFrom = {
      companies: [],
      contacts: [{ email: 'a@x.example', additionalEmails: ['b@x.example'] }],
    }
    const app = await connect({ seedFrom })
    const [known] = app.simulator.portal(hubId).records('0-1')
    for (const email of ['A@x.example', 'b@x.example']) {
      const { status, body } = await app.call('POST', contacts, { properties: { email } })
      expect([status, body.message]).toEqual([409, `Contact already exists. Existing ID: ${known?.id}`])
    }
  })

  it('allows two companies of one domain, gives numbers as texts, and hides archived records', async () => {
    const app = await connect()
    const make = () =>
      app.call('POST', companies, { properties: { domain: 'acme.example', numberofemployees: 7 } })
    const [one, two] = [await make(), await make()]
    expect([one.status, two.status, one.body.properties.numberofemployees]).toEqual([201, 201, '7'])
    await app.call('POST', `${companies}/batch/archive`, { inputs: [{ id: one.body.id }] })
    const listed = (await app.call('GET', companies)).body.results
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([two.body.id])
    expect((await app.call('GET', `${companies}/${one.body.id}`)).status).toBe(404)
  })
})
