import { describe, expect, it } from 'vitest'
import { connect, createOrders, enterpriseHubId } from '../test-client.ts'

const contacts = '/crm/objects/2026-09/contacts'
const companies = '/crm/objects/2026-09/companies'

describe('single records', () => {
  it('are created, read with the asked properties as text or null, updated and archived', async () => {
    const app = await connect()
    const created = await app.call('POST', companies, { properties: { name: 'Acme', numberofemployees: 12 } })
    expect(created.status).toBe(201)
    const { id } = created.body
    const read = await app.call('GET', `${companies}/${id}?properties=numberofemployees,city`)
    expect(read.body.properties).toMatchObject({ numberofemployees: '12', city: null, hs_object_id: id })
    expect(read.body.properties).not.toHaveProperty('name')
    expect(read.body.url).toBe(`http://hubspot.test/contacts/${enterpriseHubId}/record/0-2/${id}`)
    const patched = await app.call('PATCH', `${companies}/${id}`, { properties: { city: 'Oslo' } })
    expect(patched.body.properties.city).toBe('Oslo')
    expect((await app.call('DELETE', `${companies}/${id}`)).status).toBe(204)
    const gone = await app.call('GET', `${companies}/${id}`)
    expect([gone.status, gone.body.category]).toEqual([404, 'OBJECT_NOT_FOUND'])
    expect((await app.call('GET', `${companies}/${id}?archived=true`)).body.archived).toBe(true)
  })

  it('need what HubSpot, the schema or an admin requires', async () => {
    const app = await connect()
    const orders = await createOrders(app)
    expect((await app.call('POST', contacts, { properties: { phone: '1' } })).status).toBe(400)
    expect((await app.call('POST', companies, { properties: {} })).status).toBe(400)
    expect(
      (await app.call('POST', `/crm/objects/2026-09/${orders}`, { properties: { title: 'x' } })).status,
    ).toBe(400)
    const adminRequired = { '0-1': ['jobtitle'] }
    await app.send('POST', '/_control/settings', { hubId: enterpriseHubId, adminRequired })
    const refused = await app.call('POST', contacts, { properties: { email: 'a@acme.example' } })
    expect(refused.body).toMatchObject({
      category: 'VALIDATION_ERROR',
      context: { properties: ['jobtitle'] },
    })
  })

  it('refuse a contact whose address another one has, as its first or an additional one', async () => {
    const app = await connect()
    const properties = { email: 'Ada@Acme.example', hs_additional_emails: 'ada@old.example' }
    const ada = await app.call('POST', contacts, { properties })
    expect(ada.body.properties.email).toBe('ada@acme.example')
    for (const email of ['ADA@acme.example', 'ada@old.example']) {
      const refused = await app.call('POST', contacts, { properties: { email } })
      expect(refused.status).toBe(409)
      expect(refused.body).toMatchObject({
        category: 'CONFLICT',
        message: `Contact already exists. Existing ID: ${ada.body.id}`,
      })
    }
    const byEmail = await app.call('GET', `${contacts}/ada@old.example?idProperty=email`)
    expect(byEmail.body.id).toBe(ada.body.id)
  })

  it('allow two companies with one domain', async () => {
    const app = await connect()
    const create = () => app.call('POST', companies, { properties: { domain: 'acme.example' } })
    expect([(await create()).status, (await create()).status]).toEqual([201, 201])
  })

  it('refuse a unique value another record holds, and free it when that one is archived', async () => {
    const app = await connect()
    const path = `/crm/objects/2026-09/${await createOrders(app)}`
    const first = await app.call('POST', path, { properties: { order_key: 'k' } })
    const refused = await app.call('POST', path, { properties: { order_key: 'k' } })
    expect(refused.status).toBe(400)
    expect(refused.body.message).toContain(`${first.body.id} already has that value`)
    await app.call('DELETE', `${path}/${first.body.id}`)
    expect((await app.call('POST', path, { properties: { order_key: 'k' } })).status).toBe(201)
  })

  it('move their life-cycle stage forward only', async () => {
    const app = await connect()
    const { body } = await app.call('POST', companies, {
      properties: { name: 'Acme', lifecyclestage: 'customer' },
    })
    await app.call('PATCH', `${companies}/${body.id}`, { properties: { lifecyclestage: 'lead' } })
    const read = await app.call('GET', `${companies}/${body.id}?properties=lifecyclestage`)
    expect(read.body.properties.lifecyclestage).toBe('customer')
  })

  it('are refused by name, and the answer says that this is a simulated fault', async () => {
    const app = await connect()
    const refused = await app.call('POST', companies, { properties: { name: 'Refused by HubSpot Ltd' } })
    expect([refused.status, refused.body.category]).toEqual([400, 'VALIDATION_ERROR'])
    expect(refused.headers.get('x-simulated-fault')).toBe('refused_by_name')
  })

  it('are made with ties to records that exist, and not to others', async () => {
    const app = await connect()
    const company = await app.call('POST', companies, { properties: { name: 'Acme' } })
    const types = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 1 }]
    const tieTo = (id: string) => ({
      properties: { firstname: 'Ada' },
      associations: [{ to: { id }, types }],
    })
    const contact = await app.call('POST', contacts, tieTo(company.body.id))
    const read = await app.call('GET', `${contacts}/${contact.body.id}?associations=companies`)
    expect(read.body.associations.companies.results).toEqual([
      { id: company.body.id, type: 'contact_to_company_unlabeled' },
      { id: company.body.id, type: 'contact_to_company' },
    ])
    expect((await app.call('POST', contacts, tieTo('1'))).status).toBe(400)
  })
})

describe('the list', () => {
  it('pages through everything by id, with a hundred at most', async () => {
    const app = await connect()
    const inputs = Array.from({ length: 25 }, (_, at) => ({ properties: { name: `Company ${at}` } }))
    await app.call('POST', `${companies}/batch/create`, { inputs })
    const names: string[] = []
    let next: string | undefined = `${companies}?limit=10&properties=name`
    while (next !== undefined) {
      const { body } = await app.call('GET', next)
      names.push(...body.results.map((record: { properties: { name: string } }) => record.properties.name))
      next = body.paging?.next.link.replace('http://hubspot.test', '')
    }
    expect(names).toEqual(inputs.map((input) => input.properties.name))
    expect((await app.call('GET', `${companies}?limit=101`)).status).toBe(400)
  })
})
