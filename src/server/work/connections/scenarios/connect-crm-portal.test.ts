import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger, starter } from '#test/push/open-bench.ts'
import { findConnection } from '../../../store/connections/connections.ts'
import { listEventData, listSubscriptionData } from '../../../store/lists/subscription-data.ts'
import { inOrganization, type Tenant } from '../../../store/postgres/database.ts'
import { ensureCrmObjects, getCrmObjects } from '../../crm/ensure-crm-objects.ts'
import { matchCompanies } from '../../match/match-companies.ts'
import { checkAssociations } from '../../push/check-associations.ts'
import { startPush } from '../../push/start-push.ts'
import { acceptCrmPortal, verifyCrm } from '../connect-crm.ts'
import { disconnectCrm } from '../disconnect-crm.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

beforeEach(async () => {
  bench = await openBench(db, {
    seed: { companies: [{ name: 'Alpha', domain: 'alpha.example' }], contacts: [] },
  })
  await bench.control('/_control/settings', { hubId: starter, tier: 'enterprise' })
  await bench.connect()
  await saveLedger(bench, [{ id: 'a', name: 'Alpha', email: 'pat@alpha.example', mrrCents: 1_000 }])
  await bench.push()
})

const connection = () =>
  inOrganization(bench.deps.database, bench.organizationId, (tenant) => findConnection(tenant, 'crm'))
const schemas = (hubId: number) => bench.simulator.portal(hubId).schemas()

const shownToOperators = async (tenant: Tenant) => [
  ...(await listSubscriptionData(tenant)).map(({ lastSyncedAt }) => lastSyncedAt),
  ...(await listEventData(tenant)).map(({ recordId }) => recordId),
]

describe('another portal than before', () => {
  it('is recognised and asked about, and nothing is written to it until then', async () => {
    const done = await bench.connect({ hubId: starter })
    expect(done).toMatchObject({ outcome: 'connected' })
    expect(done.message).toContain(`another account than before (${enterprise})`)
    expect(await connection()).toMatchObject({
      account_id: String(starter),
      earlier_account_id: String(enterprise),
    })
    expect(await verifyCrm(bench.deps, bench.organizationId)).toEqual({ connected: true })
    const writers = [startPush, ensureCrmObjects, matchCompanies, checkAssociations]
    for (const write of writers) {
      await expect(write(bench.deps, bench.organizationId), write.name).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(`than before (${enterprise})`),
      })
    }
    expect(schemas(starter)).toEqual([])
  })

  it('gets everything anew after a yes, and the one before keeps what it has', async () => {
    const before = dumpCrm(bench)
    await bench.connect({ hubId: starter })
    await expect(acceptCrmPortal(bench.deps, bench.organizationId, String(enterprise))).rejects.toMatchObject(
      { code: 'conflict' },
    )
    await acceptCrmPortal(bench.deps, bench.organizationId, String(starter))
    expect(await getCrmObjects(bench.deps, bench.organizationId)).toMatchObject({ isReady: true })
    expect(await inOrganization(bench.deps.database, bench.organizationId, shownToOperators)).toEqual([
      null,
      null,
    ])
    expect(await bench.push()).toMatchObject({ status: 'completed', total_records: 2, failed_records: 0 })
    expect(dumpCrm(bench, starter).associations).toContain('subscription sub_a -> company alpha.example')
    expect(dumpCrm(bench)).toEqual(before)
  })

  it('is no question when it is the one that was pushed to last, whatever was connected in between', async () => {
    await bench.connect({ hubId: starter })
    await disconnectCrm(bench.deps, bench.organizationId)
    await bench.connect()
    expect(await connection()).toMatchObject({ account_id: String(enterprise), earlier_account_id: null })
    bench.simulator.requests.clear()
    expect(await bench.push()).toMatchObject({ status: 'completed', total_records: 0 })
  })

  it('is no question where nothing was written before, but is where the one before got companies alone', async () => {
    bench = await openBench(db, { seed: { companies: [], contacts: [] } })
    await bench.control('/_control/settings', { hubId: starter, tier: 'enterprise' })
    await bench.connect()
    expect(await getCrmObjects(bench.deps, bench.organizationId)).toMatchObject({ isReady: true })
    await disconnectCrm(bench.deps, bench.organizationId)
    expect((await bench.connect({ hubId: starter })).message).not.toContain('before')
    expect(await connection()).toMatchObject({ account_id: String(starter), earlier_account_id: null })
    expect(await getCrmObjects(bench.deps, bench.organizationId)).toMatchObject({ isReady: true })

    await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
      tenant.sql
        .insertInto('crm_companies')
        .values({
          organization_id: bench.organizationId,
          portal_id: String(starter),
          record_id: '7',
          created_for: 'alpha.example',
          listed_at: new Date(),
        })
        .execute(),
    )
    await bench.connect()
    expect(await connection()).toMatchObject({ earlier_account_id: String(starter) })
  })

  it('is asked about as well when the earlier connection was given up before', async () => {
    await disconnectCrm(bench.deps, bench.organizationId)
    await bench.connect({ hubId: starter })
    expect(await connection()).toMatchObject({ earlier_account_id: String(enterprise) })
    // The question remains when the same account connects again, and ends when the right one does.
    await bench.connect({ hubId: starter })
    expect(await connection()).toMatchObject({ earlier_account_id: String(enterprise) })
    await bench.connect()
    expect(await connection()).toMatchObject({ earlier_account_id: null })
  })

  it('keeps the question while its tokens are renewed', async () => {
    await bench.connect({ hubId: starter })
    bench.clock.now += 30 * 60_000
    await verifyCrm(bench.deps, bench.organizationId)
    expect(await connection()).toMatchObject({ secret_version: 3, earlier_account_id: String(enterprise) })
  })
})
