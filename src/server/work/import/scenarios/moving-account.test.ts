import { afterEach, describe, expect, it } from 'vitest'
import { readWorld, type SimulatedWorld, type StripeObject } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { demoKey, generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { connectPayments } from '../../connections/connect-payments.ts'

const stages: ImportStage[] = []
afterEach(async () => {
  await Promise.all(stages.splice(0).map((stage) => stage.close()))
})

const minute = 60
const day = 86_400

type Json = Record<string, unknown>
type Path = '/v1/subscriptions' | '/v1/invoices'

const world = generatedWorld(12)
const asOf = Date.parse(world.as_of) / 1000

/**
 * The oldest active subscription with one seat price, monthly billing and no discount; it is on no first
 * page.
 */
function plainSeats(): StripeObject {
  const oldestFirst = world.subscriptions.toSorted((a, b) => a.created - b.created)
  const found = oldestFirst.find((one) => {
    const { data } = one['items'] as { data: Json[] }
    const [first, ...others] = data
    const price = first?.['price'] as Json | undefined
    const recurring = price?.['recurring'] as Json | undefined
    return (
      one['status'] === 'active' &&
      others.length === 0 &&
      one['cancel_at'] === null &&
      (one['discounts'] as unknown[]).length === 0 &&
      price?.['billing_scheme'] === 'per_unit' &&
      price['transform_quantity'] === null &&
      price['currency'] === 'usd' &&
      recurring?.['usage_type'] === 'licensed' &&
      recurring['interval'] === 'month'
    )
  })
  if (!found) throw new Error('the account holds none')
  return found
}
const { id } = plainSeats()

const itemOf = (of: SimulatedWorld): Json => {
  const { items } = of.subscriptions.find((one) => one.id === id) as unknown as { items: { data: Json[] } }
  return items.data[0] ?? {}
}
const seats = Number(itemOf(world)['quantity'])
const seatCents = Number((itemOf(world)['price'] as Json)['unit_amount'])

/** The account after some time: with more seats, and one immediate invoice for each billed change. */
function later(
  seconds: number,
  more: number,
  billed: { at: number; from: number; to: number }[] = [],
): SimulatedWorld {
  const moved = structuredClone(world)
  moved.as_of = new Date((asOf + seconds) * 1000).toISOString()
  const item = itemOf(moved)
  item['quantity'] = seats + more
  const template = moved.invoices.find(({ parent }) => JSON.stringify(parent ?? null).includes(id))
  const { data } = (template?.['lines'] ?? { data: [] }) as { data: Json[] }
  const made = billed.map(({ at, from, to }, index): StripeObject => {
    const end = item['current_period_end']
    const proration = (quantity: number, sign: 1 | -1): Json => {
      const line = structuredClone(data[0] ?? {})
      const { subscription_item_details: details } = line['parent'] as { subscription_item_details: Json }
      details['proration'] = true
      const amount = (sign * seatCents * quantity) / 10
      return { ...line, id: `il_made_${at}_${quantity}`, amount, quantity, period: { start: at, end } }
    }
    const lines = {
      object: 'list',
      has_more: false,
      data: [proration(seats + from, -1), proration(seats + to, 1)],
    }
    const subtotal = lines.data.reduce((sum, { amount }) => sum + Number(amount), 0)
    return {
      ...structuredClone(template),
      id: `in_made_${index}`,
      object: 'invoice',
      created: at,
      lines,
      subtotal,
    }
  })
  return readWorld({ ...moved, invoices: [...made, ...moved.invoices] })
}

/** An import in which one list answers only after the first page of the other; then the account changes. */
async function staged(
  order: { first: Path; next: Path; pageSize?: number; accountAheadSeconds?: number },
  moved: SimulatedWorld,
): Promise<ImportStage> {
  const { pageSize = 100, accountAheadSeconds = 0 } = order
  const firstIsIn = Promise.withResolvers<void>()
  let stage: ImportStage | undefined
  stage = await stageImport({
    world,
    pageSize,
    accountAheadSeconds,
    around: (fetch) => async (request) => {
      const { pathname } = new URL(request.url)
      // The check of a new key requests one object per list, while the import requests whole pages.
      const isPage = new URL(request.url).searchParams.get('limit') === String(pageSize)
      if (isPage && pathname === order.next) await firstIsIn.promise
      const answer = await fetch(request)
      if (!isPage || pathname !== order.first) return answer
      // The simulator computes the answer while it is read.
      const text = await answer.text()
      stage?.simulator.setWorld(moved)
      firstIsIn.resolve()
      return new Response(text, { status: answer.status, headers: answer.headers })
    },
  })
  stages.push(stage)
  return stage
}

async function fresh(of: SimulatedWorld): Promise<ImportStage> {
  const stage = await stageImport({ world: of })
  stages.push(stage)
  await stage.importAll()
  return stage
}

const eventsIn = (stage: ImportStage) =>
  query(
    stage.db.ownerUrl,
    `select floor(extract(epoch from occurred_at))::int - $2 as after, invoice_id as invoice,
            current_mrr_cents::int / $3 as seats
       from events where subscription_id = $1 order by occurred_at, position`,
    [id, asOf, seatCents],
  )

async function importAgain(stage: ImportStage, of: SimulatedWorld): Promise<void> {
  stage.simulator.setWorld(of)
  expect(await stage.work(await stage.start())).toMatchObject({ status: 'completed', failed_records: 0 })
}

it('a subscription that was read before its newest invoice is asked for again, and no change back is seen', async () => {
  const changed = later(30 * minute, 2, [{ at: asOf + 20 * minute, from: 0, to: 2 }])
  const stage = await staged({ first: '/v1/subscriptions', next: '/v1/invoices' }, changed)
  expect(await stage.importAll()).toMatchObject({ status: 'completed', failed_records: 0 })
  const events = await eventsIn(stage)
  expect(events.at(-1)).toEqual({ after: 20 * minute, invoice: 'in_made_0', seats: seats + 2 })
  expect(events).toEqual(await eventsIn(await fresh(changed)))
  expect(
    await query(stage.db.ownerUrl, 'select 1 as one from mrr_sightings where subscription_id = $1', [id]),
  ).toEqual([])
  await importAgain(stage, changed)
  expect(await eventsIn(stage)).toEqual(events)
})

it('invoices that were read before their subscription leave a change that the next import dates', async () => {
  const changed = later(30 * minute, 2, [{ at: asOf + 20 * minute, from: 0, to: 2 }])
  const stage = await staged({ first: '/v1/invoices', next: '/v1/subscriptions', pageSize: 5 }, changed)
  await stage.importAll()
  const seen = await eventsIn(stage)
  expect(seen.at(-1)).toMatchObject({ invoice: null, seats: seats + 2 })
  await importAgain(stage, changed)
  const dated = await eventsIn(stage)
  expect(dated).toEqual(await eventsIn(await fresh(changed)))
  expect(dated).toHaveLength(seen.length)
})

it('what is seen is dated by the asking, so that a change during the import still comes after it', async () => {
  // Two more seats that no invoice shows yet, two more while the invoices are read; everything is billed a
  // day later.
  const before = later(0, 2)
  const during = later(10, 4)
  const stage = await staged({ first: '/v1/subscriptions', next: '/v1/invoices' }, during)
  stage.simulator.setWorld(before)
  await stage.importAll()
  const seen = await eventsIn(stage)
  expect(seen.at(-1)).toEqual({ after: 0, invoice: null, seats: seats + 2 })
  const billed = later(day, 4, [
    { at: asOf - 10 * minute, from: 0, to: 2 },
    { at: asOf + 20 * minute, from: 2, to: 4 },
  ])
  await importAgain(stage, billed)
  expect((await eventsIn(stage)).slice(-2)).toEqual([
    { after: -10 * minute, invoice: 'in_made_0', seats: seats + 2 },
    { after: 20 * minute, invoice: 'in_made_1', seats: seats + 4 },
  ])
  expect(await eventsIn(stage)).toEqual(await eventsIn(await fresh(billed)))
})

describe('where the time of the account and ours are far apart', () => {
  const apart = [
    ['ahead of ours', 30 * day],
    ['behind ours', -30 * day],
  ] as const
  const singleReads = ({ simulator }: ImportStage) =>
    simulator.requests.counters.byPath['/v1/subscriptions/:id'] ?? 0

  it.each(apart)('%s, no subscription that was listed is asked for again', async (_, accountAheadSeconds) => {
    const stage = await stageImport({ world, accountAheadSeconds })
    stages.push(stage)
    await stage.importAll()
    expect(singleReads(stage)).toBe(0)
    await importAgain(stage, world)
    expect(singleReads(stage)).toBe(0)
  })

  it.each(apart)('%s, one that an invoice has outrun is', async (_, accountAheadSeconds) => {
    const changed = later(30 * minute, 2, [{ at: asOf + 20 * minute, from: 0, to: 2 }])
    const order = { first: '/v1/subscriptions', next: '/v1/invoices', accountAheadSeconds } as const
    const stage = await staged(order, changed)
    expect(await stage.importAll()).toMatchObject({ status: 'completed', failed_records: 0 })
    expect(singleReads(stage)).toBe(1)
    expect((await eventsIn(stage)).at(-1)).toEqual({
      ...{ after: 20 * minute, invoice: 'in_made_0', seats: seats + 2 },
    })
    await importAgain(stage, changed)
    expect(singleReads(stage)).toBe(1)
  })

  it.each(['an account without events', 'a key that may not read them'])(
    'the newest invoice tells the time of the account: %s',
    async (which) => {
      const isQuiet = which === 'an account without events'
      const stage = await stageImport({
        world: isQuiet ? { ...world, events: [] } : world,
        accountAheadSeconds: 30 * day,
      })
      stages.push(stage)
      const key = isQuiet ? demoKey : 'rk_test_without_events'
      await connectPayments(stage.deps, stage.organizationId, key)
      expect(await stage.work(await stage.start())).toMatchObject({ status: 'completed' })
      expect(singleReads(stage)).toBe(0)
    },
  )

  it('what is tied to a test clock goes by that clock', async () => {
    const clock = { id: 'clock_far', object: 'test_helpers.test_clock', frozen_time: asOf + 90 * day }
    const tied = structuredClone(world)
    const one = tied.subscriptions.find((subscription) => subscription.id === id) ?? {}
    const its = tied.invoices.filter(({ parent }) => JSON.stringify(parent ?? null).includes(id))
    for (const object of [one, ...its]) Object.assign(object, { test_clock: clock.id })
    const newest = its.reduce((last, invoice) => (invoice.created > last.created ? invoice : last))
    Object.assign(newest, { created: asOf + 60 * day })
    const template = { livemode: false, name: null, status: 'ready', created: asOf, ...clock }
    const stage = await stageImport({ world: readWorld({ ...tied, test_clocks: [template] }) })
    stages.push(stage)
    await stage.importAll()
    expect(singleReads(stage)).toBe(0)
    const after = { test_clocks: [{ ...template, frozen_time: asOf + 91 * day }] }
    await importAgain(stage, readWorld({ ...tied, ...after }))
    expect(
      await query(
        stage.db.ownerUrl,
        `select extract(epoch from asked_after)::int - $2 as after, body ? 'clockAt' as is_kept
           from subscriptions where id = $1`,
        [id, asOf],
      ),
    ).toEqual([{ after: 91 * day, is_kept: false }])
  })
})
