import { afterAll, beforeAll, expect, it } from 'vitest'
import { getAttention } from '#contract/dashboard.ts'
import { listMatches } from '#contract/matches.ts'
import { listSubscriptions } from '#contract/subscriptions.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addConnections, addCustomer, addMatch, addRun, addSubscription } from '#test/store/seed.ts'
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

it('names a connection that is dead and the newest run of a kind if it failed, until they are mended', async () => {
  expect(await attention()).toMatchObject({ deadConnections: [], failedRuns: [] })
  await within(async (tenant) => {
    await endRun(tenant, 'run_1', 'HubSpot is full.', new Date('2026-10-01T01:00:00Z'))
    await tenant.sql
      .updateTable('connections')
      .set({ warning: 'The key was rotated.' })
      .where('organization_id', '=', tenant.organizationId)
      .where('provider', '=', 'crm')
      .execute()
  })
  expect(await attention()).toMatchObject({
    deadConnections: [{ provider: 'hubspot', reason: 'The key was rotated.' }],
    failedRuns: [{ type: 'sync', reason: 'HubSpot is full.', endedAt: '2026-10-01T01:00:00.000Z' }],
  })
  await within((tenant) => endRun(tenant, 'run_2', null, new Date('2026-10-02')))
  expect((await attention()).failedRuns).toEqual([])
})

it('is nothing in an organization without data', async () => {
  const other = await world.person()
  const answer = await (await other.fetch('/api/dashboard/attention')).json()
  const nothing = { count: 0, mrr: 0 }
  expect(getAttention.response.parse(answer)).toEqual({
    reportingCurrency: 'usd',
    customersToMatch: nothing,
    pastDue: nothing,
    deadConnections: [],
    failedRuns: [],
  })
})
