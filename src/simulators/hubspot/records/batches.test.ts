import { describe, expect, it } from 'vitest'
import { type ConnectedApp, connect, createOrders } from '../test-client.ts'

type Row = { id: string; objectWriteTraceId: string; new: boolean; properties: Record<string, string> }

const row = (key: string, properties: object = {}) => ({ id: key, idProperty: 'order_key', properties })
const traced = (inputs: readonly object[]) =>
  inputs.map((input, at) => ({ ...input, objectWriteTraceId: `t${at}` }))

async function openOrders() {
  const app = await connect()
  const typeId = await createOrders(app)
  const path = `/crm/objects/2026-09/${typeId}/batch`
  const send = (name: string, inputs: readonly object[], rest = {}) =>
    app.call('POST', `${path}/${name}`, { inputs, ...rest })
  return { app, typeId, send, count: () => app.simulator.portal(24180001).records(typeId).length }
}

function createContact(app: ConnectedApp, properties: object) {
  return app.call('POST', '/crm/objects/2026-09/contacts', { properties })
}

describe('upsert', () => {
  it('creates once and updates after, and says which', async () => {
    const { send, count } = await openOrders()
    const first = await send('upsert', [row('a', { title: 'One' }), row('b')])
    expect(first.status).toBe(200)
    expect(first.body.results.map((result: Row) => result.new)).toEqual([true, true])
    const second = await send('upsert', [row('a', { title: 'Two' }), row('c')])
    const byKey = new Map(second.body.results.map((result: Row) => [result.properties['order_key'], result]))
    expect(byKey.get('a')).toMatchObject({ new: false, properties: { title: 'Two' } })
    expect(byKey.get('c')).toMatchObject({ new: true })
    expect(count()).toBe(3)
  })

  it('answers in another order than asked, the same in every run', async () => {
    const order = async () => {
      const { send } = await openOrders()
      const { body } = await send('upsert', traced(Array.from({ length: 20 }, (_, at) => row(`k${at}`))))
      return body.results.map((result: Row) => result.objectWriteTraceId)
    }
    const first = await order()
    expect(first).not.toEqual(Array.from({ length: 20 }, (_, at) => `t${at}`))
    expect([...first].sort()).toEqual(Array.from({ length: 20 }, (_, at) => `t${at}`).sort())
    expect(await order()).toEqual(first)
  })

  it('writes the good rows and reports the bad ones when every input has its own trace id', async () => {
    const { send, count } = await openOrders()
    const inputs = traced([row('a'), row('b', { status: 'unknown' }), row('c')])
    const { status, body } = await send('upsert', inputs)
    expect(status).toBe(207)
    expect(body).toMatchObject({ status: 'COMPLETE', numErrors: 1 })
    expect(body.errors).toMatchObject([
      { status: 'error', category: 'VALIDATION_ERROR', context: { objectWriteTraceId: ['t1'] } },
    ])
    expect(body.results).toHaveLength(2)
    expect(count()).toBe(2)
  })

  it.each([
    ['no trace ids', [row('a'), row('b', { status: 'unknown' })]],
    ['one input without', [{ ...row('a'), objectWriteTraceId: 't' }, row('b', { status: 'unknown' })]],
    [
      'a shared one',
      [row('a'), row('b', { status: 'unknown' })].map((input) => ({ ...input, objectWriteTraceId: 't' })),
    ],
  ])('refuses the whole batch with %s', async (_, inputs) => {
    const { send, count } = await openOrders()
    const { status, body } = await send('upsert', inputs)
    expect([status, body.category]).toEqual([400, 'VALIDATION_ERROR'])
    expect(count()).toBe(0)
  })

  it('refuses duplicate ids, more than 100 inputs, and properties that are not unique', async () => {
    const { app, send, count } = await openOrders()
    const duplicate = await send('upsert', traced([row('a'), row('a')]))
    expect(duplicate.status).toBe(400)
    expect(duplicate.body.message).toContain('Duplicate IDs found in batch input')
    expect((await send('upsert', traced(Array.from({ length: 101 }, (_, at) => row(`${at}`))))).status).toBe(
      400,
    )
    expect((await send('upsert', [{ id: 'x', idProperty: 'title', properties: {} }])).status).toBe(400)
    const byDomain = await app.call('POST', '/crm/objects/2026-09/companies/batch/upsert', {
      inputs: [{ id: 'acme.example', idProperty: 'domain', properties: {} }],
    })
    expect(byDomain.body.message).toBe('Unable to perform update/upsert by non-unique 0-2 property domain')
    expect(count()).toBe(0)
  })

  it('makes a new record when the one with the value was archived', async () => {
    const { app, typeId, send, count } = await openOrders()
    const first = await send('upsert', [row('a')])
    await app.call('DELETE', `/crm/objects/2026-09/${typeId}/${first.body.results[0].id}`)
    const second = await send('upsert', [row('a')])
    expect(second.body.results[0]).toMatchObject({ new: true })
    expect(second.body.results[0].id).not.toBe(first.body.results[0].id)
    expect(count()).toBe(1)
  })

  it('compares e-mail addresses in lower case, finds additional ones, and is never partial by email', async () => {
    const app = await connect()
    const ada = await createContact(app, {
      email: 'ada@acme.example',
      hs_additional_emails: 'ada@old.example',
    })
    const upsert = (inputs: readonly object[]) =>
      app.call('POST', '/crm/objects/2026-09/contacts/batch/upsert', { inputs })
    const byEmail = (id: string, properties: object = {}) => ({ id, idProperty: 'email', properties })
    expect((await upsert([byEmail('Bob@x.example'), byEmail('bob@x.example')])).status).toBe(400)
    const found = await upsert([byEmail('ADA@old.example', { firstname: 'Ada' })])
    expect(found.body.results).toMatchObject([{ id: ada.body.id, new: false }])
    const mixed = await upsert(traced([byEmail('new@x.example'), byEmail('not an address')]))
    expect(mixed.status).toBe(400)
  })

  it('marks the answer when a row was refused by its name', async () => {
    const { send } = await openOrders()
    const { status, headers } = await send(
      'upsert',
      traced([row('a', { title: 'Refused by HubSpot' }), row('b')]),
    )
    expect([status, headers.get('x-simulated-fault')]).toEqual([207, 'refused_by_name'])
  })
})

