import { afterEach, describe, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import type { SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { goldenWorld } from '#test/import/golden-world.ts'
import { importedStage } from '#test/import/imported-stage.ts'
import { daySeconds, lastHour } from '#test/import/moving-account.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { countSteps } from '#test/import/steps.ts'
import { workStruck } from '#test/import/work-struck.ts'
import { endSubscriptions } from '../../../store/payments/subscriptions.ts'
import { expectObjects } from '../../../store/payments/unlisted-objects.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { connectPayments } from '../../connections/connect-payments.ts'

let stage: ImportStage | undefined
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

const begun = goldenWorld(8)
const later = (days: number): number => Date.parse(begun.as_of) / 1000 + days * daySeconds

const gone = { customer: 'cus_one', invoice: 'in_loose' }

/** `npm run prove -- crashes` strikes each step. */
const every = process.env['CRASHES'] === 'all' ? 1 : 2

/** Deletes objects that Stripe allows to be deleted, with or without the events that announce it. */
function withDeletions(days: number, hasEvents: boolean): SimulatedWorld {
  const at = later(days)
  const isOfGone = (one: { [field: string]: unknown }) => one['customer'] === gone.customer
  const ended = begun.subscriptions.filter(isOfGone)
  const after = ended.map((one) => ({ ...one, status: 'canceled', canceled_at: at - 60, ended_at: at - 60 }))
  const event = (type: string, object: object, index: number) => ({
    id: `evt_${type}_${index}`,
    object: 'event',
    created: at - 60,
    type,
    data: { object },
  })
  const events = [
    event('customer.deleted', { id: gone.customer, object: 'customer' }, 0),
    event('invoice.deleted', { id: gone.invoice, object: 'invoice' }, 0),
    ...ended.map((one, index) => event('customer.subscription.deleted', one, index)),
  ]
  return {
    ...begun,
    as_of: new Date(at * 1000).toISOString(),
    customers: begun.customers.map((one) =>
      one.id === gone.customer ? { id: one.id, object: 'customer', deleted: true } : one,
    ),
    subscriptions: begun.subscriptions.map((one) => after.find(({ id }) => id === one.id) ?? one),
    invoices: begun.invoices.filter(({ id }) => id !== gone.invoice),
    events: hasEvents ? [...(begun.events ?? []), ...events] : [],
  }
}

type Row = Readonly<Record<string, unknown>>

/**
 * Removes what an earlier import knew of a deleted customer and Stripe no longer returns: name, address,
 * payment method and creation date. Nothing else may differ.
 */
function asStripeTellsIt(dump: Record<string, unknown[]>): Record<string, unknown[]> {
  const { customers = [], ...others } = dump as Record<string, Row[]>
  const ofGone = ({ created_at, name, email, domain, payment_method, ...rest }: Row) => rest
  return { ...others, customers: customers.map((row) => (row['id'] === gone.customer ? ofGone(row) : row)) }
}

async function expectTakenOver(
  days: number,
  hasEvents: boolean,
  mode: 'window' | 'historical',
): Promise<void> {
  stage = await importedStage({ world: begun })
  stage.simulator.setWorld(withDeletions(days, hasEvents))
  const request = mode === 'window' ? lastHour(later(days)) : { mode }
  expect(await stage.work(await stage.start(request))).toMatchObject({ status: 'completed' })
  const fresh = await stage.another('Fresh')
  await fresh.importAll()
  expect(asStripeTellsIt(await stage.dump())).toEqual(asStripeTellsIt(await fresh.dump()))
}

describe('what is deleted in Stripe', () => {
  it('is taken over by the events that say so, but for name and address, and does not come back', async () => {
    await expectTakenOver(1, true, 'window')
    if (!stage) throw new Error('nothing was imported')
    const before = await stage.dump()
    const customers = (before['customers'] ?? []) as Row[]
    expect(customers.find(({ id }) => id === gone.customer)).toMatchObject({
      is_deleted: true,
      name: 'Customer cus_one',
      email: 'cus_one@example.com',
    })
    expect(await stage.work(await stage.start({ mode: 'historical', restart: true }))).toMatchObject({
      status: 'completed',
    })
    expect(await stage.dump()).toEqual(before)
  })

  it('before the first import has the name and address that its newest invoices froze', async () => {
    const at = later(0)
    const loose = begun.invoices.find(({ id }) => id === gone.invoice)
    if (!loose) throw new Error('the account has no such invoice')
    const frozen = (id: string, daysAgo: number, name: string | null, email: string | null) => ({
      ...loose,
      ...{ id, customer: gone.customer, created: at - daysAgo * daySeconds, status: 'paid' },
      ...{ customer_name: name, customer_email: email },
    })
    const invoices = [
      frozen('in_older', 9, 'Former Name', 'former@former.example'),
      frozen('in_newer', 3, 'Last Name', 'Last@Frozen.example'),
      frozen('in_bare', 1, null, null),
    ]
    const world = withDeletions(0, false)
    stage = await stageImport({ world: { ...world, invoices: [...world.invoices, ...invoices] } })
    expect(await stage.importAll()).toMatchObject({ status: 'completed', failed_records: 0 })
    const customers = ((await stage.dump())['customers'] ?? []) as Row[]
    expect(customers.find(({ id }) => id === gone.customer)).toMatchObject({
      is_deleted: true,
      name: 'Last Name',
      email: 'Last@Frozen.example',
      domain: 'frozen.example',
    })
    expect(customers.find(({ id }) => id === 'cus_gone')).toMatchObject({ is_deleted: true, name: null })
  })

  it('is taken over when everything is read anew after a gap', () => expectTakenOver(40, false, 'window'))
  it('is taken over when everything is read anew', () => expectTakenOver(1, false, 'historical'))

  it('is asked for only where a list of everything did not hold it', async () => {
    const steps = countSteps()
    stage = await stageImport({ world: begun, pageSize: 3, around: steps.around })
    const singly = () => steps.names.filter((name) => /^GET .v1.(customers|invoices).\w+$/.test(name))
    await stage.importAll()
    for (const [days, expected] of [
      [0, []],
      [1, [`/v1/customers/${gone.customer}`, `/v1/invoices/${gone.invoice}`]],
      [2, []],
    ] as const) {
      if (days > 0) stage.simulator.setWorld(withDeletions(days, false))
      const started = await stage.start({ mode: 'historical', restart: true })
      await stage.work(started, steps.begin())
      expect(singly(), `after ${days} days`).toEqual(expected.map((path) => `GET ${path}`))
    }
  })

  it('is taken over by a full import that is struck while it asks for it', async () => {
    const steps = countSteps()
    const first = await stageImport({
      world: begun,
      around: steps.around,
      aroundDatabase: steps.aroundDatabase,
    })
    stage = first
    const ready = async (one: ImportStage) => {
      steps.begin()
      first.simulator.setWorld(begun)
      await connectPayments(first.deps, one.organizationId, demoKey)
      await one.work(await one.start())
      first.simulator.setWorld(withDeletions(1, false))
      return one.start()
    }
    const unharmed = await ready(first)
    await first.work(unharmed, steps.begin())
    const expected = await first.dump()
    const asked = steps.names.indexOf(`GET /v1/customers/${gone.customer}`) + 1
    expect(asked).toBeGreaterThan(1)
    for (let step = asked - 1; step <= asked + 5; step += every) {
      const other = await first.another(`Struck ${step}`)
      const run = await ready(other)
      const hit = await workStruck(other, run, steps, { step, fate: 'after' })
      expect(await other.dump(), hit).toEqual(expected)
    }
  })
})

describe('what is tied to a test clock', () => {
  const whole = smallWorld()
  const isTied = (one: { [field: string]: unknown }) => one['test_clock'] === 'clock_one'
  const without: SimulatedWorld = {
    ...whole,
    customers: whole.customers.filter((one) => !isTied(one)),
    subscriptions: whole.subscriptions.filter((one) => !isTied(one)),
    test_clocks: [],
  }
  const subscriptions = (of: ImportStage) =>
    query<{ id: string; status: string; mrr: number }>(
      of.db.ownerUrl,
      'select id, status, current_mrr_cents::int as mrr from subscriptions order by id',
    )
  const importAnew = (of: ImportStage) =>
    of.start({ mode: 'historical', restart: true }).then((started) => of.work(started))

  it('ends when the clock is deleted, and nothing else does', async () => {
    stage = await importedStage({ world: whole })
    const before = await subscriptions(stage)
    expect(before.find(({ id }) => id === 'sub_clock')?.mrr).toBeGreaterThan(0)
    stage.simulator.setWorld(without)
    const ended = before.map((one) => (one.id === 'sub_clock' ? { ...one, status: 'canceled', mrr: 0 } : one))
    for (let times = 0; times < 2; times += 1) {
      expect(await importAnew(stage)).toMatchObject({ status: 'completed', failed_records: 0 })
      expect(await subscriptions(stage)).toEqual(ended)
    }
  })

  it('is a matter of test mode alone: in live mode no subscription is looked for', async () => {
    stage = await importedStage({ world: whole })
    const before = await subscriptions(stage)
    const at = new Date(whole.as_of)
    await query(stage.db.ownerUrl, 'update payment_mirrors set is_live = true')
    await inOrganization(stage.deps.database, stage.organizationId, async (tenant) => {
      await endSubscriptions(tenant, ['sub_clock'], at)
      await expectObjects(tenant)
    })
    expect(await subscriptions(stage)).toEqual(before)
    expect(
      await query(stage.db.ownerUrl, `select id from unlisted_objects where kind = 'subscriptions'`),
    ).toEqual([])
  })
})
