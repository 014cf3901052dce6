import { afterAll, beforeAll, expect, it } from 'vitest'
import { getAttention } from '#contract/dashboard.ts'
import { listTransactions } from '#contract/events.ts'
import { listMatches } from '#contract/matches.ts'
import { listSubscriptions, sumSubscriptions } from '#contract/subscriptions.ts'
import { run as query } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addConnections, addCustomer, addEvent, addMatch, addRun, addSubscription } from '#test/store/seed.ts'
import { countEventsOfFilter, sumOfFilter } from '../../store/lists/attention.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await within(async (tenant) => {
    await addConnections(tenant)
    for (const id of ['cus_1', 'cus_2', 'cus_3']) await addCustomer(tenant, { id, name: id })
    await addMatch(tenant, { customerId: 'cus_1', companyName: 'Birch', state: 'linked' })
    await addMatch(tenant, { customerId: 'cus_2', companyName: '', state: 'pending' })
    await addMatch(tenant, { customerId: 'cus_3', companyName: '', state: 'pending' })
    const status = 'past_due'
    await addSubscription(tenant, { id: 'sub_1', customer_id: 'cus_1', current_mrr_cents: 100_000 })
    await addSubscription(tenant, { id: 'sub_2', customer_id: 'cus_2', current_mrr_cents: 2_500, status })
    await addSubscription(tenant, { id: 'sub_3', customer_id: 'cus_3', current_mrr_cents: 700 })
    await addSubscription(tenant, {
      ...{ id: 'sub_4', customer_id: 'cus_3', current_mrr_cents: 900 },
      ...{ status, currency: 'eur' },
    })
  })
})
afterAll(() => world.close())

const within = <T>(act: (tenant: Tenant) => Promise<T>) =>
  inOrganization(world.deps.database, person.organizationId, act)
const get = async (path: string): Promise<unknown> => (await person.fetch(path)).json()
const attention = async () => getAttention.response.parse(await get('/api/dashboard/attention'))

/** A push that ended then, with an error or without one. */
async function endRun(tenant: Tenant, id: string, error: string | null, at: Date): Promise<void> {
  await addRun(tenant, { id, kind: 'push', status: error === null ? 'completed' : 'failed', at })
  await tenant.sql
    .updateTable('runs')
    .set({ error, completed_at: at })
    .where('organization_id', '=', tenant.organizationId)
    .where('id', '=', id)
    .execute()
}

it('counts what its lists show, with their MRR in dollars', async () => {
  const { customersToMatch, pastDue } = await attention()
  const matches = listMatches.response.parse(await get('/api/matches'))
  expect(customersToMatch).toEqual({
    count: matches.totalCount,
    mrr: matches.matches.reduce((sum, { currentMrr }) => sum + currentMrr, 0),
  })
  const late = listSubscriptions.response.parse(await get('/api/stripe/subscriptions?status=past_due'))
  const dollars = late.subscriptions.filter(({ currency }) => currency === 'usd')
  expect(pastDue).toEqual({
    count: late.totalCount,
    mrr: dollars.reduce((sum, { currentMrr }) => sum + currentMrr, 0),
  })
  expect([customersToMatch, pastDue]).toEqual([
    { count: 2, mrr: 3_200 },
    { count: 2, mrr: 2_500 },
  ])
})

