import { afterEach, describe, expect, it } from 'vitest'
import { invoice, subscription } from '#simulators/stripe/testing/billing-objects.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { customer, event } from '#simulators/stripe/testing/stripe-objects.ts'
import { readWorld, type SimulatedWorld, type StripeObject } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'
import type { ImportRequest } from '../start-import.ts'

const stages: ImportStage[] = []
async function staged(world: SimulatedWorld): Promise<ImportStage> {
  const stage = await stageImport({ world })
  stages.push(stage)
  return stage
}
afterEach(async () => {
  await Promise.all(stages.splice(0).map((stage) => stage.close()))
})

const world = smallWorld()
const begunAt = Date.parse(world.as_of) / 1000

type More = Partial<Pick<SimulatedWorld, 'customers' | 'subscriptions' | 'invoices'>>

/** The small account after so many seconds, with more objects and these events. */
function worldAfter(seconds: number, more: More, events: StripeObject[]): SimulatedWorld {
  return readWorld({
    ...world,
    as_of: new Date((begunAt + seconds) * 1000).toISOString(),
    customers: [...world.customers, ...(more.customers ?? [])],
    subscriptions: [...world.subscriptions, ...(more.subscriptions ?? [])],
    invoices: [...world.invoices, ...(more.invoices ?? [])],
    events: [...(world.events ?? []), ...events],
  })
}

const named = (type: string, at: number, object: StripeObject): StripeObject => ({
  ...event(`evt_${type}_${object.id}`, type, begunAt + at),
  data: { object },
})

const look = (seconds: number): ImportRequest => ({
  mode: 'window',
  from: new Date(begunAt * 1000),
  until: new Date((begunAt + seconds) * 1000),
})

/** What the import asked for by the ids of these objects. */
async function askedBy(
  stage: ImportStage,
  request: ImportRequest,
  ids: readonly string[],
): Promise<string[]> {
  stage.simulator.requests.clear()
  expect(await stage.work(await stage.start(request))).toMatchObject({ status: 'completed', error: null })
  const paths = stage.simulator.requests.entries.map(({ path }) => path)
  return paths.filter((path) => ids.some((id) => path.includes(`/${id}`)))
}

const made = { created: begunAt + 60 }
const news = {
  customers: [customer('cus_late', made)],
  subscriptions: [subscription('sub_late', { ...made, customer: 'cus_late' })],
  invoices: Array.from({ length: 5 }, (_, index) =>
    invoice(`in_late${index}`, { ...made, customer: 'cus_late' }),
  ),
}
const announced = [
  named('customer.created', 60, news.customers[0] as StripeObject),
  named('customer.subscription.created', 61, news.subscriptions[0] as StripeObject),
  ...news.invoices.map((one) => named('invoice.created', 62, one)),
]
const whole = { mode: 'historical' } as const

describe('what Stripe names before it can be read', () => {
  it.each<[string, ImportRequest, More]>([
    ['none of it yet', look(90), {}],
    ['all but one of a list', look(90), { ...news, invoices: news.invoices.slice(1) }],
    ['none of it in an import of everything', whole, {}],
  ])('arrives with the next look: %s', async (_, first, readable) => {
    const stage = await staged(world)
    await stage.importAll()
    stage.simulator.setWorld(worldAfter(90, readable, announced))
    expect(await stage.work(await stage.start(first))).toMatchObject({ status: 'completed' })
    const later = worldAfter(390, news, announced)
    stage.simulator.setWorld(later)
    expect(await stage.work(await stage.start(look(390)))).toMatchObject({ status: 'completed' })
    const fresh = await staged(later)
    await fresh.importAll()
    const [kept, all] = [await stage.dump(), await fresh.dump()]
    for (const table of ['customers', 'subscriptions', 'invoices', 'events'])
      expect(kept[table], table).toEqual(all[table])
    expect(await askedBy(stage, look(390), ['late'])).toEqual([])
  })

  it('is not waited for where Stripe says that it is deleted, and nowhere longer than ten minutes', async () => {
    const [draft, lost] = [invoice('in_deleted', made), invoice('in_lost', made)]
    const events = [
      named('invoice.created', 60, draft),
      named('invoice.deleted', 70, draft),
      named('invoice.created', 75, lost),
    ]
    const stage = await staged(world)
    await stage.importAll()
    const asked = async (seconds: number) => {
      stage.simulator.setWorld(worldAfter(seconds, {}, events))
      const paths = await askedBy(stage, look(seconds), ['in_deleted', 'in_lost'])
      return paths.map((path) => path.replace(/\?.*/, ''))
    }
    expect(await asked(90)).toEqual(['/v1/invoices/in_deleted', '/v1/invoices/in_lost'])
    expect(await asked(390)).toEqual(['/v1/invoices/in_lost'])
    await asked(800)
    expect(await asked(1_100)).toEqual([])
    const open = 'select id from payment_changes where settled_at is null and received_at is not null'
    expect(await query(stage.db.ownerUrl, open)).toEqual([])
  })
})
