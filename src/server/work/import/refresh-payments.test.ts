import { afterEach, describe, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { event } from '#simulators/stripe/testing/stripe-objects.ts'
import { readWorld, type SimulatedWorld, type StripeObject } from '#simulators/stripe/world/world.ts'
import { createMachine } from '#simulators/worlds/machine.ts'
import { run as query } from '#test/database.ts'
import { importedStage } from '#test/import/imported-stage.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'

const dayZero = Date.parse('2026-09-01T12:00:00Z') / 1000
const daySeconds = 24 * 3600

const stages: ImportStage[] = []
async function staged(...args: Parameters<typeof stageImport>): Promise<ImportStage> {
  const stage = await stageImport(...args)
  stages.push(stage)
  return stage
}
async function imported(...args: Parameters<typeof importedStage>): Promise<ImportStage> {
  const stage = await importedStage(...args)
  stages.push(stage)
  return stage
}
afterEach(async () => {
  await Promise.all(stages.splice(0).map((stage) => stage.close()))
})

function account(customers: number, seed = 11) {
  const machine = createMachine({ seed, customers, months: 6, asOf: dayZero })
  return {
    worldAt: (at: number) => {
      machine.runTo(at)
      return readWorld(machine.snapshot().world)
    },
  }
}

function window(at: number, seconds: number) {
  return { mode: 'window' as const, from: new Date((at - seconds) * 1000), until: new Date(at * 1000) }
}
const lastHour = (at: number) => window(at, 3600)
const lastMonth = (at: number) => window(at, 30 * daySeconds)

/** The requests that one import makes. */
async function requestsOf(stage: ImportStage, request: ReturnType<typeof window>): Promise<string[]> {
  const { requests } = stage.simulator
  requests.clear()
  expect((await stage.work(await stage.start(request))).status).toBe('completed')
  return requests.entries.map(({ path }) => path)
}

describe('an import of a window', () => {
  it('leaves the same as a fresh import of everything, round after round', async () => {
    const { worldAt } = account(12)
    const refreshed = await imported({ world: worldAt(dayZero) })
    const rounds = process.env['GOLDEN'] === 'all' ? [1, 1.01, 3, 10, 11, 12, 14, 24, 48] : [1, 1.01, 12, 30]
    for (const days of rounds) {
      const at = Math.round(dayZero + days * daySeconds)
      const world = worldAt(at)
      refreshed.simulator.setWorld(world)
      const ended = await refreshed.work(await refreshed.start(lastHour(at)))
      expect(ended.status).toBe('completed')
      const fresh = await staged({ world })
      await fresh.importAll()
      expect(await refreshed.dump(), `after ${days} days`).toEqual(await fresh.dump())
    }
  })

  it.each([4, 20])('costs an account of %i customers next to nothing when nothing changed', async (size) => {
    const stage = await imported({ world: account(size).worldAt(dayZero), pageSize: 20 })
    const first = await stage.dump()
    expect(await requestsOf(stage, window(dayZero, 0))).toHaveLength(2)
    const ofMonth = await requestsOf(stage, lastMonth(dayZero))
    expect(ofMonth).toHaveLength(10)
    expect(ofMonth.filter((path) => path.includes('created')).length).toBe(10)
    expect(await stage.dump()).toEqual(first)
  })

  it('costs no more where the newest objects hold long lists', async () => {
    const stage = await staged({ world: smallWorld() })
    await stage.importAll()
    const at = Date.parse(smallWorld().as_of) / 1000
    const paths = await requestsOf(stage, window(at, 90 * daySeconds))
    expect(paths.length).toBeLessThanOrEqual(10)
  })

  it('fetches each changed object once, and what is new by its list', async () => {
    const { worldAt } = account(20)
    const stage = await imported({ world: worldAt(dayZero) })
    const world = worldAt(dayZero + 12 * daySeconds)
    stage.simulator.setWorld(world)
    const paths = await requestsOf(stage, lastHour(dayZero + 12 * daySeconds))
    const singly = paths.filter((path) => /^\/v1\/(?!account)[a-z_]+\/[^/?]+(?:\?|$)/.test(path))
    const newIds = world.invoices.filter(({ created }) => created >= dayZero).map(({ id }) => id)
    expect(newIds.length).toBeGreaterThan(3)
    expect(singly.length).toBeGreaterThan(3)
    expect(new Set(singly).size).toBe(singly.length)
    expect(singly.filter((path) => newIds.some((id) => path.includes(id)))).toEqual([])
  })

  it.each([
    [
      'after a gap of more than 25 days',
      `update payment_mirrors set refreshed_at = refreshed_at - interval '26 days'`,
    ],
    ['after no import before', `delete from payment_mirrors`],
  ])('reads everything %s', async (_, statement) => {
    const stage = await imported({ world: account(12).worldAt(dayZero), pageSize: 20 })
    await query(stage.db.ownerUrl, statement)
    const paths = await requestsOf(stage, lastHour(dayZero))
    expect(paths.filter((path) => path.startsWith('/v1/invoices?')).length).toBeGreaterThan(1)
  })

  it('reads everything where the key may not read events, and notes it, since nobody has to look then', async () => {
    let key: string | undefined
    const stage = await staged({
      world: account(8).worldAt(dayZero),
      pageSize: 20,
      around: (fetch) => (request) => {
        const headers = new Headers(request.headers)
        if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
        return fetch(new Request(request.url, { headers }))
      },
    })
    await stage.importAll()
    const mayReadChanges = () =>
      query(stage.db.ownerUrl, `select details -> 'mayReadChanges' as may from connections`)
    expect(await mayReadChanges()).toEqual([{ may: true }])
    key = 'rk_test_without_events'
    const paths = await requestsOf(stage, lastHour(dayZero))
    expect(paths.filter((path) => path.startsWith('/v1/invoices?')).length).toBeGreaterThan(1)
    expect(await mayReadChanges()).toEqual([{ may: false }])
    key = undefined
    await stage.work(await stage.start())
    expect(await mayReadChanges()).toEqual([{ may: true }])
  })

  it('brings back what is missing in the window', async () => {
    const stage = await imported({ world: account(12).worldAt(dayZero) })
    const before = await stage.dump()
    await query(
      stage.db.ownerUrl,
      `delete from invoices where id in (select id from invoices order by created_at desc limit 2)`,
    )
    expect(await stage.dump()).not.toEqual(before)
    await requestsOf(stage, lastMonth(dayZero))
    expect(await stage.dump()).toEqual(before)
  })
})

/** A world whose events can differ from what happened. */
function withEvents(world: SimulatedWorld, events: readonly StripeObject[]): SimulatedWorld {
  return { ...world, events }
}

describe('the record of changes', () => {
  it.each([
    ['was empty', undefined],
    ['could not be read before', 'rk_test_without_events'],
  ])('is read from long enough ago where it %s and our clock is ahead', async (_, firstKey) => {
    const aheadSeconds = 6 * 3600
    const world = withEvents(smallWorld(), [])
    const at = Date.parse(world.as_of) / 1000
    let key = firstKey
    const stage = await staged({
      world,
      around: (fetch) => (request) => {
        const headers = new Headers(request.headers)
        if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
        return fetch(new Request(request.url, { headers }))
      },
    })
    stage.deps.now = () => new Date(Date.parse(stage.simulator.world.as_of) + aheadSeconds * 1000)
    await stage.importAll()
    key = undefined
    const one = world.subscriptions.find(({ id }) => id === 'sub_one')
    const ending = { ...(one as StripeObject), cancel_at_period_end: true }
    const subscriptions = world.subscriptions.map((other) => (other === one ? ending : other))
    const updated = {
      ...event('evt_ending', 'customer.subscription.updated', at + 60),
      data: { object: ending },
    }
    stage.simulator.setWorld({
      ...withEvents({ ...world, subscriptions }, [updated]),
      as_of: new Date((at + 3600) * 1000).toISOString(),
    })
    await requestsOf(stage, lastHour(at + 3600 + aheadSeconds))
    const [kept] = await query(
      stage.db.ownerUrl,
      `select body ->> 'cancelAtPeriodEnd' as ending from subscriptions where id = 'sub_one'`,
    )
    expect(kept).toEqual({ ending: 'true' })
  })

  it('tells late of a change, in the second of others or before them, and it is taken up', async () => {
    const { worldAt } = account(20)
    const early = worldAt(dayZero)
    const stage = await imported({ world: early })
    const at = dayZero + daySeconds
    const later = worldAt(at)
    const news = (later.events ?? []).filter(({ created }) => created > dayZero)
    const updated = news.filter(({ type }) => String(type).startsWith('customer.subscription'))
    const [late] = updated
    if (!late) throw new Error('nothing happened')
    const newest = { ...late, id: 'evt_newest', created: at, type: 'product.updated' }
    // Events at the second of the newest event, and minutes before it: the first list contains neither.
    const lagging = [
      { ...late, id: 'evt_same', created: at },
      { ...late, id: 'evt_before', created: at - 500 },
    ]
    const others = news.filter((event) => !updated.includes(event))
    const known = { ...newest, data: { object: { ...later.products[0] } } }
    stage.simulator.setWorld(withEvents(later, [...others, known]))
    await requestsOf(stage, window(at, 0))
    for (const index of lagging.keys()) {
      stage.simulator.setWorld(withEvents(later, [...others, known, ...lagging.slice(0, index + 1)]))
      const paths = await requestsOf(stage, window(at, 0))
      const { object } = Object(late['data'])
      expect(paths.filter((path) => path.includes(object.id))).toHaveLength(1)
    }
    expect(await requestsOf(stage, window(at, 0))).toHaveLength(2)
  })

  it('names objects that are gone: they end as a fresh import has them', async () => {
    const world = account(12).worldAt(dayZero)
    const stage = await imported({ world })
    const draft = world.invoices.at(-1)
    const customer = world.customers.find((one) => !('deleted' in one))
    if (!draft || !customer) throw new Error('nobody there')
    const event = (id: string, type: string, object: object): StripeObject => ({
      ...(world.events?.[0] ?? draft),
      id,
      type,
      created: dayZero,
      data: { object },
    })
    const after: SimulatedWorld = {
      ...world,
      invoices: world.invoices.filter(({ id }) => id !== draft.id),
      invoice_payments: world.invoice_payments.filter((payment) => payment['invoice'] !== draft.id),
      customers: world.customers.map((one) =>
        one.id === customer.id ? { id: one.id, object: 'customer', deleted: true } : one,
      ),
      events: [
        ...(world.events ?? []),
        event('evt_gone_1', 'invoice.deleted', draft),
        event('evt_gone_2', 'customer.deleted', customer),
      ],
    }
    stage.simulator.setWorld(after)
    await requestsOf(stage, window(dayZero, 0))
    const { customers, invoices } = await stage.dump()
    expect(invoices).toHaveLength(after.invoices.length)
    expect(customers).toContainEqual(expect.objectContaining({ id: customer.id, is_deleted: true }))
  })

  it('names who pays: a card that changed shows on the customer and on its subscriptions', async () => {
    const world = account(12).worldAt(dayZero)
    const stage = await imported({ world })
    const before = await stage.dump()
    const cards = (world.payment_methods ?? []).map((method) => ({
      ...method,
      card: { ...Object(method['card']), last4: '0077' },
    }))
    const events = cards.map(
      (method, index): StripeObject => ({
        ...method,
        ...(world.events?.[0] ?? method),
        id: `evt_card_${index}`,
        type: 'payment_method.automatically_updated',
        created: dayZero,
        data: { object: method },
      }),
    )
    const after = { ...world, payment_methods: cards, events: [...(world.events ?? []), ...events] }
    stage.simulator.setWorld(after)
    await requestsOf(stage, window(dayZero, 0))
    const fresh = await staged({ world: after })
    await fresh.importAll()
    const [refreshed, expected] = [await stage.dump(), await fresh.dump()]
    for (const table of ['customers', 'subscriptions'])
      expect(refreshed[table], table).toEqual(expected[table])
    expect(refreshed['customers']).not.toEqual(before['customers'])
  })
})
