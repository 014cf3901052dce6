import { afterEach, describe, expect, it } from 'vitest'
import { subscription } from '#simulators/stripe/testing/billing-objects.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { customer, event } from '#simulators/stripe/testing/stripe-objects.ts'
import type { SimulatedWorld, StripeObject } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { demoKey, generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { connectPayments } from '../../connections/connect-payments.ts'

type Options = Parameters<typeof stageImport>[0]

let stage: ImportStage | undefined
async function staged(options: Options): Promise<ImportStage> {
  stage = await stageImport(options)
  return stage
}
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

const world = smallWorld()
const begunAt = Date.parse(world.as_of) / 1000
const hourSeconds = 3600

function lastHour(at: number) {
  const from = new Date((at - hourSeconds) * 1000)
  return { mode: 'window' as const, from, until: new Date(at * 1000) }
}

/** The small account after some time, with new objects and the events that announce them. */
function laterBy(
  seconds: number,
  more: Partial<SimulatedWorld>,
  events: StripeObject[] = [],
): SimulatedWorld {
  const as_of = new Date((begunAt + seconds) * 1000).toISOString()
  return { ...world, as_of, ...more, events: [...(world.events ?? []), ...events] }
}

const eventOf = (id: string, type: string, at: number, object: object): StripeObject => ({
  ...event(id, type, at),
  data: { object },
})

const lines = async ({ db }: ImportStage) =>
  (await query<{ line: string }>(db.ownerUrl, 'select line from run_logs')).map(({ line }) => line)

describe('an import', () => {
  it('goes on without an invoice that was deleted after its page and before its lines', async () => {
    const long = world.invoices.find(({ id }) => id === 'in_many')
    const others = world.invoices.filter((invoice) => invoice !== long)
    const draft = { ...(long as StripeObject), status: 'draft' }
    let isArmed = false
    const { deps, simulator, organizationId, ...here } = await staged({
      world: { ...world, invoices: [...others, draft] },
      around: (fetch) => (request) => {
        if (isArmed && request.url.includes('/invoices/in_many/lines'))
          simulator.setWorld({ ...world, invoices: others })
        return fetch(request)
      },
    })
    await connectPayments(deps, organizationId, demoKey)
    isArmed = true
    expect(await here.work(await here.start())).toMatchObject({ status: 'completed', error: null })
    const ids = await query<{ id: string }>(here.db.ownerUrl, 'select id from invoices')
    expect(ids.map(({ id }) => id).toSorted()).toEqual(others.map(({ id }) => id).toSorted())
  })

  it('goes on without a test clock that was deleted after the list of them', async () => {
    const missing = { type: 'invalid_request_error', code: 'resource_missing', param: 'test_clock' }
    let missed = 0
    const { deps, organizationId, ...here } = await staged({
      world,
      around: (fetch) => (request) => {
        if (!/[?&]test_clock=/.test(request.url)) return fetch(request)
        missed += 1
        return Promise.resolve(
          Response.json({ error: { ...missing, message: 'No such clock' } }, { status: 400 }),
        )
      },
    })
    await connectPayments(deps, organizationId, demoKey)
    expect(await here.work(await here.start())).toMatchObject({ status: 'completed', error: null })
    expect(missed).toBeGreaterThan(0)
  })

  it('reads on where the object at the cursor goes, and its second holds several pages', async () => {
    const many = Array.from({ length: 25 }, (_, index) =>
      customer(`cus_bulk${index}`, { created: begunAt - hourSeconds }),
    )
    const whole: SimulatedWorld = { ...world, customers: [...world.customers, ...many] }
    let pages = 0
    const { simulator, ...here } = await staged({
      world: whole,
      pageSize: 5,
      around: (fetch) => (request) => {
        const { pathname, searchParams } = new URL(request.url)
        const cursor = searchParams.get('starting_after')
        if (pathname === '/v1/customers' && cursor?.startsWith('cus_bulk') && ++pages === 3)
          simulator.setWorld({ ...whole, customers: whole.customers.filter(({ id }) => id !== cursor) })
        return fetch(request)
      },
    })
    expect(await here.importAll()).toMatchObject({ status: 'completed', error: null })
    const kept = await query(here.db.ownerUrl, `select id from customers where id like 'cus_bulk%'`)
    expect(kept).toHaveLength(25)
  })

  it('starts anew where the account was reset after the import before it failed', async () => {
    const own = generatedWorld(6)
    const account = { ...world.account, id: 'acct_1Other', object: 'account' }
    const as_of = [own.as_of, world.as_of].toSorted().at(-1) ?? ''
    const other: SimulatedWorld = { ...own, as_of, account, ...(world.keys && { keys: world.keys }) }
    // Without a recent event, the next import does not continue a failed one.
    const events = (world.events ?? []).map((one) => ({
      ...one,
      created: Date.parse(as_of) / 1000 - hourSeconds,
    }))
    let isAway = false
    const here = await staged({
      world: { ...world, as_of, events },
      around: (fetch) => (request) =>
        isAway && request.url.includes('/v1/invoices?')
          ? Promise.resolve(new Response('<html>', { status: 502 }))
          : fetch(request),
    })
    await connectPayments(here.deps, here.organizationId, demoKey)
    isAway = true
    expect(await here.work(await here.start())).toMatchObject({ status: 'failed' })
    isAway = false
    here.simulator.setWorld(other)
    await connectPayments(here.deps, here.organizationId, demoKey, { resetData: true })
    expect(await here.work(await here.start())).toMatchObject({ status: 'completed' })
    expect(await lines(here)).not.toContain('Goes on where the import before it failed.')
    const mirror = await query(here.db.ownerUrl, 'select account_id, refreshed_at from payment_mirrors')
    expect(mirror).toEqual([{ account_id: 'acct_1Other', refreshed_at: expect.any(Date) }])
    const fresh = await here.another('Fresh')
    await fresh.importAll()
    expect(await here.dump()).toEqual(await fresh.dump())
  })
})

describe('an import of what changed', () => {
  it('misses nothing that happened between its two lists of events', async () => {
    const at = begunAt + hourSeconds
    const [changed, invoiced] = [world.subscriptions.find(({ id }) => id === 'sub_one'), world.invoices[0]]
    const ending = { ...(changed as StripeObject), cancel_at_period_end: true }
    const events = [
      eventOf('evt_ending', 'customer.subscription.updated', begunAt + 60, ending),
      eventOf('evt_invoiced', 'invoice.updated', at - 10, invoiced ?? {}),
    ]
    const subscriptions = world.subscriptions.map((one) => (one === changed ? ending : one))
    const after = laterBy(hourSeconds, { subscriptions }, events)
    let asked = Number.NEGATIVE_INFINITY
    const { simulator, ...here } = await staged({
      world,
      around: (fetch) => async (request) => {
        const answer = await fetch(request)
        if (!request.url.includes('/v1/events')) return answer
        // The simulator computes the answer while it is read.
        const text = await answer.text()
        asked += 1
        if (asked === 1) simulator.setWorld(after)
        return new Response(text, { status: answer.status, headers: answer.headers })
      },
    })
    await here.importAll()
    asked = 0
    await here.work(await here.start(lastHour(begunAt)))
    simulator.setWorld(after)
    await here.work(await here.start(lastHour(at)))
    const [kept] = await query(
      here.db.ownerUrl,
      `select body ->> 'cancelAtPeriodEnd' as ending from subscriptions where id = 'sub_one'`,
    )
    expect(kept).toEqual({ ending: 'true' })
  })

  it('leaves out how an invoice was paid late where the key may not read it', async () => {
    const here = await staged({ world })
    await connectPayments(here.deps, here.organizationId, 'rk_test_without_payment_intents')
    expect(await here.work(await here.start())).toMatchObject({ status: 'completed' })
    const at = begunAt + hourSeconds
    const [payment] = world.invoice_payments
    const paid = eventOf('evt_paid_late', 'invoice_payment.paid', at - 60, payment ?? {})
    here.simulator.setWorld(laterBy(hourSeconds, {}, [paid]))
    const before = (await lines(here)).length
    const ended = await here.work(await here.start(lastHour(at)))
    expect(ended).toMatchObject({ status: 'completed', error: null })
    expect((await lines(here)).slice(before)).toContain(
      'Left out how invoices were paid: the key may not read it.',
    )
  })

  it('brings in what is tied to a test clock, however much is new beside it', async () => {
    const here = await staged({ world })
    await here.importAll()
    const at = begunAt + hourSeconds
    const clock = (number: number) => (number === 4 ? { test_clock: 'clock_one' } : {})
    const customers = [1, 2, 3, 4].map((n) => customer(`cus_n${n}`, { created: at - 60, ...clock(n) }))
    const subscriptions = [1, 2, 3, 4].map((n) =>
      subscription(`sub_n${n}`, { customer: `cus_n${n}`, created: at - 60, ...clock(n) }),
    )
    const events = [
      ...customers.map((one) => eventOf(`evt_${one.id}`, 'customer.created', at - 60, one)),
      ...subscriptions.map((one) => eventOf(`evt_${one.id}`, 'customer.subscription.created', at - 60, one)),
    ]
    const more = {
      customers: [...world.customers, ...customers],
      subscriptions: [...world.subscriptions, ...subscriptions],
    }
    here.simulator.setWorld(laterBy(hourSeconds, more, events))
    expect(await here.work(await here.start(lastHour(at)))).toMatchObject({ status: 'completed' })
    for (const table of ['customers', 'subscriptions']) {
      const kept = await query<{ id: string }>(
        here.db.ownerUrl,
        `select id from ${table} where id like '%\\_n_'`,
      )
      expect(kept, table).toHaveLength(4)
    }
  })

  it('lists what changed where that takes fewer requests than one by one', async () => {
    const made = Array.from({ length: 520 }, (_, index) =>
      customer(`cus_n${index}`, { created: begunAt - 99 * hourSeconds }),
    )
    const begun: SimulatedWorld = { ...world, customers: [...world.customers, ...made] }
    const here = await staged({ world: begun })
    await here.importAll()
    const at = begunAt + hourSeconds
    const renamed = made.map((one) => ({ ...one, name: 'Harbour Nine' }))
    const events = renamed.map((one) => eventOf(`evt_${one.id}`, 'customer.updated', at - 60, one))
    here.simulator.setWorld(laterBy(hourSeconds, { customers: [...world.customers, ...renamed] }, events))
    here.simulator.requests.clear()
    expect(await here.work(await here.start(lastHour(at)))).toMatchObject({ status: 'completed' })
    expect(here.simulator.requests.entries.length).toBeLessThan(30)
    const fresh = await here.another('Fresh')
    await fresh.importAll()
    expect(await here.dump()).toEqual(await fresh.dump())
  })

  it('of a key that may not read its account keeps what the import before it has read', async () => {
    const message = "Having the 'rak_accounts_kyc_basic_read' permission would allow this."
    const here = await staged({
      world,
      around: (fetch) => (request) =>
        request.url.includes('/v1/account')
          ? Promise.resolve(
              Response.json({ error: { type: 'invalid_request_error', message } }, { status: 403 }),
            )
          : fetch(request),
    })
    await here.importAll()
    await query(here.db.ownerUrl, `update connections set details = details || '{"isMirrorKnown": false}'`)
    expect(await here.work(await here.start(lastHour(begunAt)))).toMatchObject({ status: 'completed' })
    here.simulator.requests.clear()
    expect(await here.work(await here.start(lastHour(begunAt)))).toMatchObject({ status: 'completed' })
    expect(here.simulator.requests.entries.length).toBeLessThanOrEqual(10)
  })
})
