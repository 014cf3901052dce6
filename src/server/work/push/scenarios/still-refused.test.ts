import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { recordIdOf } from '#test/match/matches.ts'
import { type Bench, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { typeOf } from '#test/push/people.ts'
import { countStillRefused } from '../../../store/crm/refusals.ts'
import { inOrganization } from '../../../store/postgres/database.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const minuteMs = 60_000
const row = (id: string, email: string | null = null) => ({ id, name: `Firm ${id}`, email, mrrCents: 1_000 })
const upToDate = 'Everything in HubSpot is up to date.'

beforeEach(async () => {
  bench = await openBench(db, {
    seed: { companies: [{ name: 'Alpha', domain: 'alpha.example' }], contacts: [] },
  })
  await bench.connect()
  await saveLedger(bench, [row('a'), row('b')])
  await bench.push()
})

/** What an automatic push with nothing to do says. */
async function said(): Promise<string> {
  bench.clock.now += 10 * minuteMs
  const run = await bench.push()
  expect(run).toMatchObject({ status: 'completed', processed_records: 0 })
  return run.message
}

const refused = (records: string) =>
  `Nothing new to sync. HubSpot still refuses ${records}: Sync Health says why.`

const deleteEvents = (...ids: string[]) =>
  inOrganization(bench.deps.database, bench.organizationId, ({ sql }) =>
    sql.deleteFrom('events').where('id', 'in', ids).execute(),
  )

it('a push with nothing to do says that all is up to date only where nothing is refused', async () => {
  expect(await said()).toBe(upToDate)
  await saveLedger(bench, [{ ...row('c'), name: 'Refused by HubSpot' }])
  await bench.push()
  expect(await said()).toBe(refused('1 record'))
  await saveLedger(bench, [{ ...row('d'), name: 'Refused by HubSpot' }])
  await bench.push()
  expect(await said()).toBe(refused('2 records'))
  await saveLedger(bench, [row('c'), row('d')])
  await bench.push()
  expect(await said()).toBe(upToDate)
})

it('names a record that is changed back in HubSpot each time', async () => {
  await inOrganization(bench.deps.database, bench.organizationId, ({ sql, organizationId }) =>
    sql.updateTable('crm_links').set({ mends: 3 }).where('organization_id', '=', organizationId).execute(),
  )
  const type = typeOf(bench, 'subscription')
  const id = recordIdOf(bench, type, 'stripe_subscription_id', 'sub_a')
  bench.clock.now += 10 * minuteMs
  await bench.control('/_control/edit', { hubId: enterprise, type, id, properties: { mrr: '4' } })
  bench.clock.now += minuteMs
  await bench.push()
  expect(await said()).toBe(refused('1 record'))
})

it('names the records of a company that has no room for them', async () => {
  const from = ['subscription', 'event'] as const
  const associations = from.map((kind) => ({ from: '0-2', to: typeOf(bench, kind), max: 0 }))
  await bench.control('/_control/settings', { hubId: enterprise, limits: { associations } })
  await saveLedger(bench, [row('c', 'kim@alpha.example')])
  await bench.push()
  expect(await said()).toBe(refused('2 records'))
})

it('names events whose records HubSpot does not let go, which no list shows, beside those that one shows', async () => {
  await bench.control('/_faults', {
    ...{ kind: 'status', status: 400, category: 'VALIDATION_ERROR', message: 'It is locked.' },
    match: { pathPrefix: `/crm/objects/2026-09/${typeOf(bench, 'event')}/batch/archive`, times: null },
  })
  await deleteEvents('ev_a')
  await bench.push()
  expect(await said()).toBe(
    'Nothing new to sync. HubSpot still refuses to remove 1 record of an event that no longer exists.',
  )
  await deleteEvents('ev_b')
  await saveLedger(bench, [{ ...row('c'), name: 'Refused by HubSpot' }])
  await bench.push()
  expect(await said()).toBe(
    `${refused('1 record')} HubSpot still refuses to remove 2 records of events that no longer exist.`,
  )
  bench.simulator.faults.clear()
  await bench.push({ retriesFailed: true })
  await saveLedger(bench, [row('c')])
  await bench.push()
  expect(await said()).toBe(upToDate)
})

it('takes an event whose record a person deletes after all as settled, and promises no other record', async () => {
  const type = typeOf(bench, 'event')
  const match = { pathPrefix: `/crm/objects/2026-09/${type}/batch/archive`, times: null }
  const fault = { kind: 'status', status: 400, category: 'VALIDATION_ERROR', message: 'It is locked.' }
  await bench.control('/_faults', { ...fault, match })
  await deleteEvents('ev_a')
  await bench.push()
  const ids = ['ev_a', 'ev_b'].map((key) => recordIdOf(bench, type, 'tributary_event_id', key))
  bench.clock.now += 10 * minuteMs
  for (const id of ids) await bench.control('/_control/archive', { hubId: enterprise, type, id })
  bench.clock.now += minuteMs
  const run = await bench.push()
  expect((await bench.logOf(run.id)).join('\n')).toContain(
    'ev_a: its record was deleted in HubSpot; the event no longer exists here, so it stays deleted.',
  )
  // The other one still exists, so that a change brings its record back.
  expect(await bench.errorsOf(run.id)).toEqual([
    expect.stringContaining('It is written again when the event'),
  ])
  expect(await said()).toBe(upToDate)
})

it('counts what is refused in its own organization and account alone', async () => {
  await saveLedger(bench, [{ ...row('c'), name: 'Refused by HubSpot' }])
  await bench.push()
  const other = await openBench(db, { beside: bench })
  const count = (one: Bench, portalId: string) =>
    inOrganization(one.deps.database, one.organizationId, (tenant) => countStillRefused(tenant, portalId))
  const nothing = { listed: 0, unremoved: 0 }
  expect(await count(bench, String(enterprise))).toEqual({ listed: 1, unremoved: 0 })
  expect(await count(other, String(enterprise))).toEqual(nothing)
  expect(await count(bench, 'another')).toEqual(nothing)
})
