import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { createByHand } from '#test/push/hand-made-objects.ts'
import { type Bench, enterprise, openBench } from '#test/push/open-bench.ts'
import { checkObjects } from './take-over-objects.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  bench = await openBench(db)
})

const subscription = 'tributary_subscription'
const event = 'tributary_event'
const refuse = (by: { app?: string; key?: string }) =>
  bench.control('/_control/settings', { hubId: enterprise, schemaRefusals: by })
const check = () => checkObjects(bench.deps, bench.organizationId)
const writes = () => bench.simulator.requests.list('/').filter(({ method }) => method !== 'GET')
/** What the check says of one property, or of the object itself. */
const saidOf = async (name: string, property: string | null) =>
  (await check())
    .find((object) => object.name === name)
    ?.differences.filter((difference) => difference.property === property)

describe('the check of objects that were made by hand', () => {
  beforeEach(async () => {
    await refuse({ app: 'approval' })
    await bench.connect()
    bench.simulator.requests.clear()
  })

  it('finds nothing yet, and writes nothing', async () => {
    expect(await check()).toMatchObject([
      { name: subscription, objectTypeId: null, isOurs: false, differences: [{ effect: 'blocks' }] },
      { name: event, objectTypeId: null },
    ])
    expect(writes()).toEqual([])
  })

  it('finds no difference where the instructions were followed', async () => {
    const made = await createByHand(bench, enterprise)
    expect(await check()).toMatchObject([
      { name: subscription, objectTypeId: made[subscription], isOurs: false, differences: [] },
      { name: event, objectTypeId: made[event], isOurs: false, differences: [] },
    ])
  })

  it.each([
    ['mrr', { type: 'string', fieldType: 'text' }, 'blocks', /has the type string, but has to be Number/],
    ['trial_end', { type: 'date', fieldType: 'date' }, 'blocks', /type date, but has to be Date and time/],
    [
      'stripe_subscription_id',
      { hasUniqueValue: false },
      'blocks',
      /allows the same value twice.*Require unique/,
    ],
    [
      'stripe_subscription_id',
      null,
      'blocks',
      /is missing\. Create it as Single-line text, with "Require unique/,
    ],
    ['quantity', null, 'missing', /is missing\. Create it as Number\./],
    [
      'status',
      { options: [{ label: 'Active', value: 'Active' }] },
      'missing',
      /lacks the options with the internal values active, .*other\. It has others instead: Active\./,
    ],
  ])('names %s made as %o', async (property, definition, effect, text) => {
    await createByHand(bench, enterprise, { [subscription]: { properties: { [property]: definition } } })
      // Left out of the display lists too, which HubSpot demands of a property that does not exist.
      .catch(() =>
        createByHand(bench, enterprise, {
          [subscription]: {
            properties: { [property]: definition },
            object: { searchableProperties: [], secondaryDisplayProperties: [] },
          },
        }),
      )
    expect(await saidOf(subscription, property)).toMatchObject([
      { effect, text: expect.stringMatching(text) },
    ])
  })

  it('names an archived property as archived, and a calculated one as such', async () => {
    const made = await createByHand(bench, enterprise, { [subscription]: { properties: { quantity: null } } })
    const type = made[subscription]
    await bench.control('/_control/archive-property', { hubId: enterprise, type, name: 'mrr_note' })
    const property = {
      name: 'quantity',
      label: 'Quantity',
      type: 'number',
      fieldType: 'number',
      calculated: true,
    }
    await bench.control('/_control/define-property', { hubId: enterprise, type, property })
    expect(await saidOf(subscription, 'mrr_note')).toMatchObject([
      { effect: 'missing', text: expect.stringMatching(/^is archived\. Restore it/) },
    ])
    expect(await saidOf(subscription, 'quantity')).toMatchObject([
      { effect: 'blocks', text: expect.stringMatching(/is calculated by HubSpot/) },
    ])
  })

  it('names an archived key as archived, which blocks', async () => {
    const made = await createByHand(bench, enterprise)
    const name = 'tributary_event_id'
    await bench.control('/_control/archive-property', { hubId: enterprise, type: made[event], name })
    expect(await saidOf(event, name)).toMatchObject([
      { effect: 'blocks', text: expect.stringMatching(/is archived\. Restore it/) },
    ])
  })

  it('names a deleted object, and one with another internal name', async () => {
    const made = await createByHand(bench, enterprise, { [event]: { object: { name: 'mrr_events' } } })
    expect(await saidOf(event, null)).toMatchObject([
      { text: expect.stringMatching(/labeled MRR events, but its internal name is mrr_events\./) },
    ])
    await bench.control('/_control/delete-object', { hubId: enterprise, type: made[subscription] })
    expect(await saidOf(subscription, null)).toMatchObject([
      { text: expect.stringMatching(/was deleted, and HubSpot keeps its name/) },
    ])
  })

  it('names a missing association, other labels and other displays, and a required property of theirs', async () => {
    const made = await createByHand(bench, enterprise, {
      [subscription]: {
        object: {
          labels: { singular: 'Abo', plural: 'Abos' },
          primaryDisplayProperty: 'customer_name',
          secondaryDisplayProperties: ['status'],
          searchableProperties: ['customer_name'],
          associatedObjects: ['0-1'],
        },
      },
    })
    const type = made[subscription] ?? ''
    const property = { name: 'cost_centre', label: 'Cost centre', type: 'string', fieldType: 'text' }
    await bench.control('/_control/define-property', { hubId: enterprise, type, property })
    await refuse({})
    await bench.ask('PATCH', `/crm-object-schemas/2026-09/schemas/${type}`, {
      requiredProperties: ['cost_centre'],
    })
    expect(await saidOf(subscription, 'cost_centre')).toMatchObject([
      { effect: 'blocks', text: expect.stringMatching(/is required, but Tributary does not fill it/) },
    ])
    expect(await saidOf(subscription, null)).toEqual([
      { property: null, effect: 'missing', text: 'The association with Companies is missing.' },
      {
        property: null,
        effect: 'looks',
        text: 'It is labeled Abo and Abos, not Stripe subscription and Stripe subscriptions.',
      },
      {
        property: null,
        effect: 'looks',
        text: 'Its primary display property is customer_name, not subscription_name.',
      },
      { property: null, effect: 'looks', text: 'Not among the secondary display properties: mrr.' },
      {
        property: null,
        effect: 'looks',
        text: 'Not among the searchable properties: stripe_subscription_id, customer_email.',
      },
    ])
  })
})
