import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { countSynced } from '../../../store/crm/crm-links.ts'
import { findRecordStanding } from '../../../store/crm/record-standing.ts'
import { countRefused } from '../../../store/crm/refusals.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import type { Run } from '../../../store/runs/runs.ts'
import { syncSubscription } from '../sync-subscription.ts'

let db: TestDatabase
let bench: Bench
let before: ReturnType<typeof dumpCrm>
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const row = { id: 'a', name: 'Alpha Ltd', email: null, mrrCents: 1_000 }
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

beforeEach(async () => {
  bench = await openBench(db)
  await bench.connect()
  await saveLedger(bench, [row])
  bench.clock.now += minuteMs
  await bench.push()
  before = dumpCrm(bench)
})

/** Somebody or something in HubSpot gives the subscription's record another MRR, some time after the last push. */
async function edit(mrr: string, afterMs = 10 * minuteMs): Promise<void> {
  const portal = bench.simulator.portal(enterprise)
  const type = portal.schemas().find(({ name }) => name === 'tributary_subscription')?.typeId ?? ''
  const id = portal.records(type)[0]?.id ?? ''
  bench.clock.now += afterMs
  await bench.control('/_control/edit', { hubId: enterprise, type, id, properties: { mrr } })
  bench.clock.now += minuteMs
}

/** What the lists, the counts and the subscription's card say. */
const told = () =>
  inOrganization(bench.deps.database, bench.organizationId, async (tenant) => {
    const { state, error } = await findRecordStanding(tenant, String(enterprise), 'sub_a')
    const synced = await countSynced(tenant, String(enterprise))
    const refused = await countRefused(tenant, String(enterprise))
    return { state, error, synced: synced.subscriptions, refused }
  })
const inSync = { state: 'synced', error: null, synced: 1, refused: 0 }

const reason = expect.stringContaining('Something in HubSpot changes this record back')
const failed = { state: 'failed', error: reason, synced: 0, refused: 1 }

/** As after three corrections in a row. */
const correctThrice = () => setLinks({ mends: 3 })

async function setLinks(set: { mends: number } | { record_updated_at: Date }): Promise<void> {
  await inOrganization(bench.deps.database, bench.organizationId, ({ sql, organizationId }) =>
    sql.updateTable('crm_links').set(set).where('organization_id', '=', organizationId).execute(),
  )
}

async function expectMended(run: Promise<Run>): Promise<void> {
  expect(await run).toMatchObject({ processed_records: 1, failed_records: 0 })
  expect(dumpCrm(bench)).toEqual(before)
}

it('gives up against a workflow that changes a record back, and tells of the record as failed', async () => {
  for (const mrr of ['1', '2', '3']) {
    await edit(mrr)
    await expectMended(bench.push())
  }
  expect(await told()).toEqual(inSync)
  await edit('4')
  const run = await bench.push()
  expect(run).toMatchObject({
    status: 'completed',
    total_records: 1,
    processed_records: 1,
    failed_records: 1,
  })
  expect(await bench.errorsOf(run.id)).toEqual([reason])
  expect(await told()).toEqual(failed)
  bench.clock.now += dayMs
  expect(await bench.push()).toMatchObject({ processed_records: 0 })
  expect(await told()).toEqual(failed)
  await saveLedger(bench, [{ ...row, mrrCents: 9_000 }])
  expect(await bench.push()).toMatchObject({ processed_records: 1, failed_records: 0 })
  expect(await told()).toEqual(inSync)
})

it.each([
  ['retries what failed', () => bench.retryFailed()],
  ['syncs by hand', () => bench.push({ retriesFailed: true })],
  ['syncs its subscription', () => syncNow()],
])('writes such a record again when a person %s, and counts from there', async (_, ask) => {
  await correctThrice()
  await edit('4')
  await bench.push()
  expect(await told()).toEqual(failed)
  await expectMended(ask())
  expect(await told()).toEqual(inSync)
  await edit('5')
  await expectMended(bench.push())
})

async function syncNow(): Promise<Run> {
  await syncSubscription(bench.deps, bench.organizationId, 'sub_a')
  return bench.resume()
}

it('takes such a record as in sync when it is put right in HubSpot', async () => {
  await correctThrice()
  await edit('4')
  await bench.push()
  await edit('10.00')
  expect(await bench.push()).toMatchObject({ processed_records: 0, failed_records: 0 })
  expect(dumpCrm(bench)).toEqual(before)
  expect(await told()).toEqual(inSync)
})

it('mends an edit long after those before it, and one that a sync by hand finds', async () => {
  await correctThrice()
  await edit('4', 3 * dayMs)
  await expectMended(bench.push())
  await correctThrice()
  await edit('5')
  await expectMended(bench.push({ retriesFailed: true }))
  await edit('6')
  await expectMended(bench.push())
})

it('finds a record that an earlier version left as it was and took as seen', async () => {
  await correctThrice()
  await edit('4')
  await setLinks({ record_updated_at: bench.deps.now() })
  await bench.push()
  expect(await told()).toEqual(failed)
})
