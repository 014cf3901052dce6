import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run, type TestDatabase } from '#test/database.ts'
import { exported } from '#test/store/exported.ts'
import { newOrganizationOne } from '#test/store/large-organization.ts'
import { vacuumWhole } from '#test/store/vacuum.ts'
import { inOrganization, type Tenant } from '../../postgres/database.ts'
import { listCustomers, wholeCustomers } from './customer-list.ts'
import type { CustomerFilter, CustomerSort } from './customer-order.ts'
import { sumCustomers } from './sum-customers.ts'

/** More than the 5,000 subscriptions up to which their customers are looked up one by one. */
const count = 6_000

type Subscription = {
  customerId: string
  status: string
  product: string | null
  currency: string
  interval: number | null
}
type Customer = { id: string; name: string | null; isAttached: boolean; reporting: number }

let db: TestDatabase
let customers: Customer[]
/** The listed subscriptions by customer. */
let owned: Map<string, Subscription[]>
/** The ids of all customers in each order. */
let ordered: { sort: CustomerSort; order: 'asc' | 'desc'; all: string[] }[]
beforeAll(async () => {
  db = await newOrganizationOne(fill)
  await vacuumWhole(db.ownerUrl, ['customers', 'subscriptions'])
  customers = await run<Customer>(
    db.ownerUrl,
    `select id, name, is_attached as "isAttached", reporting_mrr_cents::integer as reporting from customers`,
  )
  const subscriptions = await run<Subscription>(
    db.ownerUrl,
    `select customer_id as "customerId", status, product_name as product, currency,
            billing_interval_days::integer as interval from subscriptions where quantity is not null`,
  )
  owned = Map.groupBy(subscriptions, ({ customerId }) => customerId)
  ordered = []
  for (const [sort, column] of [
    ['currentMrr', 'reporting_mrr_cents'],
    ['customerName', 'lower(name)'],
  ] as const)
    for (const order of ['asc', 'desc'] as const) {
      const rows = await run<{ id: string }>(
        db.ownerUrl,
        `select id from customers order by ${column} ${order} nulls last,
           case when ${column} is null or ${sort === 'currentMrr'} <> ${order === 'asc'} then id end, id desc`,
      )
      ordered.push({ sort, order, all: rows.map(({ id }) => id) })
    }
})
afterAll(() => db.close())

/**
 * Everybody has 'Everywhere'; every third customer, those of the least MRR, has 'Twice' twice; few have very many 'Bundles';
 * every second has one without a product, one in 13 of which has no figures yet.
 */
const fill = `
  insert into customers (organization_id, id, name, created_at, is_subscriber, is_attached, reporting_mrr_cents, mrr_by_currency)
  select 1, 'cus_' || n, case when n % 9 > 0 then 'Name ' || n * 7 % 1000 end, now(), true, n % 10 = 0, cents,
         jsonb_build_object('usd', cents)
    from generate_series(1, ${count}) as n, lateral (select case when n % 3 = 0 then n % 50 else n end as cents) as mrr;
  insert into subscriptions (organization_id, id, customer_id, status, body, created_at, updated_at, currency, quantity,
                             product_name, billing_interval_days, current_mrr_cents)
  select 1, 'sub_' || product || n || '_' || nth, 'cus_' || n, status, '{}', now(), now(),
         case when n % 7 = 0 then 'eur' else 'usd' end, nullif(quantity, 0), nullif(product, ''),
         case when n % 4 > 0 then 30 when n % 8 = 0 then 365 end, 5
    from generate_series(1, ${count}) as n,
         lateral (values ('Everywhere', 1, true, case when n % 5 = 0 then 'canceled' else 'active' end, 1),
                         ('Twice', 2, n % 3 = 0, 'active', 1), ('Bundles', 20, n <= 300, 'trialing', 1),
                         ('', 1, n % 2 = 0, 'past_due', n % 13)) as own (product, copies, has, status, quantity),
         generate_series(1, copies) as nth
   where has`

/** `npm run prove -- lists` exports every list; otherwise each search of a filter is exported in one order, in turn. */
const isLong = process.env['LISTS'] === 'all'

const within = <T>(work: (tenant: Tenant) => Promise<T>) => inOrganization(db.database, 1, work)

