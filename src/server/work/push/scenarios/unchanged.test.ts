import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { recordIdOf } from '#test/match/matches.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { updateSettings } from '../../../store/setup/settings.ts'

/** `npm run prove -- unchanged` tries 3,000. */
const many = Number(process.env['UNCHANGED_CUSTOMERS'] ?? 450)
const few = 12
/** One search shows this number of the newest records of a kind. */
const newestMax = 200
const hour = 60 * 60_000
/** The objects, changed companies and contacts, and changed records of both kinds; a token lives half an hour only. */
const requestsMax = 5
const renewalsMax = 1

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
  // At this size the planner prefers whole tables even where an index fits.
  await query(
    db.ownerUrl,
    `do $$ begin execute 'alter database ' || current_database() || ' set enable_seqscan = off'; end $$`,
  )
})
afterAll(() => db.close())

/** An organization whose records stand in HubSpot; its last push is hours old. The first customers wait for review. */
async function pushed(customers: number, { waiting = 1 } = {}): Promise<Bench> {
  const bench = await openBench(db, { seed: { companies: [], contacts: [] } })
  await bench.connect()
  await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
    updateSettings(tenant, { autoSyncEnabled: true }),
  )
  await saveLedger(
    bench,
    Array.from({ length: customers }, (_, n) => ({
      ...{ id: String(n), name: `Firm ${n}`, mrrCents: 100 + n },
      email: n < waiting ? `kim${n}@gmail.com` : `kim@firm${n}.example`,
    })),
  )
  await bench.push()
  bench.clock.now += 2 * hour
  await hourly(bench)
  bench.clock.now += hour
  await query(db.ownerUrl, 'analyze')
  return bench
}

/** The push of the schedule. */
const hourly = (bench: Bench) => bench.push({ retriesFailed: false, isScheduled: true })

/** At least as many as the pool has. */
const connectionsMax = 10

/** Rows and index entries that PostgreSQL has read so far, by table. */
async function readSoFar({ deps }: Bench): Promise<Map<string, number>> {
  // Each connection keeps its own counts for a while.
  const flush = () => sql`select pg_stat_force_next_flush(), pg_sleep(0.1)`.execute(deps.database)
  await Promise.all(Array.from({ length: connectionsMax }, flush))
  const rows = await query<{ name: string; count: number }>(
    db.ownerUrl,
    `select t.relname as name, (t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0))::float8 as count
       from pg_stat_user_tables t left join pg_stat_user_indexes i using (relid)
      where t.schemaname = 'public' group by t.relid, t.relname, t.seq_tup_read`,
  )
  return new Map(rows.map(({ name, count }) => [name, count]))
}

/** What an hourly push asks of HubSpot, and what it reads of each table. */
async function costOf(bench: Bench): Promise<{ requests: number; reads: Map<string, number> }> {
  const before = await readSoFar(bench)
  bench.simulator.requests.clear()
  expect(await hourly(bench)).toMatchObject({ status: 'completed', processed_records: 0 })
  const requests = bench.simulator.requests.list('/crm').length
  expect(bench.simulator.requests.list('/').length).toBeLessThanOrEqual(requests + renewalsMax)
  const after = await readSoFar(bench)
  const reads = new Map([...after].map(([table, count]) => [table, count - (before.get(table) ?? 0)]))
  return { requests, reads }
}

describe('an hourly push when nothing changed on either side', () => {
  it(`asks HubSpot as little with ${many} customers as with ${few}, and reads no table whole`, async () => {
    const small = await costOf(await pushed(few, { waiting: 0 }))
    const large = await costOf(await pushed(many, { waiting: 0 }))
    expect(small.requests).toBeLessThanOrEqual(requestsMax)
    expect(large.requests).toBeLessThanOrEqual(requestsMax)
    const readMax = 2 * newestMax
    expect(
      [...large.reads].filter(([, count]) => count > readMax),
      'read whole',
    ).toEqual([])
    // It reads at all, so that the counts count.
    expect(large.reads.get('crm_links')).toBeGreaterThan(0)
  }, 300_000)

  it('asks once more for the contacts of the customers that wait for review', async () => {
    const customers = 150
    const bench = await pushed(customers, { waiting: 20 })
    const { requests, reads } = await costOf(bench)
    expect(requests).toBe(requestsMax + 1)
    for (const table of ['crm_companies', 'crm_contacts'])
      expect(reads.get(table), table).toBeLessThan(customers / 2)
  }, 300_000)
})

