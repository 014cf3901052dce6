import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Client } from '@hubspot/api-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeIn, consent, openBench, orderSchema } from './test-client.ts'

/**
 * HubSpot's own client is an independent judge. Its typed calls use paths of v1, v3 and v4; the table below maps them
 * to the dated paths with the same shapes (migration guide).
 */
const version = '2026-09'
const dated: readonly [RegExp, string][] = [
  [/^\/oauth\/v1\/token$/, `/oauth/${version}/token`],
  [/^\/crm\/v[34]\/objects\//, `/crm/objects/${version}/`],
  [/^\/crm\/objects\/v[34]\//, `/crm/objects/${version}/`],
  [/^\/crm\/v3\/properties\//, `/crm/properties/${version}/`],
  [/^\/crm\/v4\/associations\//, `/crm/associations/${version}/`],
  [/^\/crm\/associations\/v4\//, `/crm/associations/${version}/`],
  [/^\/crm-object-schemas\/v3\//, `/crm-object-schemas/${version}/`],
]

function toDated(address: string): string {
  const url = new URL(address)
  for (const [old, now] of dated) url.pathname = url.pathname.replace(old, now)
  return url.href
}

const bench = openBench()
const server = serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const body = request.method === 'GET' ? undefined : await request.text()
    const { method, headers } = request
    return bench.simulator.fetch(
      new Request(toDated(request.url), { method, headers, ...(body ? { body } : {}) }),
    )
  },
})

let client: Client
let basePath: string
beforeAll(async () => {
  if (!server.listening) await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  basePath = `http://127.0.0.1:${address.port}`
  const anonymous = new Client({ basePath })
  const tokens = await anonymous.oauth.tokensApi.create(
    'authorization_code',
    codeIn(await consent(bench)),
    'http://localhost:3000/callback',
    'tributary-demo',
    'tributary-demo-secret',
  )
  const renewed = await anonymous.oauth.tokensApi.create(
    'refresh_token',
    undefined,
    undefined,
    'tributary-demo',
    'tributary-demo-secret',
    tokens.refreshToken,
  )
  expect(renewed.expiresIn).toBe(1_800)
  client = new Client({ basePath, accessToken: renewed.accessToken })
})
afterAll(() => void server.close())

describe("HubSpot's own client", () => {
  it('makes a custom object, finds it, and adds a property', async () => {
    const egg: Parameters<typeof client.crm.schemas.coreApi.create>[0] = JSON.parse(
      JSON.stringify(orderSchema('client_order')),
    )
    const made = await client.crm.schemas.coreApi.create(egg)
    expect(made.objectTypeId).toMatch(/^2-\d+$/)
    const { results } = await client.crm.schemas.coreApi.getAll()
    expect(results.map(({ name }) => name)).toContain('client_order')
    const note: Parameters<typeof client.crm.properties.coreApi.create>[1] = JSON.parse(
      JSON.stringify({
        name: 'note',
        label: 'Note',
        type: 'string',
        fieldType: 'text',
        groupName: 'client_order_information',
      }),
    )
    const property = await client.crm.properties.coreApi.create(made.objectTypeId ?? '', note)
    expect(property).toMatchObject({ name: 'note', hasUniqueValue: false })
  })

  it('writes, reads, finds and deletes contacts', async () => {
    const { basicApi, batchApi, searchApi } = client.crm.contacts
    const created = await basicApi.create({ properties: { email: 'Ada@client.example' }, associations: [] })
    expect(created.createdAt).toBeInstanceOf(Date)
    await basicApi.update(created.id, { properties: { firstname: 'Ada' } })
    const read = await batchApi.read({
      inputs: [{ id: 'ada@client.example' }],
      idProperty: 'email',
      properties: ['firstname'],
      propertiesWithHistory: [],
    })
    expect(read.results[0]).toMatchObject({ id: created.id, properties: { firstname: 'Ada' } })
    bench.clock.now += 10_000
    const filter: Parameters<typeof searchApi.doSearch>[0] = JSON.parse(
      '{"filterGroups":[{"filters":[{"propertyName":"firstname","operator":"EQ","value":"ada"}]}]}',
    )
    expect((await searchApi.doSearch(filter)).total).toBe(1)
    const twin = basicApi.create({ properties: { email: 'ada@client.example' }, associations: [] })
    await expect(twin).rejects.toMatchObject({
      code: 409,
      body: { category: 'CONFLICT', message: `Contact already exists. Existing ID: ${created.id}` },
    })
    await basicApi.archive(created.id)
    await expect(basicApi.getById(created.id)).rejects.toMatchObject({ code: 404 })
  })

  it('upserts by a unique key, gets 207 for a bad row, and associates', async () => {
    const { results } = await client.crm.schemas.coreApi.getAll()
    const type = results.find(({ name }) => name === 'client_order')?.objectTypeId ?? ''
    const row = (key: string, properties: Record<string, string>) => ({
      id: key,
      idProperty: 'order_key',
      objectWriteTraceId: key,
      properties,
    })
    const upserted = await client.crm.objects.batchApi.upsert(type, {
      inputs: [row('k1', { amount: '25.5' }), row('k2', { amount: 'much' })],
    })
    expect(upserted).toMatchObject({ status: 'COMPLETE', numErrors: 1 })
    expect(upserted.results).toMatchObject([{ _new: true, properties: { amount: '25.5' } }])
    const company = await client.crm.companies.basicApi.create({
      properties: { name: 'Client' },
      associations: [],
    })
    const order = upserted.results[0]?.id ?? ''
    await client.crm.associations.v4.basicApi.createDefault(type, order, 'companies', company.id)
    const ties = await client.crm.associations.v4.basicApi.getPage(type, order, 'companies')
    expect(ties.results.map(({ toObjectId }) => String(toObjectId))).toEqual([company.id])
  })

  it('speaks the dated paths as they are through its untyped call', async () => {
    const answer = await client.apiRequest({ path: `/account-info/${version}/details` })
    expect(await answer.json()).toMatchObject({ portalId: 24180001 })
    const refused = await client.apiRequest({
      method: 'POST',
      path: `/crm/objects/${version}/companies/batch/upsert`,
      body: { inputs: [{ id: 'x.example', idProperty: 'domain', properties: {} }] },
    })
    expect(refused.status).toBe(400)
    expect((await refused.json()).message).toContain('non-unique 0-2 property domain')
  })
})
