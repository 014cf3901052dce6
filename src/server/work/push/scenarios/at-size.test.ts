import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { countSynced } from '../../../store/crm/crm-links.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { cancelRuns, RunLost } from '../../../store/runs/runs.ts'
import { recountTotals } from '../../../store/totals/list-totals.ts'

/** Four attempts with pauses and matching before each; a real outage or requested pause lasts far longer. */
const threeMinutesMs = 180_000

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

async function benchOf(count: number, options: Parameters<typeof openBench>[1] = {}): Promise<Bench> {
  const bench = await openBench(db, options)
  await bench.connect()
  await saveManySubscriptions(bench, count)
  bench.simulator.requests.clear()
  return bench
}

const upsertsOf = (bench: Bench) =>
  bench.simulator.requests.list('/crm/objects').filter(({ path }) => path.endsWith('/batch/upsert'))
const synced = ({ deps, organizationId }: Bench) =>
  inOrganization(deps.database, organizationId, (tenant) => countSynced(tenant, String(enterprise)))

/** Saves `count` subscriptions of one customer without an address, each with its first event. */
async function saveManySubscriptions(bench: Bench, count: number): Promise<void> {
  await saveLedger(bench, [{ id: '000001', name: 'Many', email: null, mrrCents: 100 }])
  await inOrganization(bench.deps.database, bench.organizationId, async ({ sql, organizationId }) => {
    const subscriptions = await sql
      .selectFrom('subscriptions')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow()
    const event = await sql
      .selectFrom('events')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow()
    const numbers = Array.from({ length: count - 1 }, (_, index) => String(index + 2).padStart(6, '0'))
    for (let start = 0; start < numbers.length; start += 1_000) {
      const page = numbers.slice(start, start + 1_000)
      await sql
        .insertInto('subscriptions')
        .values(page.map((n) => ({ ...subscriptions, body: '{}', id: `sub_${n}` })))
        .execute()
      await sql
        .insertInto('events')
        .values(page.map((n) => ({ ...event, id: `ev_${n}`, subscription_id: `sub_${n}` })))
        .execute()
    }
  })
  await inOrganization(bench.deps.database, bench.organizationId, recountTotals)
}

