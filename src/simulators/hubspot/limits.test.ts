import { describe, expect, it } from 'vitest'
import { connect, createOrders, enterpriseHubId } from './test-client.ts'

async function openLimited(limits: (orders: string) => object, more: object = {}) {
  const app = await connect()
  const orders = await createOrders(app)
  const settings = { hubId: enterpriseHubId, limits: limits(orders), ...more }
  expect((await app.send('POST', '/_control/settings', settings)).status).toBe(200)
  const create = async (type: string, properties: object) =>
    (await app.call('POST', `/crm/objects/2026-09/${type}`, { properties })).body.id as string
  const batch = (type: string, keys: readonly string[]) =>
    app.call('POST', `/crm/objects/2026-09/${type}/batch/upsert`, {
      inputs: keys.map((id) => ({
        ...{ id, idProperty: 'order_key', properties: { title: id } },
        objectWriteTraceId: id,
      })),
    })
  return { app, orders, create, batch }
}

describe('a limit of records', () => {
  it('refuses the rows beyond it, and none that are there already', async () => {
    const { batch, orders } = await openLimited(() => ({ customRecords: 2 }))
    const { status, body } = await batch(orders, ['a', 'b', 'c'])
    expect([status, body.results.length, body.numErrors]).toEqual([207, 2, 1])
    expect(body.errors[0].message).toBe(
      'The limit of 2 records of custom objects of this account is reached.',
    )
    expect((await batch(orders, ['a', 'b'])).body.results).toHaveLength(2)
  })

  it('refuses the batch as a whole where it is set so, and writes nothing of it', async () => {
    const { app, batch, orders } = await openLimited((orders) => ({
      ...{ recordsOfType: { [orders]: 2 }, refusal: 'batch' },
    }))
    expect((await batch(orders, ['a', 'b', 'c'])).status).toBe(400)
    expect(app.simulator.portal(enterpriseHubId).records(orders)).toEqual([])
    expect((await batch(orders, ['a', 'b'])).status).toBe(200)
  })

  it('of companies counts for companies', async () => {
    const { app, create } = await openLimited(() => ({ recordsOfType: { '0-2': 1 } }))
    await create('companies', { name: 'One' })
    expect(
      (await app.call('POST', '/crm/objects/2026-09/companies', { properties: { name: 'Two' } })).status,
    ).toBe(400)
  })

  it('is shown with what is used of it', async () => {
    const { app, batch, orders } = await openLimited(() => ({
      customRecords: 4,
      recordsOfType: { '0-2': 10 },
    }))
    await batch(orders, ['a'])
    const { body } = await app.call('GET', '/crm/limits/2026-09/records')
    expect(body.customObjectTypes).toEqual({
      byObjectType: [{ objectTypeId: orders, singularLabel: 'Order', pluralLabel: 'Orders', usage: 1 }],
      ...{ overallLimit: 4, overallUsage: 1, overallPercentage: 25 },
    })
    expect(body.hubspotDefinedObjectTypes).toContainEqual({
      ...{ objectTypeId: '0-2', singularLabel: 'company', pluralLabel: 'companies' },
      ...{ limit: 10, usage: 0, percentage: 0 },
    })
  })
})

describe('a limit of associations', () => {
  const tie = (from: string, to: string) => ({ from: { id: from }, to: { id: to } })

  it.each([
    ['of the record', true],
    ['of the company', false],
  ])('%s refuses what is beyond it, in its row', async (_, isOfRecord) => {
    const { app, orders, create } = await openLimited((orders) => ({
      associations: [isOfRecord ? { from: orders, to: '0-2', max: 1 } : { from: '0-2', to: orders, max: 1 }],
    }))
    const [one, two] = [await create(orders, { order_key: '1' }), await create(orders, { order_key: '2' })]
    const [first, second] = [
      await create('companies', { name: 'A' }),
      await create('companies', { name: 'B' }),
    ]
    const path = `/crm/associations/2026-09/${orders}/0-2/batch`
    const beyond = isOfRecord ? tie(one, second) : tie(two, first)
    const inputs = [tie(one, first), tie(one, first), beyond]
    const { status, body } = await app.call('POST', `${path}/associate/default`, { inputs })
    expect([status, body.results.length, body.errors.length]).toEqual([207, 2, 1])
    expect(Object.values(body.errors[0].context)).toEqual([[isOfRecord ? one : first]])
    await app.call('POST', `${path}/archive`, { inputs: [{ from: { id: one }, to: [{ id: first }] }] })
    expect((await app.call('POST', `${path}/associate/default`, { inputs: [beyond] })).status).toBe(200)
  })

  it('counts for the company of a contact that is made with it', async () => {
    const { app, create } = await openLimited(() => ({ associations: [{ from: '0-2', to: '0-1', max: 0 }] }))
    const to = { id: await create('companies', { name: 'A' }) }
    const types = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 279 }]
    const contact = { properties: { email: 'ada@acme.example' }, associations: [{ to, types }] }
    expect((await app.call('POST', '/crm/objects/2026-09/contacts', contact)).status).toBe(400)
  })
})

describe('a tie of a contact', () => {
  it.each([[true], [false]])('counts as a change of it, or not: %s', async (associationsMoveContacts) => {
    const { app, create } = await openLimited(() => ({}), { associationsMoveContacts })
    const contact = await create('contacts', { email: 'ada@acme.example' })
    const company = await create('companies', { name: 'A' })
    const changedAt = () =>
      app.simulator.portal(enterpriseHubId).records('0-1')[0]?.properties['lastmodifieddate'] ?? ''
    for (const method of ['PUT', 'DELETE']) {
      const before = changedAt()
      app.clock.now += 60_000
      const isPut = method === 'PUT'
      await app.call(
        method,
        `/crm/objects/2026-09/contacts/${contact}/associations/${isPut ? 'default/' : ''}companies/${company}`,
      )
      expect(changedAt() > before).toBe(associationsMoveContacts)
    }
  })
})
