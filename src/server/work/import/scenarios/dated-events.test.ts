import { afterEach, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { event } from '#simulators/stripe/testing/stripe-objects.ts'
import type { StripeObject } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { addReceivedChange, listPendingChanges } from '../../../store/payments/payment-changes.ts'
import { inOrganization, type Tenant } from '../../../store/postgres/database.ts'

const daySeconds = 24 * 3600
const world = smallWorld()
const at = Date.parse(world.as_of) / 1000

let stage: ImportStage
afterEach(() => stage.close())

function subscription(id: string): StripeObject {
  const found = world.subscriptions.find((one) => one.id === id)
  if (!found) throw new Error(`no subscription ${id}`)
  return found
}

const changed = (id: string, created: number, object: StripeObject) => ({
  ...event(id, 'customer.subscription.updated', created),
  data: { object },
})

/** Stripe's documents do not say by which clock an event of a test clock is dated. */
const ahead = (days: number) =>
  changed(`evt_ahead_${days}`, at + days * daySeconds, subscription('sub_clock'))

/** Looks for changes at a time, by an import of what changed; returns its requests. */
async function look(seconds: number, one: StripeObject, events: StripeObject[]): Promise<string[]> {
  const { simulator } = stage
  const now = new Date((at + seconds) * 1000)
  const subscriptions = world.subscriptions.map((other) => (other.id === one.id ? one : other))
  simulator.setWorld({ ...world, subscriptions, events, as_of: now.toISOString() })
  simulator.requests.clear()
  await stage.work(await stage.start({ mode: 'window', from: now, until: now }))
  return simulator.requests.entries.map(({ path }) => path)
}

async function isEnding(): Promise<unknown> {
  const [row] = await query(
    stage.db.ownerUrl,
    `select body -> 'cancelAtPeriodEnd' as is_ending from subscriptions where id = 'sub_one'`,
  )
  return row?.['is_ending']
}

it('finds what changes now beside events of a test clock that are dated ahead, each once', async () => {
  stage = await stageImport({ world: { ...world, events: [ahead(60)] } })
  await stage.importAll()
  const ending = { ...subscription('sub_one'), cancel_at_period_end: true }
  const first = [ahead(60), changed('evt_ending', at + 3_000, ending)]
  await look(3_600, ending, first)
  expect(await isEnding()).toBe(true)
  const staying = { ...ending, cancel_at_period_end: false }
  const second = [ahead(61), ...first, changed('evt_staying', at + 7_000, staying)]
  await look(7_200, staying, second)
  expect(await isEnding()).toBe(false)
  expect(await look(7_200, staying, second)).toHaveLength(2)
})

it('keeps a delivery dated long ago that comes while an import reads, for the next one', async () => {
  const inTenant = <T>(work: (tenant: Tenant) => Promise<T>) =>
    inOrganization(stage.deps.database, stage.organizationId, work)
  const past = {
    id: 'evt_past',
    happenedAt: new Date((at - 10 * daySeconds) * 1000),
    objects: [{ kind: 'subscriptions', id: 'sub_one', createdAt: null, isGone: false }],
  }
  stage = await stageImport({
    world,
    around: (fetch) => async (request) => {
      // The page of an import; the check of the key asks for one invoice.
      if (request.url.includes('/v1/invoices?limit=100'))
        await inTenant((tenant) => addReceivedChange(tenant, past, stage.deps.now()))
      return fetch(request)
    },
  })
  await stage.importAll()
  const pending = () => inTenant((tenant) => listPendingChanges(tenant, 10))
  expect(await pending()).toMatchObject([{ id: 'evt_past' }])
  const one = subscription('sub_one')
  expect(await look(0, one, [...(world.events ?? [])])).toContainEqual(expect.stringContaining('sub_one'))
  expect(await pending()).toEqual([])
})
