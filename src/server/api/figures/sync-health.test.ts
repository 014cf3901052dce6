import { afterAll, beforeAll, expect, it } from 'vitest'
import { listTransactions } from '#contract/events.ts'
import {
  eventHealthFilters,
  getSyncHealth,
  healthFilters,
  listRefusalReasons,
  listRefusedEvents,
  listRefusedSubscriptions,
} from '#contract/lists/sync-health.ts'
import { listMatches } from '#contract/matches.ts'
import { listSubscriptions, sumSubscriptions } from '#contract/subscriptions.ts'
import { getSyncStatus } from '#contract/sync.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addConnections, addCustomer, addEvent, addMatch, addRun, addSubscription } from '#test/store/seed.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'

const at = (month: number) => new Date(Date.UTC(2026, month, 1))

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await within(async (tenant) => {
    await addConnections(tenant)
    for (const id of ['cus_1', 'cus_2']) await addCustomer(tenant, { id, name: id })
    await addMatch(tenant, { customerId: 'cus_1', companyName: 'Birch', state: 'linked' })
    await addMatch(tenant, { customerId: 'cus_2', companyName: '', state: 'pending' })
    const add = (id: string, current_mrr_cents: number, month: number) =>
      addSubscription(tenant, { id, customer_id: 'cus_1', current_mrr_cents, updated_at: at(month) })
    await add('sub_synced', 1_000, 1)
    await add('sub_soon', 200, 2)
    await add('sub_changed', 800_000_000, 6)
    await add('sub_unknown', 90_000_000, 6)
    await add('sub_late', 30, 6)
    await add('sub_event_late', 5, 3)
    await add('sub_new', 4, 4)
    await add('sub_deleted', 50_000, 5)
    // It changed last, but it is not the largest.
    await add('sub_refused', 600_000, 8)
    await add('sub_refused_late', 7_000_000, 7)
    // It has no figures yet, so that no list shows it.
    await addSubscription(tenant, { id: 'sub_unlisted', quantity: null })
    for (const id of ['ev_1', 'ev_2', 'ev_3', 'ev_4'])
      await addEvent(tenant, { id, subscription_id: 'sub_synced' })
    await link(tenant, 'subscription', 'sub_synced', 'confirmed', null)
    await link(tenant, 'subscription', 'sub_soon', 'confirmed', null)
    await link(tenant, 'subscription', 'sub_changed', 'confirmed', null)
    // How the last attempt ended is unknown.
    await link(tenant, 'subscription', 'sub_unknown', 'pending', null)
    await link(tenant, 'subscription', 'sub_late', 'confirmed', null)
    // Its own record is as it is here, but that of an event of it is not.
    await link(tenant, 'subscription', 'sub_event_late', 'confirmed', null)
    await link(tenant, 'subscription', 'sub_deleted', 'removed', 'This record was deleted in HubSpot.')
    await link(tenant, 'subscription', 'sub_refused', 'failed', 'Invalid owner.')
    await link(tenant, 'subscription', 'sub_refused_late', 'failed', null)
    await link(tenant, 'subscription', 'sub_unlisted', 'failed', 'Unlisted.')
    await link(tenant, 'event', 'ev_1', 'failed', 'Unknown property.')
    await link(tenant, 'event', 'ev_2', 'confirmed', null)
    await tenant.sql
      .updateTable('events')
      .set({ updated_at: at(3) })
      .where('id', '=', 'ev_2')
      .execute()
    await link(tenant, 'event', 'ev_4', 'confirmed', null)
    await tenant.sql
      .updateTable('events')
      .set({ updated_at: at(6) })
      .where('id', '=', 'ev_4')
      .execute()
    for (const [id, secondsAgo] of [
      ['sub_soon', 100],
      ['sub_late', 4_000],
      ['sub_event_late', 4_000],
      ['sub_refused_late', 4_000],
    ] as const)
      await change(tenant, id, secondsAgo)
    // The portal before this one refused the same records for other reasons.
    await link(tenant, 'subscription', 'sub_refused', 'failed', 'Of another portal.', '9')
    await link(tenant, 'event', 'ev_1', 'failed', 'Of another portal.', '9')
  })
})
afterAll(() => world.close())

