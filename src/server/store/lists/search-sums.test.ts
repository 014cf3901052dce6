import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '#test/database.ts'
import { type LargeOrganization, newLargeOrganization } from '#test/store/large-organization.ts'
import { meets, sumsOf } from '#test/store/plain-filters.ts'
import { type PlainRow, readPlainRows, spreadFilters } from '#test/store/plain-rows.ts'
import { vacuumWhole } from '#test/store/vacuum.ts'
import type { Tenant } from '../postgres/database.ts'
import { recountMovements } from '../totals/movement-totals.ts'
import type { EventFilter } from './list-filters.ts'
import { sumEvents } from './list-sums.ts'

type Texts = { customer: string; ids: string[] }

let large: LargeOrganization
let events: PlainRow[]
let texts: Map<string, Texts>
beforeAll(async () => {
  large = await newLargeOrganization()
  await spreadFilters(large)
  await run(
    large.db.ownerUrl,
    `insert into invoices (organization_id, id, customer_id, currency, total_discount_cents, lines, created_at)
     select organization_id, 'in_' || id, id, 'usd', 0, '[]', now() from customers;
     update events set invoice_id = 'in_' || customer_id where id like '%3';
     update customers set name = 'Plan ' || id where id like '%9';
     insert into customers (organization_id, id, name, created_at)
     select o.id, 'cux_' || n, 'Plan', now() from organization as o, generate_series(1, 1500) as n`,
  )
  events = [...(await readPlainRows(large)).events.values()]
  const rows = await run<Texts & { id: string }>(
    large.db.ownerUrl,
    `select e.id, lower(concat_ws(chr(10), c.name, c.email, c.domain, c.company_name, e.product_name)) as customer,
            array_remove(array[e.id, e.subscription_id, e.invoice_id, e.customer_id], null) as ids
       from events e left join customers c on c.id = e.customer_id`,
  )
  texts = new Map(rows.map(({ id, ...row }) => [id, row]))
})
afterAll(() => large.db.close())

const searches = [
  'mail',
  'C.EXAMPLE',
  'e',
  '1',
  'group',
  'plan 1',
  'plan',
  'cus_',
  'sub_1',
  'in_cus_12',
  'ev_11',
]
const filters: EventFilter[] = [
  {},
  { mrrStatus: ['New', 'Churn'], from: '2025-01-09' },
  { currency: ['eur'], product: ['Plan 1', 'Plan 7'] },
  { isInHubspot: true },
  { isMatched: false, interval: [30, 60] },
  { isFailing: false },
]

function plainSums(search: string, { mrrStatus, ...filter }: EventFilter) {
  const text = search.toLowerCase()
  const rows = events.filter((row) => {
    const { customer = '', ids = [] } = texts.get(row.id) ?? {}
    const isFound = customer.includes(text) || ids.some((id) => id.startsWith(search))
    return isFound && meets(row, filter) && (mrrStatus === undefined || mrrStatus.includes(row.status))
  })
  return sumsOf(rows, ({ currency, status }) => `${currency} ${status}`)
}

/** More customers whom no text means than are looked up. */
const nobodies = `
  insert into customers (organization_id, id, name, created_at)
  select o.id, 'nob_' || n, 'Nobody', now() from organization as o, generate_series(1, 30100) as n
      on conflict do nothing`

/** `npm run prove -- lists` sums every search with every filter; otherwise half of them, in turn. */
const isLong = process.env['LISTS'] === 'all'
const times = ['before movements are counted', 'after movements are counted', 'beside many other customers']

it.each(times)('the sums of a search are those of a plain reading %s', async (when) => {
  if (when.startsWith('after')) await large.within(recountMovements)
  if (when.startsWith('beside')) await run(large.db.ownerUrl, nobodies)
  for (const [row, search] of searches.entries())
    for (const [column, filter] of filters.entries()) {
      if (!isLong && (row + column + times.indexOf(when)) % 2 > 0) continue
      const sums = await large.within((tenant) => sumEvents(tenant, { ...filter, search }))
      const found = sums.map(({ currency, mrrStatus, ...sum }) => ({
        key: `${currency} ${mrrStatus}`,
        ...sum,
      }))
      expect(found, `${search} ${JSON.stringify(filter)}`).toEqual(plainSums(search, filter))
    }
})

it('what most customers contain is summed without reading their events', async () => {
  await large.within(recountMovements)
  await run(
    large.db.ownerUrl,
    `update customers set email = id || '@all.example' where id not like '%77'; delete from customers where name = 'Nobody'`,
  )
  await vacuumWhole(large.db.ownerUrl, ['customers', 'events'])
  const { count, read } = await readToSum('all.example')
  expect(count).toBeGreaterThan(10_000)
  expect(read).toBeLessThan(1_000)
})

describe('beside many other customers, and with rows as wide as with a receipt', () => {
  // Of narrow rows, or along a swollen index, the planner would rather read the pages.
  beforeAll(async () => {
    await run(large.db.ownerUrl, `update events set payment_method = repeat('-', 1500); ${nobodies}`)
    await run(large.db.ownerUrl, 'reindex table events')
    await vacuumWhole(large.db.ownerUrl, ['customers', 'events'])
  })

  it.each([
    { text: 'plan 1', means: 'names of products' },
    { text: 'group', means: 'many customers' },
    { text: '1', means: 'many of both' },
  ])('a text in $means is summed from indexes alone', async ({ text }) => {
    const { count, read } = await readToSum(text)
    expect(count).toBeGreaterThan(1_000)
    expect(read).toBeLessThan(1_000)
  })
})

/** The number of events that a search finds, and how many rows of events its sums read. */
async function readToSum(search: string): Promise<{ count: number; read: number }> {
  return large.within(async (tenant) => {
    const before = await rowsRead(tenant)
    const sums = await sumEvents(tenant, { search })
    const read = (await rowsRead(tenant)) - before
    return { count: sums.reduce((sum, one) => sum + one.count, 0), read }
  })
}

/** The rows of events that this session has read so far, not counting entries of indexes. */
async function rowsRead(tenant: Tenant): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
     where relname = 'events'`.execute(tenant.sql)
  return rows[0]?.read ?? 0
}
