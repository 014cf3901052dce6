import { describe, expect, it } from 'vitest'
import {
  type ConnectedApp,
  connect,
  createOrders,
  install,
  openBench,
  orderSchema,
  starterHubId,
} from '../test-client.ts'

const path = '/crm-object-schemas/2026-09/schemas'
const limits = '/crm/limits/2026-09/custom-object-types'

function createWith(app: ConnectedApp, changes: object) {
  return app.call('POST', path, { ...orderSchema(), ...changes })
}

describe('creating a schema', () => {
  it('answers 201 with ids, the full name, and ties in both directions', async () => {
    const app = await connect()
    const { status, body } = await app.call('POST', path, orderSchema())
    expect(status).toBe(201)
    expect(body.objectTypeId).toMatch(/^2-\d+$/)
    expect(body.fullyQualifiedName).toBe('p24180001_order')
    const ties = body.associations.map((tie: { fromObjectTypeId: string; toObjectTypeId: string }) => [
      tie.fromObjectTypeId,
      tie.toObjectTypeId,
    ])
    expect(ties).toContainEqual([body.objectTypeId, '0-1'])
    expect(ties).toContainEqual(['0-2', body.objectTypeId])
    expect(body.properties.map((property: { name: string }) => property.name)).toContain('hs_object_id')
  })

  it.each([
    { name: '1order' },
    { name: 'order-line' },
    { primaryDisplayProperty: 'unknown' },
    { secondaryDisplayProperties: ['status', 'amount', 'title'] },
    { requiredProperties: ['unknown'] },
    { labels: { singular: 'Order' } },
    { associatedObjects: ['2-1'] },
    { properties: [{ name: 'title', label: 'Title', type: 'string', fieldType: 'number' }] },
  ])('refuses %o and leaves nothing behind', async (changes) => {
    const app = await connect()
    expect((await createWith(app, changes)).status).toBe(400)
    expect((await app.call('GET', path)).body.results).toEqual([])
    expect((await app.call('POST', path, orderSchema())).status).toBe(201)
  })

  it('refuses a taken name until the archived schema is purged', async () => {
    const app = await connect()
    const typeId = await createOrders(app)
    expect((await app.call('POST', path, orderSchema())).status).toBe(409)
    await app.call('DELETE', `${path}/${typeId}`)
    expect((await app.call('POST', path, orderSchema())).status).toBe(409)
    expect((await app.call('DELETE', `${path}/${typeId}?archived=true`)).status).toBe(204)
    expect((await app.call('POST', path, orderSchema())).status).toBe(201)
  })

  it('counts against the limit of the plan', async () => {
    const app = await connect()
    await app.send('POST', '/_control/settings', { hubId: 24180001, customObjectLimit: 2 })
    await createOrders(app, 'one')
    expect((await app.call('GET', limits)).body).toEqual({ limit: 2, usage: 1, percentage: 50 })
    await createOrders(app, 'two')
    expect((await createWith(app, { name: 'three' })).status).toBe(400)
  })

  it('is forbidden without Enterprise', async () => {
    const bench = openBench()
    const { accessToken } = await install(bench, starterHubId)
    const { status, body } = await bench.send('POST', path, orderSchema(), accessToken)
    expect([status, body.category]).toEqual([403, 'MISSING_SCOPES'])
    expect(body.errors[0].context.requiredGranularScopes).toEqual(['crm.schemas.custom.write'])
    expect((await bench.send('GET', limits, undefined, accessToken)).status).toBe(403)
  })

  it('is forbidden once the plan is given up, though the scope was granted', async () => {
    const app = await connect()
    await app.send('POST', '/_control/settings', { hubId: 24180001, tier: 'professional' })
    expect((await app.call('POST', path, orderSchema())).status).toBe(403)
  })
})

describe('reading a schema', () => {
  it('flips in single reads for a minute while the list is current', async () => {
    const app = await connect()
    const typeId = await createOrders(app)
    const read = async () => (await app.call('GET', `${path}/${typeId}`)).body.primaryDisplayProperty
    const reads = [await read(), await read(), await read(), await read()]
    expect(reads).toEqual([undefined, 'title', 'hs_object_id', 'title'])
    expect((await app.call('GET', path)).body.results[0].primaryDisplayProperty).toBe('title')
    app.clock.now += 60_000
    expect([await read(), await read()]).toEqual(['title', 'title'])
  })

  it('accepts the full name in paths and refuses the bare one', async () => {
    const app = await connect()
    await createOrders(app)
    expect((await app.call('GET', '/crm/objects/2026-09/p24180001_order')).status).toBe(200)
    const bare = await app.call('GET', '/crm/objects/2026-09/order')
    expect([bare.status, bare.body.message]).toEqual([400, 'Unable to infer object type from: order'])
  })

  it('gives the same object another type id in another portal', async () => {
    const bench = openBench({
      portals: [1, 2].map((hubId) => ({
        hubId,
        name: `P${hubId}`,
        domain: 'p.example',
        tier: 'enterprise' as const,
      })),
    })
    const ids = await Promise.all(
      [1, 2].map(async (hubId) => {
        const { accessToken } = await install(bench, hubId)
        return (await bench.send('POST', path, orderSchema(), accessToken)).body.objectTypeId
      }),
    )
    expect(new Set(ids).size).toBe(2)
  })
})

describe('changing a schema', () => {
  it('changes labels, not the name, and ties another type', async () => {
    const app = await connect()
    const orders = await createOrders(app)
    const lines = await createOrders(app, 'line')
    const patched = await app.call('PATCH', `${path}/${orders}`, {
      name: 'other',
      labels: { plural: 'All orders' },
    })
    expect(patched.body).toMatchObject({ name: 'order', labels: { singular: 'Order', plural: 'All orders' } })
    const tie = { fromObjectTypeId: lines, toObjectTypeId: orders, name: 'line_to_order' }
    expect((await app.call('POST', `${path}/${lines}/associations`, tie)).status).toBe(201)
    const labels = await app.call('GET', `/crm/associations/2026-09/${orders}/${lines}/labels`)
    expect(labels.body.results).toMatchObject([{ category: 'USER_DEFINED', label: null }])
  })

  it('is not deleted while records exist', async () => {
    const app = await connect()
    const orders = await createOrders(app)
    await app.call('POST', `/crm/objects/2026-09/${orders}`, { properties: { order_key: 'a' } })
    expect((await app.call('DELETE', `${path}/${orders}`)).status).toBe(400)
  })
})