const within = <T>(act: (tenant: Tenant) => Promise<T>) =>
  inOrganization(world.deps.database, person.organizationId, act)
const get = async (path: string): Promise<unknown> => (await person.fetch(path)).json()
const health = async () => getSyncHealth.response.parse(await get('/api/sync/health'))

const refused = async (page = '') =>
  listRefusedSubscriptions.response.parse(await get(`/api/sync/refused-subscriptions${page}`)).subscriptions

async function link(
  tenant: Tenant,
  kind: 'subscription' | 'event',
  source_id: string,
  state: string,
  error: string | null,
  portal_id = '4711',
): Promise<void> {
  // Whatever changed up to June stands in the CRM.
  const confirmed_at = source_id === 'sub_unknown' ? at(8) : at(5)
  const row = {
    organization_id: tenant.organizationId,
    portal_id,
    kind,
    source_id,
    state,
    error,
    confirmed_at,
  }
  await tenant.sql
    .insertInto('crm_links')
    .values({ ...row, record_id: `record of ${source_id}` })
    .execute()
}

async function change(tenant: Tenant, subscription_id: string, secondsAgo: number): Promise<void> {
  const changed_at = new Date(world.now().getTime() - secondsAgo * 1_000)
  const row = { organization_id: tenant.organizationId, subscription_id, changed_at, ledger_at: changed_at }
  await tenant.sql.insertInto('freshness').values(row).execute()
}

it('shares out all subscriptions, and counts what the lists show', async () => {
  const found = await health()
  const parts = {
    inSync: ['sub_soon', 'sub_synced'],
    notInHubspot: ['sub_deleted', 'sub_new'],
    changed: ['sub_changed', 'sub_unknown'],
    late: ['sub_late', 'sub_event_late'],
    failing: ['sub_refused', 'sub_refused_late'],
  }
  for (const [part, ids] of Object.entries(parts)) {
    const name = part as keyof typeof parts
    const filter = new URLSearchParams(healthFilters[name])
    const list = listSubscriptions.response.parse(await get(`/api/stripe/subscriptions?${filter}`))
    expect(list.subscriptions.map(({ subscriptionId }) => subscriptionId)).toEqual(ids)
    const { totalCount, mrr } = sumSubscriptions.response.parse(
      await get(`/api/stripe/subscription-sums?${filter}`),
    )
    const deleted = name === 'notInHubspot' ? { deleted: 1 } : {}
    expect(found[name]).toEqual({ count: list.totalCount, isCapped: false, mrr, ...deleted })
    expect(totalCount).toBe(list.totalCount)
  }
  const all = sumSubscriptions.response.parse(await get('/api/stripe/subscription-sums'))
  const added = (pick: (part: keyof typeof parts) => number) =>
    pick('inSync') + pick('notInHubspot') + pick('changed') + pick('late') + pick('failing')
  expect(added((part) => found[part].count)).toBe(all.totalCount)
  expect(added((part) => found[part].mrr ?? 0)).toBe(all.mrr)
  const status = getSyncStatus.response.parse(await get('/api/sync/status'))
  expect(status.syncedSubscriptions).toBe([...parts.inSync, 'sub_event_late'].length)
  expect(status.totalSubscriptions).toBe(all.totalCount)
  const matches = listMatches.response.parse(await get('/api/matches'))
  expect(found.customersToMatch).toEqual({ count: matches.totalCount, mrr: 0 })
  expect(matches.totalCount).toBe(1)
})

it('names the largest refused subscriptions and the newest refused events, each with the reason of the portal', async () => {
  const { events } = await health()
  expect((await refused()).map(({ subscriptionId, reason }) => [subscriptionId, reason])).toEqual([
    ['sub_refused_late', null],
    ['sub_refused', 'Invalid owner.'],
  ])
  expect((await refused('?page=2&limit=1')).map(({ subscriptionId }) => subscriptionId)).toEqual([
    'sub_refused',
  ])
  const refusedEvents = listRefusedEvents.response.parse(await get('/api/sync/refused-events'))
  expect(refusedEvents.transactions.map(({ transactionId, reason }) => [transactionId, reason])).toEqual([
    ['ev_1', 'Unknown property.'],
  ])
  const { totalCount } = listTransactions.response.parse(await get('/api/stripe/transactions?isFailing=true'))
  expect(events.failing).toEqual({ count: totalCount, isCapped: false })
})