it('counts planned ends, refused records and late ones as their lists do', async () => {
  const now = world.now().getTime()
  await within(async (tenant) => {
    const body = JSON.stringify({ cancelAtPeriodEnd: true })
    const ending = { customer_id: 'cus_1', current_mrr_cents: 4_000, body }
    const current_period_end = new Date('2026-12-13T23:00:00Z')
    await addSubscription(tenant, { id: 'sub_ending', ...ending, current_period_end })
    await addSubscription(tenant, { id: 'sub_ended', ...ending, status: 'canceled' })
    const cancelAt = JSON.stringify({ cancelAtPeriodEnd: false, cancelAt: 1_800_000_000 })
    await addSubscription(tenant, { ...ending, id: 'sub_dated', current_mrr_cents: 50, body: cancelAt })
    await addEvent(tenant, { id: 'ev_1', subscription_id: 'sub_1' })
    const link = { organization_id: tenant.organizationId, portal_id: '4711' }
    await tenant.sql
      .insertInto('crm_links')
      .values([
        { ...link, kind: 'subscription', source_id: 'sub_1', state: 'failed' },
        { ...link, kind: 'event', source_id: 'ev_1', state: 'failed', record_id: '7' },
        { ...link, kind: 'subscription', source_id: 'sub_2', state: 'confirmed', record_id: '8' },
        { ...link, kind: 'subscription', source_id: 'sub_3', state: 'removed', record_id: '9' },
      ])
      .execute()
    const change = (subscription_id: string, secondsAgo: number, crm_at: Date | null) => {
      const changed_at = new Date(now - secondsAgo * 1_000)
      return {
        organization_id: tenant.organizationId,
        subscription_id,
        changed_at,
        ledger_at: changed_at,
        crm_at,
      }
    }
    const changes = [
      change('sub_1', 400, null),
      change('sub_2', 200, null),
      change('sub_3', 400, new Date(now)),
    ]
    await tenant.sql.insertInto('freshness').values(changes).execute()
  })
  const listed = async (filter: string) => {
    const list = listSubscriptions.response.parse(await get(`/api/stripe/subscriptions?${filter}`))
    const sums = sumSubscriptions.response.parse(await get(`/api/stripe/subscription-sums?${filter}`))
    const file = await (await person.fetch(`/api/csv/subscriptions?${filter}`)).text()
    expect([sums.totalCount, file.trimEnd().split('\r\n').length - 1]).toEqual([
      list.totalCount,
      list.totalCount,
    ])
    const ids = list.subscriptions.map(({ subscriptionId }) => subscriptionId)
    return { ids, mrr: sums.mrr, ends: list.subscriptions.map(({ endsOn }) => endsOn) }
  }
  expect(await listed('isCanceling=true')).toEqual({
    ...{ ids: ['sub_dated', 'sub_ending'], mrr: 4_050 },
    ends: ['2027-01-15', '2026-12-13'],
  })
  expect(await listed('isFailing=true')).toEqual({ ids: ['sub_1'], mrr: 100_000, ends: [null] })
  expect(await listed('isInHubspot=true')).toMatchObject({ ids: ['sub_2'] })
  expect((await listed('isInHubspot=false')).ids).toContain('sub_3')
  expect(await listed('isStale=true')).toMatchObject({ ids: ['sub_1'], mrr: 100_000 })
  const { transactions } = listTransactions.response.parse(
    await get('/api/stripe/transactions?isFailing=true'),
  )
  expect(transactions.map(({ transactionId }) => transactionId)).toEqual(['ev_1'])
  expect(await attention()).toMatchObject({
    canceling: { count: 2, isCapped: false, mrr: 4_050 },
    failing: { count: 1, isCapped: false, mrr: 100_000 },
    failingEvents: { count: 1, isCapped: false },
    stale: { count: 1, isCapped: false, mrr: 100_000 },
  })
  await within((tenant) =>
    tenant.sql
      .insertInto('organization_settings')
      .values({ organization_id: tenant.organizationId, auto_sync_enabled: false })
      .onConflict((c) => c.column('organization_id').doUpdateSet({ auto_sync_enabled: false }))
      .execute(),
  )
  expect((await attention()).stale).toEqual({ count: 0, isCapped: false, mrr: 0 })
})

it('names a connection that is dead, and before that the newest run of a kind if it failed', async () => {
  expect(await attention()).toMatchObject({ deadConnections: [], failedRuns: [] })
  const alter = (set: { connected_at: Date } | { warning: string | null }) =>
    within((tenant) =>
      tenant.sql
        .updateTable('connections')
        .set(set)
        .where('organization_id', '=', tenant.organizationId)
        .where('provider', '=', 'crm')
        .execute(),
    )
  await alter({ connected_at: new Date('2026-10-01') })
  const endedAt = '2026-10-01T01:00:00.000Z'
  await within((tenant) => endRun(tenant, 'run_1', 'HubSpot is full.', new Date(endedAt)))
  const failed = { id: 'run_1', type: 'sync', problem: 'failed', reason: 'HubSpot is full.', endedAt }
  expect(await attention()).toMatchObject({ deadConnections: [], failedRuns: [failed] })
  await alter({ warning: 'The key was rotated.' })
  expect(await attention()).toMatchObject({
    deadConnections: [{ provider: 'hubspot', reason: 'The key was rotated.' }],
    failedRuns: [],
  })
  await alter({ warning: null })
  await within((tenant) => endRun(tenant, 'run_2', null, new Date('2026-10-02')))
  expect((await attention()).failedRuns).toEqual([])
})

