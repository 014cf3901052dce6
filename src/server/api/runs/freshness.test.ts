import { afterEach, beforeEach, expect, it } from 'vitest'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'

let world: TestWorld
let person: Person
beforeEach(async () => {
  world = await newWorld()
  person = await world.person()
})
afterEach(() => world.close())

const freshness = async () => (await person.fetch('/api/import/freshness')).json()

async function importNow(): Promise<void> {
  const now = world.now().toISOString()
  await person.post('/api/import/start', { startDate: now, endDate: now })
  await world.drain()
}

/** The first subscription changed this many seconds ago. */
function change(id: string, secondsAgo: number): void {
  const { world: account } = world.stripe
  const [subscription] = account.subscriptions
  const [event] = account.events ?? []
  if (!subscription || !event) throw new Error('nothing there')
  const created = Math.floor(world.now().getTime() / 1000) - secondsAgo
  const updated = {
    ...event,
    id,
    created,
    type: 'customer.subscription.updated',
    data: { object: subscription },
  }
  const asOf = world.now().toISOString()
  world.stripe.setWorld({ ...account, as_of: asOf, events: [...(account.events ?? []), updated] })
}

it('says nothing before an import, and measures nothing of the time before the connection', async () => {
  expect(await freshness()).toEqual({ freshAsOf: null, changes: null })
  await person.connectStripe()
  await person.post('/api/import/historical')
  const begun = world.now().getTime()
  await world.drain()
  const { freshAsOf, changes } = await freshness()
  expect(Math.abs(Date.parse(freshAsOf) - begun)).toBeLessThan(5_000)
  expect(changes).toBeNull()
})

it('measures from the change in Stripe to the ledger that has it', async () => {
  await person.connectStripe()
  await world.deps.sleep(3_600_000)
  await person.post('/api/import/historical')
  await world.drain()
  change('evt_1', 60)
  await importNow()
  await world.deps.sleep(10_000)
  change('evt_2', 600)
  await importNow()
  const { changes } = await freshness()
  expect(changes.count).toBe(2)
  expect(changes.medianSeconds).toBeGreaterThan(300)
  expect(changes.medianSeconds).toBeLessThan(360)
  expect(changes.p95Seconds).toBeGreaterThan(540)
  expect(changes.p95Seconds).toBeLessThan(620)
  await world.deps.sleep(25 * 3_600_000)
  expect((await freshness()).changes).toBeNull()
})
