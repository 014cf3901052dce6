import { afterAll, beforeAll, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { type Bench, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { findRecordStanding } from '../../store/crm/record-standing.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { syncSubscription } from './sync-subscription.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
  bench = await openBench(db)
})
afterAll(() => db.close())

const standingOf = (id: string) =>
  inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
    findRecordStanding(tenant, String(enterprise), id),
  )
const statesOf = async (...ids: string[]) => Promise.all(ids.map(async (id) => (await standingOf(id)).state))

/** Somebody deletes the record of a subscription in HubSpot. */
async function archive(id: string): Promise<void> {
  const { objectTypeId, recordId } = await standingOf(id)
  await bench.control('/_control/archive', { hubId: enterprise, type: objectTypeId, id: recordId })
}

/** A push of the schedule, after some time. */
async function hourly() {
  bench.clock.now += 3_600_000
  return bench.push({ isScheduled: true })
}

const firm = (id: string, mrrCents = 100) => ({ id, name: `Firm ${id}`, email: null, mrrCents })

it("syncs one customer's records at once, refused and deleted ones too, and leaves those of others", async () => {
  await expect(syncSubscription(bench.deps, bench.organizationId, 'sub_a')).rejects.toThrow(
    'There is no such subscription. Choose one on Subscriptions.',
  )
  await bench.connect()
  await saveLedger(bench, [firm('a'), firm('b'), firm('c')])
  expect(await statesOf('sub_a')).toEqual(['waiting'])
  await bench.push()
  expect(await statesOf('sub_a', 'sub_b', 'sub_c')).toEqual(['synced', 'synced', 'synced'])

  await archive('sub_a')
  await archive('sub_b')
  await hourly()
  expect(await statesOf('sub_a', 'sub_b', 'sub_c')).toEqual(['removed', 'removed', 'synced'])
  bench.clock.now += 60_000
  await saveLedger(bench, [firm('c', 900)])
  expect(await statesOf('sub_c')).toEqual(['waiting'])

  const runId = await syncSubscription(bench.deps, bench.organizationId, 'sub_a')
  await expect(syncSubscription(bench.deps, bench.organizationId, 'sub_a')).rejects.toThrow(
    'An import or sync is running.',
  )
  expect(await bench.resume()).toMatchObject({ id: runId, status: 'completed', failed_records: 0 })
  // What changed since the last push is due as well.
  expect(await statesOf('sub_a', 'sub_b', 'sub_c')).toEqual(['synced', 'removed', 'synced'])
})

it('is bounded for each organization', async () => {
  await query(
    db.ownerUrl,
    `update attempt_budgets set used = 30 where key = 'sync-now:${bench.organizationId}'`,
  )
  await expect(syncSubscription(bench.deps, bench.organizationId, 'sub_a')).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(
      /used Sync now 30 times within an hour\. Wait .+, or sync on Data Sync\.$/,
    ),
  })
})