describe('a push of many records', () => {
  it('fills its batches across pages of rows and sends no more than it must', async () => {
    const bench = await benchOf(2_050)
    expect(await bench.push()).toMatchObject({ processed_records: 4_100, failed_records: 0 })
    const ofRecords = upsertsOf(bench).filter(({ path }) => !path.includes('/0-2/'))
    expect(ofRecords).toHaveLength(42)
    const ties = bench.simulator.requests.list('/crm/associations')
    expect(ties.map(({ inputs }) => inputs)).toEqual([2_000, 50])
    expect(await synced(bench)).toEqual({ subscriptions: 2_050, events: 2_050 })
  })

  it('associates settled records while others are still written, in whole pages and in no more requests', async () => {
    const seed = {
      companies: [{ name: 'Alpha', domain: 'alpha.example' }],
      contacts: [{ email: 'pat@alpha.example', companyDomain: 'alpha.example' }],
    }
    const ledger = Array.from({ length: 23 }, (_, n) => ({
      ...{ id: String(n).padStart(2, '0'), name: `Firm ${n}`, mrrCents: 100 },
      // Every third has neither company nor contact, so that their association pages fill later.
      email: n % 3 === 0 ? null : 'pat@alpha.example',
    }))
    const [bench, plain] = [await openBench(db, { seed }), await openBench(db, { seed })]
    for (const one of [bench, plain]) {
      await one.connect()
      await saveLedger(one, ledger)
    }
    await plain.push()
    const { crm } = bench.deps
    const asked = { batches: 0, pages: 0 }
    const small: typeof crm = {
      ...crm,
      limits: { ...crm.limits, recordsPerBatch: 2, pairsPerBatch: 4 },
      associate: (...given) => {
        asked.pages += 1
        return crm.associate(...given)
      },
      // The last batch of events waits for pages of associations.
      upsertRecords: async (access, kind, ...given) => {
        if (kind === 'event' && ++asked.batches === 12)
          await expect.poll(() => asked.pages).toBeGreaterThanOrEqual(4)
        return crm.upsertRecords(access, kind, ...given)
      },
    }
    bench.simulator.requests.clear()
    expect(await bench.push({ crm: small })).toMatchObject({ processed_records: 46, failed_records: 0 })
    expect(asked.batches).toBe(12)
    expect(dumpCrm(bench)).toEqual(dumpCrm(plain))

    const events = bench.simulator.portal(enterprise).schemas()[1]?.typeId
    const sent = bench.simulator.requests.list('/crm').map(({ path }) => path)
    const ties = sent.filter((path) => path.startsWith(`/crm/associations/2026-09/${events}/`))
    // 23 to subscriptions, and 15 each to the company and the contact, in pages.
    expect(ties).toHaveLength(6 + 4 + 4)
  })

  it('waits instead of exceeding the rate of a marketplace app', async () => {
    const bench = await benchOf(1_100, { rateLimit: { per10s: 110, searchPerSecond: 5 } })
    const begun = bench.clock.now
    const { crm } = bench.deps
    const small = { ...crm, limits: { ...crm.limits, recordsPerBatch: 20 } }
    expect(await bench.push({ crm: small })).toMatchObject({ processed_records: 2_200, failed_records: 0 })
    const sent = bench.simulator.requests.list('/crm')
    expect(sent.length).toBeGreaterThan(100)
    expect(sent.filter(({ status }) => status === 429)).toEqual([])
    expect(bench.clock.now - begun).toBeGreaterThanOrEqual(10_000)
  })

  it('counts as synced what stands there as it is here, and nothing else', async () => {
    const bench = await benchOf(20)
    await bench.push()
    bench.clock.now += 60_000
    const later = bench.deps.now()
    await inOrganization(bench.deps.database, bench.organizationId, ({ sql }) =>
      sql.updateTable('subscriptions').set({ updated_at: later }).where('id', '<=', 'sub_000004').execute(),
    )
    await inOrganization(bench.deps.database, bench.organizationId, ({ sql }) =>
      sql.updateTable('subscriptions').set({ quantity: 9 }).where('id', '=', 'sub_000004').execute(),
    )
    expect(await synced(bench)).toMatchObject({ subscriptions: 16, events: 20 })
    expect(await bench.push()).toMatchObject({ total_records: 1, processed_records: 1 })
    expect(await synced(bench)).toMatchObject({ subscriptions: 20, events: 20 })
  })

  it('stops without a word when it is cancelled, and goes on from there', async () => {
    const bench = await benchOf(700)
    const { crm } = bench.deps
    let batches = 0
    const cancelling = {
      ...crm,
      upsertRecords: async (...given: Parameters<typeof crm.upsertRecords>) => {
        if (++batches === 4) {
          await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
            cancelRuns(tenant, bench.deps.now(), 'Cancelled.'),
          )
        }
        return crm.upsertRecords(...given)
      },
    }
    await expect(bench.push({ crm: cancelling })).rejects.toThrow(RunLost)
    expect(batches).toBeLessThanOrEqual(6)
    const done = (await synced(bench)).subscriptions
    expect(await bench.push()).toMatchObject({ status: 'completed', total_records: 1_400 - done })
    expect(dumpCrm(bench).subscription).toHaveLength(700)
  })

  it.each([
    ['the daily limit is used up', { kind: 'rate_limit', policyName: 'DAILY' }, 'rate_limited', 3_600_000],
    ['the account is moving', { kind: 'status', status: 477, retryAfter: '7200' }, 'unavailable', 7_200_000],
    ['the CRM is down', { kind: 'status', status: 503 }, 'unavailable', undefined],
  ])('does not sleep through it when %s', async (_, fault, kind, retryAfterMs) => {
    const bench = await benchOf(10)
    const type = bench.simulator.portal(enterprise).schemas()[0]?.typeId
    await bench.control('/_faults', {
      ...fault,
      match: { pathPrefix: `/crm/objects/2026-09/${type}/batch/upsert`, times: null },
    })
    const before = bench.clock.now
    await expect(bench.push()).rejects.toMatchObject({ name: 'HubspotError', kind, retryAfterMs })
    expect(bench.clock.now - before).toBeLessThan(threeMinutesMs)
    expect(upsertsOf(bench).length).toBeLessThanOrEqual(20)
    bench.simulator.faults.clear()
    expect(await bench.resume()).toMatchObject({ status: 'completed', processed_records: 20 })
  })
})
