import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger, starter } from '#test/push/open-bench.ts'
import { ensureCrmObjects, getCrmObjects } from './ensure-crm-objects.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  bench = await openBench(db)
})

const schemaPath = '/crm-object-schemas/2026-09/schemas'
const state = () => getCrmObjects(bench.deps, bench.organizationId)
const retry = () => ensureCrmObjects(bench.deps, bench.organizationId)
const typeOf = (name: string) =>
  bench.simulator
    .portal(enterprise)
    .schemas()
    .find((schema) => schema.name === name)?.typeId
const subscriptionType = () => typeOf('tributary_subscription')

async function pushOne(): Promise<void> {
  await saveLedger(bench, [{ id: 'a', name: 'Alpha', email: null, mrrCents: 1_000 }])
  await bench.push()
}

/** Empties and deletes both objects, as an admin does to remove them. */
async function deleteObjects({ isForGood }: { isForGood: boolean }): Promise<void> {
  const types = [typeOf('tributary_event'), subscriptionType()]
  for (const type of types) {
    for (const { id } of bench.simulator.portal(enterprise).records(type ?? ''))
      await bench.control('/_control/archive', { hubId: enterprise, type, id })
    await bench.ask('DELETE', `${schemaPath}/${type}`)
    if (isForGood) await bench.ask('DELETE', `${schemaPath}/${type}?archived=true`)
  }
}

it('makes objects with every field that a description of the API was seen to require', async () => {
  const requiredSchemaFields = [
    ...['name', 'labels', 'properties', 'associatedObjects', 'requiredProperties', 'searchableProperties'],
    ...['secondaryDisplayProperties', 'allowsSensitiveProperties', 'shouldCreateSameObjectAssociation'],
  ]
  await bench.control('/_control/settings', { hubId: enterprise, openAnswers: { requiredSchemaFields } })
  await bench.connect()
  expect(await state()).toMatchObject({ isReady: true })
})

describe('objects that cannot be made', () => {
  it('for want of the plan: says which permissions are missing and what they take', async () => {
    await bench.connect({ hubId: starter })
    expect(await state()).toMatchObject({
      isReady: false,
      // No key and no admin could give this connection the records of the objects.
      advice: expect.stringMatching(/Enterprise.* connect HubSpot again\.$/),
      hasOtherWays: false,
      objects: [
        { state: 'failed', reason: expect.stringContaining('crm.schemas.custom.write') },
        { state: 'failed' },
      ],
    })
  })

  it('for want of room: says how much there is, and Retry works when there is more', async () => {
    await bench.control('/_control/settings', { hubId: enterprise, customObjectLimit: 1 })
    await bench.connect()
    expect(await state()).toMatchObject({
      objects: [{ reason: 'The account has room for 1 more custom objects, and 2 are needed.' }, {}],
      advice: expect.stringContaining('Delete custom objects that nobody uses'),
    })
    await bench.control('/_control/settings', { hubId: enterprise, customObjectLimit: 2 })
    expect(await retry()).toMatchObject({ isReady: true, advice: null })
  })

  it('for a name that a deleted object keeps: says so, and Retry works when it is gone for good', async () => {
    await bench.connect()
    const [events, subscriptions] = [typeOf('tributary_event'), subscriptionType()]
    await deleteObjects({ isForGood: false })
    expect(await retry()).toMatchObject({
      isReady: false,
      objects: [
        { state: 'failed', reason: expect.stringContaining('keeps the name tributary_subscription taken') },
        { state: 'missing' },
      ],
      advice: expect.stringContaining('delete it for good'),
    })
    await bench.ask('DELETE', `${schemaPath}/${events}?archived=true`)
    await bench.ask('DELETE', `${schemaPath}/${subscriptions}?archived=true`)
    expect(await retry()).toMatchObject({ isReady: true })
  })

  it('because somebody else has an object of that name: does not touch it, and says so', async () => {
    await bench.control('/_control/settings', { hubId: enterprise, customObjectLimit: 0 })
    await bench.connect()
    await bench.control('/_control/settings', { hubId: enterprise, customObjectLimit: 10 })
    await bench.ask('POST', schemaPath, {
      name: 'tributary_subscription',
      labels: { singular: 'Theirs', plural: 'Theirs' },
      primaryDisplayProperty: 'title',
      properties: [{ name: 'title', label: 'Title', type: 'string', fieldType: 'text' }],
      associatedObjects: [],
    })
    expect(await retry()).toMatchObject({
      isReady: false,
      objects: [
        {
          state: 'failed',
          reason: expect.stringContaining('named tributary_subscription that Tributary did not create'),
        },
        {},
      ],
    })
    const labels = bench.simulator
      .portal(enterprise)
      .schemas()
      .map((schema) => schema.labels.plural)
    expect(labels).toEqual(['Theirs'])
  })
})