it('is nothing in an organization without data', async () => {
  const other = await world.person()
  const answer = await (await other.fetch('/api/dashboard/attention')).json()
  const nothing = { count: 0, mrr: 0 }
  const noRows = { ...nothing, isCapped: false }
  expect(getAttention.response.parse(answer)).toEqual({
    reportingCurrency: 'usd',
    customersToMatch: nothing,
    pastDue: nothing,
    canceling: noRows,
    failing: noRows,
    failingEvents: { count: 0, isCapped: false },
    stale: noRows,
    deadConnections: [],
    disconnected: [],
    undecidedAccount: null,
    failedRuns: [],
  })
})

it('names a provider that was used and is not connected any more, and when it was last', async () => {
  const other = await world.person()
  const { organizationId } = other
  const disconnected = async () =>
    getAttention.response.parse(await (await other.fetch('/api/dashboard/attention')).json()).disconnected
  const at = new Date('2026-10-03T00:00:00.000Z')
  await inOrganization(world.deps.database, organizationId, async (tenant) => {
    await addConnections(tenant)
    for (const kind of ['import', 'push'] as const)
      await addRun(tenant, { id: `run_${kind}`, kind, status: 'completed', at })
    await tenant.sql.updateTable('runs').set({ completed_at: at }).execute()
  })
  expect(await disconnected()).toEqual([])
  await query(world.ownerUrl, `delete from connections where organization_id = ${organizationId}`)
  const lastAt = at.toISOString()
  expect(await disconnected()).toEqual([
    { provider: 'stripe', lastAt },
    { provider: 'hubspot', lastAt },
  ])
})

it('counts no more than 1,000 rows, and says that there are more', async () => {
  const other = await world.person()
  const { organizationId } = other
  await inOrganization(world.deps.database, organizationId, addConnections)
  await query(
    world.ownerUrl,
    `insert into subscriptions (organization_id, id, customer_id, status, body, created_at, current_mrr_cents, currency, quantity)
     select ${organizationId}, 'sub_' || n, '', 'active', '{"cancelAtPeriodEnd": true}', now(), 100,
            case when n % 2 > 0 then 'usd' else 'eur' end, 1 from generate_series(1, 1200) as n;
     insert into events (organization_id, id, subscription_id, occurred_at, position, mrr_status, change_type, previous_mrr_cents,
                         current_mrr_cents, mrr_change_cents, previous_quantity, current_quantity, currency)
     select ${organizationId}, 'ev_' || n, 'sub_1', now(), n, 'New', 'new_subscription', 0, 1, 1, 0, 1, 'usd'
       from generate_series(1, 1200) as n;
     insert into crm_links (organization_id, portal_id, kind, source_id, state)
     select organization_id, '4711', 'event', id, 'failed' from events where organization_id = ${organizationId} union all
     select organization_id, '4711', 'subscription', id, 'failed' from subscriptions where organization_id = ${organizationId};
     insert into freshness (organization_id, subscription_id, changed_at, ledger_at)
     select organization_id, id, '2020-01-01', '2020-01-01' from subscriptions where organization_id = ${organizationId}`,
  )
  const read = await inOrganization(world.deps.database, organizationId, async (tenant) => {
    const sums = await sumOfFilter(tenant, { isCanceling: true })
    return [
      sums.reduce((sum, { count }) => sum + count, 0),
      await countEventsOfFilter(tenant, { isFailing: true }),
    ]
  })
  expect(read).toEqual([1_001, 1_001])
  const some = { count: 1_000, isCapped: true, mrr: null }
  const answer = getAttention.response.parse(await (await other.fetch('/api/dashboard/attention')).json())
  expect(answer).toMatchObject({
    canceling: some,
    failing: some,
    failingEvents: { count: 1_000, isCapped: true },
    stale: some,
  })
})