function meets({ id, isAttached, reporting }: Customer, filter: CustomerFilter): boolean {
  const of = <Value>(value: Value, wanted: readonly Value[] | undefined) =>
    wanted === undefined || wanted.length === 0 || wanted.includes(value)
  const { status, product, currency, interval, isMatched, mrrFrom = 0 } = filter
  return (
    (isMatched === undefined || isMatched === isAttached) &&
    reporting >= mrrFrom &&
    (owned.get(id) ?? []).some(
      (one) =>
        of(one.status, status) &&
        of(one.product, product) &&
        of(one.currency, currency) &&
        of(one.interval, interval),
    )
  )
}

const filters: CustomerFilter[] = [
  { product: ['Nowhere'] },
  { product: ['Everywhere'] },
  { product: ['Twice'] },
  { product: ['Bundles'] },
  { product: ['Bundles', 'Twice'], isMatched: true },
  { product: [null] },
  { product: [null, 'Bundles'], interval: [null] },
  { status: ['canceled'] },
  { status: ['canceled'], product: ['Twice'] },
  { status: ['active'], product: ['Everywhere'], currency: ['eur'] },
  { status: ['active', 'canceled'], currency: ['usd'], mrrFrom: 3_000 },
  { product: ['Twice'], mrrFrom: 40 },
  { interval: [365, null] },
  { interval: [30], isMatched: false },
  { status: [], currency: ['eur'] },
]

it.each(filters)('customers with a subscription that is %o are those of a plain reading', async (filter) => {
  const met = new Set(customers.filter((one) => meets(one, filter)).map(({ id }) => id))
  for (const [turn, search] of ['', 'name 1', 'name'].entries()) {
    const isFound = ({ id, name }: Customer) => met.has(id) && (name ?? '').toLowerCase().includes(search)
    const found = new Set(customers.filter(isFound).map(({ id }) => id))
    const sum = await within((tenant) => sumCustomers(tenant, { ...filter, search }))
    expect(sum.count).toBe(found.size)
    for (const [nth, { sort, order, all }] of ordered.entries()) {
      const ids = all.filter((id) => found.has(id))
      const whole = { ...filter, search, sort, order }
      for (const page of [1, 100, 101]) {
        const listed = await within((tenant) => listCustomers(tenant, { ...whole, page, limit: 10 }))
        const shown = ids.slice(0, 1_000).slice(page * 10 - 10, page * 10)
        expect({ ...listed, customers: listed.customers.map(({ customerId }) => customerId) }).toEqual({
          ...{ totalCount: Math.min(ids.length, 1_000), isCapped: ids.length > 1_000 },
          customers: shown,
        })
      }
      if (isLong || nth === (filters.indexOf(filter) + turn) % ordered.length)
        expect(await exported({ within }, (tenant) => wholeCustomers(tenant, whole))).toEqual(ids)
    }
  }
})

it.each([
  ['nobody', { product: ['Nowhere'] }, 10],
  ['everybody', { product: ['Everywhere'] }, 3_000],
  ['those at the end of the list', { product: ['Twice'] }, 3_000],
])('a first page of %s reads few subscriptions', async (_, filter, most) => {
  const query = { ...filter, search: '', sort: 'currentMrr', order: 'desc', page: 1, limit: 25 } as const
  const read = await within(async (tenant) => {
    const before = await rowsRead(tenant)
    await listCustomers(tenant, query)
    return (await rowsRead(tenant)) - before
  })
  expect(read).toBeLessThan(most)
})

/** The rows of subscriptions that this session has read so far, not counting entries of indexes. */
async function rowsRead(tenant: Tenant): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
     where relname = 'subscriptions'`.execute(tenant.sql)
  return rows[0]?.read ?? 0
}

it('counts the subscriptions of a customer, and names the products of those with MRR, the highest first', async () => {
  await run(
    db.ownerUrl,
    `update subscriptions set reporting_mrr_cents = case product_name when 'Twice' then 9 end,
            current_mrr_cents = case product_name when 'Bundles' then 0 else 5 end where customer_id = 'cus_6'`,
  )
  const { customers: found } = await within((tenant) =>
    listCustomers(tenant, { search: 'cus_6', sort: 'currentMrr', order: 'asc', page: 1, limit: 100 }),
  )
  expect(found.find(({ customerId }) => customerId === 'cus_6')).toMatchObject({
    subscriptionCount: 24,
    productNames: ['Twice', 'Everywhere'],
    productCount: 2,
  })
})
