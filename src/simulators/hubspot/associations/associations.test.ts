import { describe, expect, it } from 'vitest'
import { connect, createOrders } from '../test-client.ts'

async function openTies() {
  const app = await connect()
  const orders = await createOrders(app)
  const create = async (type: string, properties: object) =>
    (await app.call('POST', `/crm/objects/2026-09/${type}`, { properties })).body.id
  const contact: string = await create('contacts', { email: 'ada@acme.example' })
  const company: string = await create('companies', { name: 'Acme' })
  const order: string = await create(orders, { order_key: 'k' })
  const batch = (from: string, to: string, name: string, inputs: readonly object[]) =>
    app.call('POST', `/crm/associations/2026-09/${from}/${to}/batch/${name}`, { inputs })
  const labels = async (from: string, to: string, id: string) => {
    const { body } = await batch(from, to, 'read', [{ id }])
    const types = body.results[0]?.to[0]?.associationTypes ?? []
    return types.map((type: { label: string | null }) => type.label)
  }
  return { app, orders, contact, company, order, create, batch, labels }
}

const primary = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 1 }]
const plain = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 279 }]

describe('the default tie', () => {
  it('is seen from both sides, each with its own type id, and repeating it changes nothing', async () => {
    const { app, orders, order, company, batch } = await openTies()
    const inputs = [{ from: { id: order }, to: { id: company } }]
    expect((await batch(orders, 'companies', 'associate/default', inputs)).status).toBe(200)
    await batch(orders, 'companies', 'associate/default', inputs)
    const there = await batch(orders, 'companies', 'read', [{ id: order }])
    const back = await batch('companies', orders, 'read', [{ id: company }])
    expect(there.body.results[0].to).toMatchObject([{ toObjectId: company }])
    expect(back.body.results[0].to).toMatchObject([{ toObjectId: order }])
    const [forward] = there.body.results[0].to[0].associationTypes
    const [backward] = back.body.results[0].to[0].associationTypes
    expect(forward).toMatchObject({ category: 'USER_DEFINED', label: null })
    expect(forward.typeId).not.toBe(backward.typeId)
    expect(app.simulator.portal(24180001).associations(orders, '0-2')).toHaveLength(1)
  })

  it('ties the pairs it can and reports the records that are not there', async () => {
    const { orders, order, company, batch } = await openTies()
    const { status, body } = await batch(orders, 'companies', 'associate/default', [
      { from: { id: order }, to: { id: company } },
      { from: { id: order }, to: { id: '404' } },
    ])
    expect(status).toBe(207)
    expect(body.results).toHaveLength(1)
    expect(body.errors).toMatchObject([{ category: 'VALIDATION_ERROR', context: { toObjectId: ['404'] } }])
  })

  it('is refused between types the schema does not tie, and beyond 2,000 pairs', async () => {
    const { app, orders, order, company, batch } = await openTies()
    const lines = await createOrders(app, 'line')
    expect((await batch(orders, lines, 'associate/default', [])).status).toBe(400)
    const many = Array.from({ length: 2_001 }, () => ({ from: { id: order }, to: { id: company } }))
    expect((await batch(orders, 'companies', 'associate/default', many)).status).toBe(400)
  })

  it('of a single pair keeps the labels that stand', async () => {
    const { app, contact, company, batch, labels } = await openTies()
    await batch('contacts', 'companies', 'create', [
      { from: { id: contact }, to: { id: company }, types: primary },
    ])
    const path = `/crm/objects/2026-09/contacts/${contact}/associations/default/companies/${company}`
    expect((await app.call('PUT', path)).status).toBe(200)
    expect(await labels('companies', 'contacts', company)).toEqual([null, 'Primary'])
  })
})

describe('the primary company of a contact', () => {
  it('is its first one by itself, and never a second beside it', async () => {
    const { contact, company, create, batch, labels } = await openTies()
    const other = await create('companies', { name: 'Other' })
    const pair = (id: string) => ({ from: { id: contact }, to: { id } })
    await batch('contacts', 'companies', 'associate/default', [pair(company)])
    await batch('contacts', 'companies', 'associate/default', [pair(other)])
    const seen = async () => [
      await labels('companies', 'contacts', company),
      await labels('companies', 'contacts', other),
    ]
    expect(await seen()).toEqual([[null, 'Primary'], [null]])
    await batch('contacts', 'companies', 'create', [{ ...pair(other), types: primary }])
    expect(await seen()).toEqual([[null], [null, 'Primary']])
  })
})

