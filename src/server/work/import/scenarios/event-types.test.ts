import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { eventTypesInSpec, specIsThere } from '#simulators/stripe/testing/spec.ts'
import { event } from '#simulators/stripe/testing/stripe-objects.ts'
import type { SimulatedWorld, StripeObject } from '#simulators/stripe/world/world.ts'
import { lastHour } from '#test/import/moving-account.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { objectsOfEvent } from '../../../providers/stripe/read-event.ts'

/**
 * Every kind of object that we store: its name in Stripe's documents, and the word Stripe uses for it in
 * event types.
 */
const kept: Readonly<Record<string, string>> = {
  Customer: 'customer',
  CustomerSource: 'card',
  PaymentMethod: 'payment_method',
  Discount: 'discount',
  Subscription: 'subscription',
  Product: 'product',
  Price: 'price',
  Plan: 'plan',
  Coupon: 'coupon',
  Invoice: 'invoice',
  InvoicePayment: 'invoice_payment',
}

const changesNothing = 'leaves everything as it was that is kept'
const isNoDefaultYet =
  'pays for nothing before its customer or subscription names it, which is a change of those'
const isNotKept = 'tells of what is not kept'
const isPrice = 'a plan is the older view of a price, which has the same event'

/** Events of those objects that we ignore, and why. */
const leftOut: Readonly<Record<string, string>> = {
  'customer.source.created': isNoDefaultYet,
  'customer.source.expiring': changesNothing,
  'customer.tax_id.created': isNotKept,
  'customer.tax_id.deleted': isNotKept,
  'customer.tax_id.updated': isNotKept,
  'customer.subscription.trial_will_end': changesNothing,
  'invoice.finalization_failed': changesNothing,
  'invoice.overpaid': changesNothing,
  'invoice.payment_action_required': changesNothing,
  'invoice.payment_attempt_required': changesNothing,
  'invoice.sent': changesNothing,
  'invoice.upcoming': 'tells of an invoice that is not there yet and has no id',
  'invoice.will_be_due': changesNothing,
  'payment_method.attached': isNoDefaultYet,
  'plan.created': isPrice,
  'plan.deleted': isPrice,
  'plan.updated': isPrice,
}

