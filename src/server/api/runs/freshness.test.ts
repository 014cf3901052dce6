import { afterEach, beforeEach, expect, it } from 'vitest'
import { run } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'

let world: TestWorld
let person: Person
beforeEach(async () => {
  world = await newWorld({ account: generatedWorld(4) })
  person = await world.person()
})
afterEach(() => world.close())

const freshness = async () => (await person.fetch('/api/import/freshness')).json()

async function importNow(): Promise<void> {
  const now = world.now().toISOString()
  await person.post('/api/import/start', { startDate: now, endDate: now })
  await world.drain()
}

/** The first subscription changed this many seconds ago, in these fields. */
function change(id: string, secondsAgo: number, fields: object = {}): string {
  const { world: account } = world.stripe
  const [first, ...others] = account.subscriptions
  const [event] = account.events ?? []
  if (!first || !event) throw new Error('nothing there')
  const subscription = { ...first, ...fields }
  const created = Math.floor(world.now().getTime() / 1000) - secondsAgo
  const updated = {
    ...event,
    id,
    created,
    type: 'customer.subscription.updated',
    data: { object: subscription },
  }
  const asOf = world.now().toISOString()
  world.stripe.setWorld({
    ...{ ...account, as_of: asOf, subscriptions: [subscription, ...others] },
    events: [...(account.events ?? []), updated],
  })
  return subscription.id
}