describe('labels', () => {
  it('are replaced by a create', async () => {
    const { contact, company, batch, labels } = await openTies()
    const pair = { from: { id: contact }, to: { id: company } }
    expect((await batch('contacts', 'companies', 'create', [{ ...pair, types: primary }])).status).toBe(201)
    expect(await labels('contacts', 'companies', contact)).toEqual([null, 'Primary'])
    await batch('contacts', 'companies', 'create', [{ ...pair, types: plain }])
    expect(await labels('contacts', 'companies', contact)).toEqual([null])
  })

  it('can be added to a pair of types and taken off a pair of records', async () => {
    const { app, orders, order, contact, batch, labels } = await openTies()
    const path = `/crm/associations/2026-09/${orders}/contacts/labels`
    const made = await app.call('POST', path, { name: 'payer', label: 'Payer', inverseLabel: 'Pays' })
    const [{ category, typeId }] = made.body.results
    const types = [{ associationCategory: category, associationTypeId: typeId }]
    const pair = { from: { id: order }, to: { id: contact }, types }
    await batch(orders, 'contacts', 'create', [pair])
    expect(await labels('contacts', orders, contact)).toEqual([null, 'Pays'])
    await batch(orders, 'contacts', 'labels/archive', [pair])
    expect(await labels('contacts', orders, contact)).toEqual([null])
  })

  it('go, with the tie, in both directions when the pair is archived', async () => {
    const { contact, company, batch, labels } = await openTies()
    const pair = { from: { id: contact }, to: { id: company } }
    await batch('contacts', 'companies', 'create', [{ ...pair, types: primary }])
    const archived = await batch('companies', 'contacts', 'archive', [{ from: pair.to, to: [pair.from] }])
    expect(archived.status).toBe(200)
    expect(await labels('contacts', 'companies', contact)).toEqual([])
    expect(await labels('companies', 'contacts', company)).toEqual([])
  })
})

describe('reading ties', () => {
  it('reports records without any as 207, and refuses more than 1,000 ids', async () => {
    const { contact, batch } = await openTies()
    const { status, body } = await batch('contacts', 'companies', 'read', [{ id: contact }])
    expect([status, body.results]).toEqual([207, []])
    expect(body.errors[0].subCategory).toBe('crm.associations.NO_ASSOCIATIONS_FOUND')
    const many = Array.from({ length: 1_001 }, (_, at) => ({ id: String(at) }))
    expect((await batch('contacts', 'companies', 'read', many)).status).toBe(400)
  })

  it('pages a record with more than 500 ties and hides archived ones', async () => {
    const { app, orders, company, batch } = await openTies()
    const ids: string[] = []
    for (let page = 0; page < 6; page++) {
      const inputs = Array.from({ length: 100 }, (_, at) => ({ properties: { order_key: `${page}-${at}` } }))
      const { body } = await app.call('POST', `/crm/objects/2026-09/${orders}/batch/create`, { inputs })
      ids.push(...body.results.map((record: { id: string }) => record.id))
    }
    await batch(
      orders,
      'companies',
      'associate/default',
      ids.map((id) => ({ from: { id }, to: { id: company } })),
    )
    await app.call('DELETE', `/crm/objects/2026-09/${orders}/${ids[0]}`)
    const path = `/crm/objects/2026-09/companies/${company}/associations/${orders}`
    const first = await app.call('GET', path)
    expect(first.body.results).toHaveLength(500)
    const second = await app.call('GET', `${path}?after=${first.body.paging.next.after}`)
    expect(second.body.results).toHaveLength(99)
    expect(second.body.paging).toBeUndefined()
    const { body } = await batch('companies', orders, 'read', [
      { id: company, after: first.body.paging.next.after },
    ])
    expect(body.results[0].to).toHaveLength(99)
  })
})