/** Each event type with the kind of its object, as the SDK of the pinned version declares them. */
function declaredEvents(): Map<string, string> {
  const text = readFileSync('node_modules/stripe/esm/resources/Events.d.ts', 'utf8')
  const objects = new Map(
    [...text.matchAll(/namespace (\w+) \{\s+interface Data extends Event\.Data \{\s+object: (\w+);/g)].map(
      ([, name = '', object = '']) => [name, object],
    ),
  )
  const events = text.matchAll(/interface (\w+) extends EventBase \{\s+type: '([\w.]+)';/g)
  return new Map([...events].map(([, name = '', type = '']) => [type, objects.get(name) ?? '']))
}

const declared = declaredEvents()
const kindOf = (type: string) => declared.get(type) ?? ''
const families = new Set(Object.values(kept))
/** Events of stored objects, and all other events whose type begins with the word of one. */
const types = [...declared.keys()].filter(
  (type) => kindOf(type) in kept || families.has(type.slice(0, type.indexOf('.'))),
)
const begun = smallWorld()
const now = Date.parse(begun.as_of) / 1000

describe('the events that an import of what changed asks for', () => {
  const asked: string[][] = []
  let stage: ImportStage

  beforeAll(async () => {
    stage = await stageImport({
      world: begun,
      around: (fetch) => (request) => {
        const { pathname, searchParams } = new URL(request.url)
        const ofIt = [...searchParams].filter(([name]) => name.startsWith('types')).map(([, type]) => type)
        if (pathname === '/v1/events' && searchParams.has('created[gte]')) asked.push(ofIt)
        return fetch(request)
      },
    })
    await stage.importAll()
    await stage.work(await stage.start(lastHour(now)))
  })
  afterAll(() => stage.close())

  it('are all of an object that is kept, but for those that are left out by name', () => {
    expect(Object.keys(kept).filter((kind) => !types.some((type) => kindOf(type) === kind))).toEqual([])
    expect(types.filter((type) => !asked.flat().includes(type)).toSorted()).toEqual(
      Object.keys(leftOut).toSorted(),
    )
    expect(asked.flat().filter((type) => !types.includes(type))).toEqual([])
  })

  it('are at most twenty in a request', () => {
    expect(asked).toHaveLength(2)
    expect(Math.max(...asked.map((some) => some.length))).toBeLessThanOrEqual(20)
  })

  it('each name something to read again', () => {
    const nameless = asked.flat().filter((type) => {
      const object = { id: 'some', object: kept[kindOf(type)], customer: 'cus_one' }
      return objectsOfEvent({ object: 'event', type, data: { object } }).length === 0
    })
    expect(nameless).toEqual([])
  })

  it.skipIf(!specIsThere)('are those of Stripe’s document too', () => {
    const kinds = [...new Set(types.map(kindOf))]
    expect(kinds.flatMap(eventTypesInSpec).toSorted()).toEqual(types.toSorted())
  })
})

type Shown = { id: string; payment_method: unknown; body?: { paymentMethod: unknown } }

describe('a way to pay that changed, with no other event', () => {
  const known = (list: readonly { id: string }[] | undefined, id: string): StripeObject => {
    const found = list?.find((one) => one.id === id)
    if (!found) throw new Error(`the account has no ${id}`)
    return { object: '', created: 0, ...found }
  }
  const card = known(begun.payment_methods, 'pm_card')
  const source = { id: 'card_old', object: 'card', customer: 'cus_one' }
  const renewed = { ...card, card: { ...(card['card'] as object), last4: '1881' } }
  const instead = <T extends { id: string }>(list: readonly T[], more: object) =>
    list.map((one) => (/^(cus|sub)_one$/.test(one.id) ? { ...one, ...more } : one))
  const payless = {
    payment_methods: [],
    customers: instead(begun.customers, { invoice_settings: { default_payment_method: null } }),
    subscriptions: instead(begun.subscriptions, { default_payment_method: null }),
  }
  const gone = { object: { ...card, customer: null }, previous_attributes: { customer: 'cus_one' } }
  const other = expect.objectContaining({ last4: '1881' })

  type Case = [type: string, world: Partial<SimulatedWorld>, data: object, shown: unknown]
  const cases: Case[] = [
    ['payment_method.updated', { payment_methods: [renewed] }, { object: renewed }, other],
    ['payment_method.automatically_updated', { payment_methods: [renewed] }, { object: renewed }, other],
    ['payment_method.detached', payless, gone, null],
    ['customer.source.updated', { payment_methods: [renewed] }, { object: source }, other],
    ['customer.source.deleted', payless, { object: source }, null],
  ]

  it.each(cases)('shows on its customer and subscription after %s', async (type, more, data, shown) => {
    const stage = await stageImport({ world: begun })
    try {
      await stage.importAll()
      const as_of = new Date((now + 900) * 1000).toISOString()
      const events = [...(begun.events ?? []), { ...event('evt_card', type, now + 600), data }]
      stage.simulator.setWorld({ ...begun, ...more, as_of, events })
      await stage.work(await stage.start(lastHour(now + 900)))
      const dump = await stage.dump()
      const find = (table: string, id: string) => (dump[table] as Shown[]).find((one) => one.id === id)
      expect(find('customers', 'cus_one')?.payment_method).toEqual(shown)
      expect(find('subscriptions', 'sub_one')?.body?.paymentMethod).toEqual(shown)
    } finally {
      await stage.close()
    }
  })

  it('is tried with every type of event that is asked for', () => {
    const ofCards = types.filter((type) => /^(?:payment_method|customer\.source)\./.test(type))
    const wanted = ofCards.filter((type) => !(type in leftOut))
    expect(cases.map(([type]) => type).toSorted()).toEqual(wanted.toSorted())
  })
})
