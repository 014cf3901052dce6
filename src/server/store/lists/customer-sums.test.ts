import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { type LargeOrganization, newLargeOrganization } from '#test/store/large-organization.ts'
import { meets, sumsOf } from '#test/store/plain-filters.ts'
import { type PlainRow, readPlainRows, spreadFilters } from '#test/store/plain-rows.ts'
import { vacuumWhole } from '#test/store/vacuum.ts'
import type { Tenant } from '../postgres/database.ts'
import { recountMovements } from '../totals/movement-totals.ts'
import type { EventFilter } from './list-filters.ts'
import { sumEvents } from './list-sums.ts'

let large: LargeOrganization
beforeAll(async () => {
  large = await newLargeOrganization()
  await spreadFilters(large)
  await large.within(recountMovements)
})
afterAll(() => large.db.close())

const march = { firstPaidFrom: '2025-02', firstPaidTo: '2025-03' }
const filters: EventFilter[] = [
  { isMatched: true },
  { isMatched: false },
  { isMatched: false, mrrStatus: ['Churn', 'New'], to: '2025-02-09' },
  march,
  { ...march, isMatched: true, from: '2025-01-09' },
  { firstPaidTo: '2025-01', isMatched: false },
  { isMatched: false, isFailing: false },
  { isMatched: true, product: ['Plan 1'] },
  { isMatched: false, interval: [30, 60], from: '2025-01-09' },
]

const run = (text: string) => query(large.db.ownerUrl, text)
const sums = (filter: EventFilter) => large.within((tenant) => sumEvents(tenant, { ...filter, search: '' }))

function plainSums(events: readonly PlainRow[], { mrrStatus, ...filter }: EventFilter) {
  const rows = events.filter(
    (row) => meets(row, filter) && (mrrStatus === undefined || mrrStatus.includes(row.status)),
  )
  return sumsOf(rows, ({ currency, status }) => `${currency} ${status}`)
}

/** A company for the customers that meet a condition. */
const match = (holds: string) =>
  run(`delete from matches;
    insert into matches (organization_id, customer_id, portal_id, state, company_record_id, evidence)
    select organization_id, id, '1', 'linked', '7', 'domain' from customers where ${holds}`)

it.each([
  ['all', 'true'],
  ['most', "id not like 'cus_2%'"],
  ['half', 'substr(id, 5)::integer % 2 = 0'],
  ['few', "id like 'cus_2%'"],
  ['no', 'false'],
])('the sums of customers are those of a plain reading where %s have a company', async (_, holds) => {
  await match(holds)
  const events = [...(await readPlainRows(large)).events.values()]
  for (const filter of filters) {
    const found = (await sums(filter)).map(({ currency, mrrStatus, ...sum }) => ({
      key: `${currency} ${mrrStatus}`,
      ...sum,
    }))
    expect(found, JSON.stringify(filter)).toEqual(plainSums(events, filter))
  }
})

it.each([
  ['most', "id not like 'cus_2%'"],
  ['few', "id like 'cus_2%'"],
])('the sums of customers read no row of an event where %s have a company', async (_, holds) => {
  await match(holds)
  await vacuumWhole(large.db.ownerUrl, ['customers', 'events'])
  for (const filter of [
    { isMatched: true },
    { isMatched: false },
    { isMatched: true, interval: [30, 60] },
    march,
  ]) {
    const read = await large.within(async (tenant) => {
      const before = await rowsRead(tenant)
      await sumEvents(tenant, { ...filter, search: '' })
      return (await rowsRead(tenant)) - before
    })
    // Those of no customer.
    expect(read, JSON.stringify(filter)).toBeLessThan(10)
  }
})

/** The rows of events that this session has read so far, not counting entries of indexes. */
async function rowsRead(tenant: Tenant): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
     where relname = 'events'`.execute(tenant.sql)
  return rows[0]?.read ?? 0
}