it('sorts what is refused by its reason, and lists the records of each', async () => {
  await within((tenant) =>
    tenant.sql
      .updateTable('crm_links')
      .set({ refused_hash: 'x' })
      .where('source_id', '=', 'sub_refused')
      .execute(),
  )
  const { reasons, ...counted } = listRefusalReasons.response.parse(await get('/api/sync/refusal-reasons'))
  expect(counted).toEqual({ totalCount: 3, isCapped: false })
  const told = reasons.map(({ reason, subscriptions, events, due }) => [reason, subscriptions, events, due])
  // A push of any kind tries those again that were refused for the whole account.
  expect(told).toEqual([
    ['Invalid owner.', 1, 0, 0],
    ['Unknown property.', 0, 1, 1],
    [null, 1, 0, 1],
  ])
  const [owner, property, none] = reasons.map(({ key }) => key)
  expect((await refused(`?reason=${owner}`)).map((row) => row.subscriptionId)).toEqual(['sub_refused'])
  expect((await refused(`?reason=${none}`)).map((row) => row.subscriptionId)).toEqual(['sub_refused_late'])
  expect(await refused(`?reason=${property}`)).toEqual([])
  const events = await get(`/api/sync/refused-events?reason=${property}`)
  expect(listRefusedEvents.response.parse(events)).toMatchObject({
    totalCount: 1,
    transactions: [{ transactionId: 'ev_1' }],
  })
})

it('shares out all events, and counts what their list shows', async () => {
  const { events } = await health()
  const parts = { inSync: ['ev_2'], notInHubspot: ['ev_3'], changed: ['ev_4'], failing: ['ev_1'] }
  for (const [part, ids] of Object.entries(parts)) {
    const name = part as keyof typeof parts
    const filter = new URLSearchParams(eventHealthFilters[name])
    const list = listTransactions.response.parse(await get(`/api/stripe/transactions?${filter}`))
    expect([part, ...list.transactions.map(({ transactionId }) => transactionId)]).toEqual([part, ...ids])
    const deleted = name === 'notInHubspot' ? { deleted: 0 } : {}
    expect(events[name]).toEqual({ count: ids.length, isCapped: false, ...deleted })
  }
  const status = getSyncStatus.response.parse(await get('/api/sync/status'))
  expect(status).toMatchObject({ totalTransactions: 4, syncedTransactions: 1 })
})

it('says when a refused record was last tried, where that is known', async () => {
  const ended = new Date('2026-11-02T10:00:00Z')
  await within(async (tenant) => {
    await addRun(tenant, { id: 'run_tried', kind: 'push', status: 'completed', at: at(9) })
    await tenant.sql.updateTable('runs').set({ completed_at: ended }).execute()
    await tenant.sql
      .updateTable('crm_links')
      .set({ run_id: 'run_tried' })
      .where('source_id', '=', 'sub_refused')
      .where('portal_id', '=', '4711')
      .execute()
  })
  expect((await refused()).map(({ subscriptionId, triedAt }) => [subscriptionId, triedAt])).toEqual([
    ['sub_refused_late', null],
    ['sub_refused', ended.toISOString()],
  ])
})

it('is nothing in an organization without data', async () => {
  const other = await world.person()
  const none = { count: 0, isCapped: false }
  const nothing = { ...none, mrr: 0 }
  expect(await (await other.fetch('/api/sync/health')).json()).toEqual({
    reportingCurrency: 'usd',
    ...{
      inSync: nothing,
      customersToMatch: { count: 0, mrr: 0 },
      notInHubspot: { ...nothing, deleted: 0 },
      changed: nothing,
      late: nothing,
      failing: nothing,
    },
    ...{ events: { inSync: none, notInHubspot: { ...none, deleted: 0 }, changed: none, failing: none } },
  })
})