describe('create and update', () => {
  it('see a unique value taken by an earlier row of the same batch', async () => {
    const { send, count } = await openOrders()
    const inputs = traced([{ properties: { order_key: 'k' } }, { properties: { order_key: 'k' } }])
    const { status, body } = await send('create', inputs)
    expect([status, body.numErrors, count()]).toEqual([207, 1, 1])
  })

  it('refuse the whole batch of contacts when one exists, without trace ids', async () => {
    const app = await connect()
    await createContact(app, { email: 'ada@acme.example' })
    const inputs = [
      { properties: { email: 'new@acme.example' } },
      { properties: { email: 'ada@acme.example' } },
    ]
    const { status } = await app.call('POST', '/crm/objects/2026-09/contacts/batch/create', { inputs })
    expect(status).toBe(409)
    expect(app.simulator.portal(24180001).records('0-1')).toHaveLength(1)
  })

  it('answer 201 when all went well', async () => {
    const { send } = await openOrders()
    expect((await send('create', [{ properties: { order_key: 'k' } }])).status).toBe(201)
  })

  it('update by id or unique value and report the ones that are not there', async () => {
    const { send } = await openOrders()
    const { body } = await send('create', [{ properties: { order_key: 'k' } }])
    const { id } = body.results[0]
    const updated = await send('update', [
      { id, properties: { title: 'By id' } },
      { id: '5', properties: { title: 'Nobody' } },
    ])
    expect(updated.status).toBe(207)
    expect(updated.body.errors).toMatchObject([{ category: 'OBJECT_NOT_FOUND', context: { ids: ['5'] } }])
    expect((await send('update', [row('k', { title: 'By key' })])).body.results[0].properties.title).toBe(
      'By key',
    )
  })
})

describe('read and archive', () => {
  it('read by id and unique value, and report missing ids with 207', async () => {
    const { send } = await openOrders()
    const { body } = await send('create', [{ properties: { order_key: 'k', title: 'One' } }])
    const read = await send('read', [{ id: 'k' }, { id: 'gone' }], {
      idProperty: 'order_key',
      properties: ['title'],
    })
    expect(read.status).toBe(207)
    expect(read.body.results).toMatchObject([{ id: body.results[0].id, properties: { title: 'One' } }])
    expect(read.body.errors).toMatchObject([{ category: 'OBJECT_NOT_FOUND', context: { ids: ['gone'] } }])
  })

  it('read contacts by their first address only', async () => {
    const app = await connect()
    await createContact(app, { email: 'ada@acme.example', hs_additional_emails: 'ada@old.example' })
    const inputs = [{ id: 'ada@acme.example' }, { id: 'ada@old.example' }]
    const read = await app.call('POST', '/crm/objects/2026-09/contacts/batch/read', {
      inputs,
      idProperty: 'email',
    })
    expect([read.status, read.body.results.length]).toEqual([207, 1])
  })

  it('archive answers 204 and hides the records', async () => {
    const { send, count } = await openOrders()
    const { body } = await send('upsert', [row('a'), row('b')])
    const ids = body.results.map((result: Row) => ({ id: result.id }))
    expect((await send('archive', ids)).status).toBe(204)
    expect((await send('read', ids)).body.numErrors).toBe(1)
    expect(count()).toBe(0)
  })
})

describe('scopes', () => {
  it('refuse records of a type the token has no scope for', async () => {
    const app = await connect()
    const typeId = await createOrders(app)
    const { form, send } = app
    const fields = { client_id: 'tributary-demo', redirect_uri: 'http://localhost:3000/callback' }
    const granted = await form('/oauth/authorize', {
      ...fields,
      scope: 'crm.objects.contacts.read',
      hub_id: '24180001',
      decision: 'allow',
    })
    const code = new URL(granted.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const secret = { client_secret: 'tributary-demo-secret', grant_type: 'authorization_code', code }
    const { body } = await form('/oauth/2026-09/token', { ...fields, ...secret })
    const refused = await send(
      'POST',
      `/crm/objects/2026-09/${typeId}/batch/read`,
      { inputs: [] },
      body.access_token,
    )
    expect([refused.status, refused.body.category]).toEqual([403, 'MISSING_SCOPES'])
    const tie = await send(
      'POST',
      '/crm/associations/2026-09/contacts/companies/batch/read',
      {},
      body.access_token,
    )
    expect(tie.body.errors[0].context.requiredGranularScopes).toEqual(['crm.objects.companies.read'])
  })
})