const change = (statement: string) => (bench: Bench) => query(db.ownerUrl, statement, [bench.organizationId])

const subscriptionType = ({ simulator }: Bench) => simulator.portal(enterprise).schemas()[0]?.typeId ?? ''

/** Somebody ties the contact of a waiting customer to a company. */
async function tieContact(bench: Bench): Promise<void> {
  const made = { hubId: enterprise, type: '0-2', properties: { name: 'Just Made' } }
  await bench.control('/_control/create', made)
  const company = recordIdOf(bench, '0-2', 'name', 'Just Made')
  const contact = recordIdOf(bench, '0-1', 'email', 'kim0@gmail.com')
  await bench.ask('PUT', `/crm/objects/2026-09/0-1/${contact}/associations/default/0-2/${company}`)
}

async function mergeCompanies(bench: Bench): Promise<void> {
  const [primaryId, secondaryId] = [1, 2].map((n) => recordIdOf(bench, '0-2', 'domain', `firm${n}.example`))
  await bench.control('/_control/merge', { hubId: enterprise, type: '0-2', primaryId, secondaryId })
}

const row = (n: number, other: object) => ({
  ...{ id: String(n), name: `Firm ${n}`, email: `kim@firm${n}.example`, mrrCents: 100 + n },
  ...other,
})

const cases: [string, (bench: Bench) => Promise<unknown>][] = [
  ['a changed subscription', (bench) => saveLedger(bench, [row(7, { mrrCents: 999 })])],
  ['a new customer', (bench) => saveLedger(bench, [row(few, {})])],
  [
    'a renamed customer',
    change(`update customers set name = 'Other' where organization_id = $1 and id = 'cus_8'`),
  ],
  ['a customer with another address', (bench) => saveLedger(bench, [row(8, { email: 'kim@other.example' })])],
  ['an event that is no longer one', change(`delete from events where organization_id = $1 and id = 'ev_9'`)],
  [
    'a customer whom a person let go',
    change(
      `update matches set state = 'ignored', company_record_id = null
        where organization_id = $1 and customer_id = 'cus_4'`,
    ),
  ],
  [
    'a record that somebody edited',
    (bench) =>
      bench.control('/_control/edit', {
        ...{ hubId: enterprise, type: subscriptionType(bench) },
        id: recordIdOf(bench, subscriptionType(bench), 'stripe_subscription_id', 'sub_5'),
        properties: { mrr: '1' },
      }),
  ],
  ['a contact that somebody tied to a company', tieContact],
  ['companies that somebody merged', mergeCompanies],
]

const writesOf = ({ simulator }: Bench) =>
  simulator.requests
    .list('/crm/')
    .filter(({ method, path }) => method !== 'GET' && !/\/(read|search)$/.test(path))

describe('an hourly push', () => {
  it.each(cases)('does for %s what comparing everything would do', async (_, act) => {
    const bench = await pushed(few)
    const before = dumpCrm(bench)
    await act(bench)
    bench.simulator.requests.clear()
    for (const _push of ['finds it', 'after a correction, compares everything']) {
      bench.clock.now += hour
      await hourly(bench)
    }
    const after = dumpCrm(bench)
    expect(writesOf(bench).length > 0 || JSON.stringify(after) !== JSON.stringify(before)).toBe(true)
    bench.clock.now += hour
    bench.simulator.requests.clear()
    await bench.push({ retriesFailed: true })
    expect(dumpCrm(bench)).toEqual(after)
    expect(writesOf(bench)).toEqual([])
  })
})