describe('objects that somebody changed', () => {
  beforeEach(async () => {
    await bench.connect()
    await pushOne()
  })

  it('get a deleted property back, with every value', async () => {
    const before = dumpCrm(bench)
    await bench.ask('DELETE', `/crm/properties/2026-09/${subscriptionType()}/product_name`)
    const run = await bench.push()
    expect(run).toMatchObject({ status: 'completed', processed_records: 1, failed_records: 0 })
    expect((await bench.logOf(run.id)).join()).toContain('Properties of Stripe subscriptions were gone')
    expect(dumpCrm(bench)).toEqual(before)
  })

  it('get a property back in the group into which people put ours', async () => {
    const path = `/crm/properties/2026-09/${subscriptionType()}`
    await bench.ask('DELETE', `${path}/product_name`)
    await bench.ask('POST', `${path}/groups`, { name: 'billing', label: 'Billing' })
    const { results } = (await bench.ask('GET', path)) as { results: { name: string; groupName: string }[] }
    const ours = 'tributary_subscription_information'
    for (const { name } of results.filter(({ groupName }) => groupName === ours))
      await bench.ask('PATCH', `${path}/${name}`, { groupName: 'billing' })
    await bench.ask('DELETE', `${path}/groups/${ours}`)
    expect(await bench.push()).toMatchObject({ status: 'completed', processed_records: 1 })
    expect(await bench.ask('GET', `${path}/product_name`)).toMatchObject({ groupName: 'billing' })
  })

  it('get a deleted association type back, with every association', async () => {
    const before = dumpCrm(bench)
    const pair = [typeOf('tributary_event'), subscriptionType()] as const
    const { results } = (await bench.ask('GET', `/crm/associations/2026-09/${pair.join('/')}/labels`)) as {
      results: { typeId: number }[]
    }
    await bench.ask('DELETE', `${schemaPath}/${pair[0]}/associations/${results[0]?.typeId}`)
    expect(dumpCrm(bench).associations).toEqual([])
    const run = await bench.push()
    expect(run).toMatchObject({ status: 'completed', failed_records: 0 })
    expect((await bench.logOf(run.id)).join()).toContain('with the subscription was gone from HubSpot')
    expect(dumpCrm(bench)).toEqual(before)
  })

  it('get their values back also when the push died between making the property and saying so', async () => {
    const before = dumpCrm(bench)
    await bench.ask('DELETE', `/crm/properties/2026-09/${subscriptionType()}/product_name`)
    const { crm } = bench.deps
    const addFields: typeof crm.addFields = async (...given) => {
      await crm.addFields(...given)
      throw new Error('the process died')
    }
    await expect(bench.push({ crm: { ...crm, addFields } })).rejects.toThrow('died')
    expect(await bench.resume()).toMatchObject({ status: 'completed', processed_records: 1 })
    expect(dumpCrm(bench)).toEqual(before)
  })

  it('get a missing option back beside those that people added', async () => {
    const path = `/crm/properties/2026-09/${subscriptionType()}/status`
    const theirs = { value: 'their_own', label: 'Their own', displayOrder: 0, hidden: false }
    await bench.ask('PATCH', path, { options: [theirs] })
    await saveLedger(bench, [{ id: 'b', name: 'Beta', email: null, mrrCents: 100 }])
    expect(await bench.push()).toMatchObject({ status: 'completed', failed_records: 0 })
    const property = await bench.ask('GET', path)
    expect(property).toMatchObject({
      options: expect.arrayContaining([
        expect.objectContaining({ value: 'their_own' }),
        expect.objectContaining({ value: 'incomplete_expired' }),
        expect.objectContaining({ value: 'other' }),
      ]),
    })
  })

  it('are made again when they were deleted for good, with every record', async () => {
    const before = dumpCrm(bench)
    await deleteObjects({ isForGood: true })
    const run = await bench.push()
    expect(run).toMatchObject({ status: 'completed', processed_records: 2, failed_records: 0 })
    expect((await bench.logOf(run.id)).filter((line) => line.includes('was made again'))).toHaveLength(2)
    expect(dumpCrm(bench)).toEqual(before)
  })

  it('stop the push when their key is archived, and ask for that alone to be restored', async () => {
    const before = dumpCrm(bench)
    const path = `/crm/properties/2026-09/${subscriptionType()}`
    await bench.ask('DELETE', `${path}/stripe_subscription_id`)
    const { status, error } = await bench.push()
    expect([status, error]).toEqual(['failed', expect.stringContaining('Restore it there from the archived')])
    expect(error).not.toContain('Delete')
    await bench.ask('POST', path, {
      ...{ name: 'stripe_subscription_id', label: 'Stripe subscription ID', hasUniqueValue: true },
      ...{ type: 'string', fieldType: 'text', groupName: 'tributary_subscription_information' },
    })
    expect(await bench.push()).toMatchObject({ status: 'completed', failed_records: 0 })
    expect(dumpCrm(bench)).toEqual(before)
  })

  it('stop the push, and say why, when a property has another type', async () => {
    const path = `/crm/properties/2026-09/${subscriptionType()}`
    await bench.ask('DELETE', `${path}/quantity`)
    await bench.ask('POST', path, {
      name: 'quantity',
      label: 'Quantity',
      type: 'string',
      fieldType: 'text',
      groupName: 'tributary_subscription_information',
    })
    expect(await bench.push()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(
        'The type of these properties of tributary_subscription was changed in HubSpot: quantity',
      ),
    })
  })
})

describe('the minute in which single reads flip', () => {
  it('does not matter: the list is asked, and a second look makes nothing twice', async () => {
    await bench.connect()
    for (let look = 0; look < 5; look++) {
      bench.clock.now += 7_000
      expect((await retry()).isReady).toBe(true)
    }
    expect(bench.simulator.portal(enterprise).schemas()).toHaveLength(2)
    const asked = bench.simulator.requests
      .list('/crm-object-schemas')
      .map(({ method, path }) => `${method} ${path}`)
    expect(asked.filter((call) => call === `POST ${schemaPath}`)).toHaveLength(2)
    expect(asked.filter((call) => call.startsWith(`GET ${schemaPath}/`))).toEqual([])
  })

  it('does not matter either when the answer to a create was lost', async () => {
    await bench.control('/_faults', {
      kind: 'lost_answer',
      match: { method: 'POST', pathPrefix: schemaPath },
    })
    await bench.connect()
    expect((await retry()).isReady).toBe(true)
    expect(bench.simulator.portal(enterprise).schemas()).toHaveLength(2)
  })
})