it('says nothing before an import, and measures nothing of the time before the connection', async () => {
  const none = {
    changes: null,
    toHubspot: null,
    lateCount: 0,
    late: [],
    promisedSeconds: 315,
    readsChanges: true,
    nextRunAt: null,
    webhookSilentSince: null,
    trouble: null,
  }
  expect(await freshness()).toEqual({ freshAsOf: null, ...none })
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

it('measures nothing by a change that is dated after its arrival', async () => {
  await syncForTheFirstTime()
  const id = change('evt_ahead', -1_800, { status: 'past_due' })
  await importNow()
  await pushNow()
  expect(await recordOf(id)).toMatchObject({ hubspotAt: expect.any(String) })
  expect(await freshness()).toMatchObject({ changes: null, toHubspot: null })
})

it('tells the next automatic run where there is one', async () => {
  await person.connectStripe()
  await person.connectHubspot()
  expect((await freshness()).nextRunAt).toBeNull()
  const done = `insert into organization_settings (organization_id, setup_complete) values ($1, true)
    on conflict (organization_id) do update set setup_complete = true`
  await run(world.ownerUrl, done, [person.organizationId])
  const aheadMs = Date.parse((await freshness()).nextRunAt) - world.now().getTime()
  expect(aheadMs).toBeGreaterThan(0)
  expect(aheadMs).toBeLessThanOrEqual(3_600_000)
  const warn = (warning: string | null) =>
    run(world.ownerUrl, `update connections set warning = $1 where provider = 'payments'`, [warning])
  await warn('Refused.')
  expect((await freshness()).nextRunAt).toBeNull()
  await warn(null)
  await person.post('/api/setup/auto-sync', { enabled: false })
  expect((await freshness()).nextRunAt).toBeNull()
})

it('says that the webhook is silent where changes came without it', async () => {
  await person.connectStripe()
  await world.deps.sleep(3_600_000)
  await person.post('/api/import/historical')
  await world.drain()
  const accepted = world.now()
  await run(
    world.ownerUrl,
    `insert into payment_webhooks (organization_id, sealed_secret, secret_hint, accepted_at) values ($1, '', '', $2)`,
    [person.organizationId, accepted],
  )
  const silentSince = async () => (await freshness()).webhookSilentSince
  await world.deps.sleep(3_600_000)
  change('evt_late', 60)
  await importNow()
  expect(await silentSince()).toBeNull()
  await world.deps.sleep(3_600_000)
  expect(await silentSince()).toBe(accepted.toISOString())
  await run(world.ownerUrl, `update payment_webhooks set accepted_at = $1`, [world.now()])
  expect(await silentSince()).toBeNull()
})

it('says why changes are not read as often as automatic sync promises', async () => {
  await person.connectStripe()
  await person.connectHubspot()
  await person.post('/api/import/historical')
  await world.drain()
  const done = `insert into organization_settings (organization_id, setup_complete) values ($1, true)
    on conflict (organization_id) do update set setup_complete = true`
  await run(world.ownerUrl, done, [person.organizationId])
  const trouble = async () => (await freshness()).trouble
  expect(await trouble()).toBeNull()
  const end = (status: string, request: object) =>
    run(world.ownerUrl, `update runs set status = $1, failed_request = $2`, [status, request])
  await end('failed', { path: '/v1/invoices', status: 400 })
  expect(await trouble()).toEqual({ cause: 'failed', reason: null })
  await end('completed', {})
  // No worker looks meanwhile.
  await world.deps.sleep(14 * 60_000)
  expect(await trouble()).toBeNull()
  await world.deps.sleep(2 * 60_000)
  expect(await trouble()).toEqual({ cause: 'silent', reason: null })
  const begin = (phase: string) =>
    run(
      world.ownerUrl,
      `update runs set status = 'in_progress', completed_at = null, phase = $1, message = 'Stripe asks for a pause.'`,
      [phase],
    )
  await begin('reading')
  expect(await trouble()).toBeNull()
  await begin('waiting')
  expect(await trouble()).toEqual({ cause: 'waits', reason: 'Stripe asks for a pause.' })
})

async function pushNow(): Promise<void> {
  await person.post('/api/sync/push-all')
  await world.drain()
}

/** Connects both sides, and an hour later imports and pushes everything. */
async function syncForTheFirstTime(): Promise<void> {
  await person.connectStripe()
  await person.connectHubspot()
  await world.deps.sleep(3_600_000)
  await person.post('/api/import/historical')
  await world.drain()
  await pushNow()
}

const recordOf = async (id: string) =>
  (await (await person.fetch(`/api/stripe/subscriptions/${id}`)).json()).freshness

it('measures each record from the change in Stripe to HubSpot, and names the late ones', async () => {
  await syncForTheFirstTime()
  // The first import is no change.
  expect(await freshness()).toMatchObject({ toHubspot: null, lateCount: 0 })

  const id = change('evt_1', 8, { status: 'past_due' })
  expect(await recordOf(id)).toBeNull()
  await importNow()
  expect(await recordOf(id)).toMatchObject({ hubspotAt: null, isLate: false, promisedSeconds: 315 })
  await pushNow()
  const { changedAt, ledgerAt, hubspotAt, isLate } = await recordOf(id)
  expect(isLate).toBe(false)
  const secondsTo = (at: string) => (Date.parse(at) - Date.parse(changedAt)) / 1_000
  expect(secondsTo(ledgerAt)).toBeGreaterThanOrEqual(8)
  expect(secondsTo(hubspotAt)).toBeGreaterThan(secondsTo(ledgerAt))
  expect(await freshness()).toMatchObject({ toHubspot: { count: 1 }, lateCount: 0, late: [] })

  await world.deps.sleep(60_000)
  change('evt_2', 600, { status: 'active' })
  await importNow()
  expect(await recordOf(id)).toMatchObject({ hubspotAt: null, isLate: true })
  await pushNow()
  expect(await recordOf(id)).toMatchObject({ hubspotAt: expect.any(String), isLate: true })
  const { lateCount, late } = await freshness()
  expect(lateCount).toBe(1)
  expect(late).toMatchObject([{ subscriptionId: id }])
  expect(late[0].seconds).toBeGreaterThan(600)

  // While a provider refuses the connection, no speed is promised.
  const refuse = (provider: string, warning: string | null) =>
    run(world.ownerUrl, 'update connections set warning = $1 where provider = $2', [warning, provider])
  const [some, none] = [{ count: expect.any(Number) }, null]
  expect(await freshness()).toMatchObject({ changes: some, toHubspot: some })
  await refuse('crm', 'Refused.')
  expect(await freshness()).toMatchObject({ changes: some, toHubspot: none, lateCount: 1 })
  await refuse('crm', null)
  await refuse('payments', 'Refused.')
  expect(await freshness()).toMatchObject({ changes: none, toHubspot: none })
  await refuse('payments', null)
  await world.deps.sleep(25 * 3_600_000)
  expect(await freshness()).toMatchObject({ toHubspot: null, lateCount: 0, late: [] })
})

it('counts no full import of an unchanged account', async () => {
  await person.connectStripe()
  await person.connectHubspot()
  for (const _ of ['first', 'again']) {
    await world.deps.sleep(3_600_000)
    await person.post('/api/import/historical')
    await world.drain()
    await pushNow()
  }
  expect(await freshness()).toMatchObject({ toHubspot: null, lateCount: 0 })
})
