import { describe, expect, it } from 'vitest'
import { connect, createOrders, install, openBench, starterHubId } from '../test-client.ts'

const hubId = 24180001
const contacts = '/crm/objects/2026-09/contacts'

describe('merging', () => {
  async function merged() {
    const app = await connect()
    const create = async (email: string) =>
      (await app.call('POST', contacts, { properties: { email } })).body.id
    const [first, second]: string[] = [await create('ada@acme.example'), await create('ada@old.example')]
    const company = await app.call('POST', '/crm/objects/2026-09/companies', { properties: { name: 'Acme' } })
    await app.call('PUT', `${contacts}/${second}/associations/default/companies/${company.body.id}`)
    const { body } = await app.send('POST', '/_control/merge', {
      hubId,
      type: 'contacts',
      primaryId: first,
      secondaryId: second,
    })
    return { app, first, second, companyId: company.body.id, id: body.id }
  }

  it('makes a new record that knows the old ids and has both addresses and ties', async () => {
    const { app, first, second, companyId, id } = await merged()
    expect([first, second]).not.toContain(id)
    const names = 'email,hs_additional_emails,hs_merged_object_ids'
    const { body } = await app.call('GET', `${contacts}/${second}?properties=${names}&associations=companies`)
    expect(body).toMatchObject({
      id,
      properties: {
        email: 'ada@acme.example',
        hs_additional_emails: 'ada@old.example',
        hs_merged_object_ids: `${first};${second}`,
      },
      associations: { companies: { results: [{ id: companyId }, { id: companyId }] } },
    })
    expect(app.simulator.portal(hubId).records('0-1')).toHaveLength(1)
  })

  it('leaves old ids good for single calls and batch reads, not for batch updates and ties', async () => {
    const { app, first, companyId, id } = await merged()
    const properties = { firstname: 'Ada' }
    expect((await app.call('PATCH', `${contacts}/${first}`, { properties })).body.id).toBe(id)
    const read = await app.call('POST', `${contacts}/batch/read`, { inputs: [{ id: first }] })
    expect(read.body.results).toMatchObject([{ id }])
    const update = await app.call('POST', `${contacts}/batch/update`, { inputs: [{ id: first, properties }] })
    expect(update.body.errors).toMatchObject([{ category: 'OBJECT_NOT_FOUND', context: { ids: [first] } }])
    const tie = await app.call(
      'POST',
      '/crm/associations/2026-09/contacts/companies/batch/associate/default',
      {
        inputs: [{ from: { id: first }, to: { id: companyId } }],
      },
    )
    expect(tie.body).toMatchObject({ numErrors: 1, results: [] })
  })
})

describe('people in HubSpot', () => {
  it('make, edit, delete and restore records', async () => {
    const app = await connect()
    const type = await createOrders(app)
    const made = await app.send('POST', '/_control/create', { hubId, type, properties: { order_key: 'k' } })
    const { id } = made.body
    await app.send('POST', '/_control/edit', { hubId, type, id, properties: { title: 'Edited' } })
    expect(
      (await app.call('GET', `/crm/objects/2026-09/${type}/${id}?properties=title`)).body.properties.title,
    ).toBe('Edited')
    await app.send('POST', '/_control/archive', { hubId, type, id })
    expect((await app.call('GET', `/crm/objects/2026-09/${type}/${id}`)).status).toBe(404)
    expect((await app.send('POST', '/_control/restore', { hubId, type, id })).status).toBe(204)
    expect((await app.call('GET', `/crm/objects/2026-09/${type}/${id}`)).status).toBe(200)
  })

  it('cannot restore a record whose unique value is taken by now', async () => {
    const app = await connect()
    const type = await createOrders(app)
    const made = await app.send('POST', '/_control/create', { hubId, type, properties: { order_key: 'k' } })
    await app.send('POST', '/_control/archive', { hubId, type, id: made.body.id })
    await app.send('POST', '/_control/create', { hubId, type, properties: { order_key: 'k' } })
    expect((await app.send('POST', '/_control/restore', { hubId, type, id: made.body.id })).status).toBe(409)
  })

  it('knows no tier but those of its portals', async () => {
    const app = await connect()
    const { status } = await app.send('POST', '/_control/settings', { hubId, tier: 'starter' })
    expect(status).toBe(400)
  })

  it('let HubSpot make companies from contacts, but not of free mail, only when switched on', async () => {
    const app = await connect()
    const names = () =>
      app.simulator
        .portal(hubId)
        .records('0-2')
        .map((record) => record.properties['domain'])
    const createContact = (email: string) => app.call('POST', contacts, { properties: { email } })
    await createContact('a@off.example')
    await app.send('POST', '/_control/settings', { hubId, createCompaniesFromContacts: true })
    await createContact('a@acme.example')
    await createContact('b@acme.example')
    await createContact('c@gmail.com')
    expect(names()).toEqual([])
    app.clock.now += 1_000
    expect(names()).toEqual(['acme.example'])
    expect(app.simulator.portal(hubId).associations('0-2', '0-1')).toHaveLength(2)
  })

  it('let HubSpot tie contacts that stand without a company, some time after it, and not of a domain opted out', async () => {
    const app = await connect()
    const make = (type: string, properties: object) =>
      app.send('POST', '/_control/create', { hubId, type, properties })
    for (const email of ['a@acme.example', 'a@other.example', 'a@nobody.example'])
      await make('contacts', { email })
    for (const domain of ['acme.example', 'other.example']) await make('companies', { domain })
    const ties = () => app.simulator.portal(hubId).associations('0-1', '0-2').length
    await app.send('POST', '/_control/settings', {
      ...{ hubId, createCompaniesFromContacts: true, optedOutDomains: ['other.example'] },
    })
    await app.send('POST', '/_control/lags', { associationLagMs: 60_000 })
    app.clock.now += 59_000
    expect(ties()).toBe(0)
    app.clock.now += 1_000
    expect(ties()).toBe(1)
    await make('companies', { domain: 'nobody.example' })
    app.clock.now += 60_000
    expect(ties()).toBe(2)
  })

  it('remove the app, and only from their own account', async () => {
    const bench = openBench()
    const [harbour, quay] = [await install(bench), await install(bench, starterHubId)]
    await bench.send('POST', '/_control/revoke-app', { hubId })
    expect((await bench.send('GET', contacts, undefined, harbour.accessToken)).status).toBe(401)
    expect((await bench.send('GET', contacts, undefined, quay.accessToken)).status).toBe(200)
  })
})

describe('the seed', () => {
  it('stands in every portal: two companies on one domain, second addresses and domains, ties', async () => {
    const bench = openBench({
      seedFrom: {
        companies: [
          { name: 'Acme', domain: 'acme.example', additionalDomains: ['acme.test'] },
          { name: 'Acme Branch', domain: 'acme.example' },
        ],
        contacts: [
          { email: 'Ada@acme.example', additionalEmails: ['ada@old.example'], companyDomain: 'acme.example' },
          { email: 'loner@nowhere.example' },
        ],
      },
    })
    for (const id of [hubId, starterHubId]) {
      const portal = bench.simulator.portal(id)
      expect(portal.records('0-2').map((record) => record.properties['name'])).toEqual([
        'Acme',
        'Acme Branch',
      ])
      expect(portal.records('0-1')[0]?.properties).toMatchObject({
        email: 'ada@acme.example',
        hs_additional_emails: 'ada@old.example',
      })
      expect(portal.associations('0-1', '0-2')).toMatchObject([{ associationTypeIds: [279, 1] }])
    }
  })
})
