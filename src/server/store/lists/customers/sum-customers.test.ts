import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run } from '#test/database.ts'
import { fc } from '#test/fast-check.ts'
import { type LargeOrganization, newLargeOrganization } from '#test/store/large-organization.ts'
import { vacuumWhole } from '#test/store/vacuum.ts'
import type { Tenant } from '../../postgres/database.ts'
import { recountTotals } from '../../totals/list-totals.ts'
import { listCustomers } from './customer-list.ts'
import type { CustomerFilter } from './customer-order.ts'
import { sumCustomers } from './sum-customers.ts'

/** A customer as a plain statement reads it; `paying`: each change of whether a subscription has MRR, by its day. */
type PlainCustomer = {
  id: string
  text: string
  isAttached: boolean
  isIgnored: boolean
  firstPaid: string | null
  reporting: number
  own: Record<string, number>
  apart: Record<string, number>
  paying: { day: string; by: number }[]
}

let large: LargeOrganization
let customers: PlainCustomer[]
beforeAll(async () => {
  large = await newLargeOrganization()
  await run(
    large.db.ownerUrl,
    `update matches set state = 'ignored' where state = 'pending' and substr(customer_id, 5)::integer % 2 = 0;
     update customers set reporting_mrr_cents = coalesce(length(name), 3) * 100,
            mrr_by_currency = case substr(id, 5)::integer % 6 when 0 then '{}' when 1 then '{"usd": 500, "jpy": 70}'
              when 2 then '{"eur": 300, "jpy": 7, "gbp": 20}' else '{"usd": 900}' end::jsonb,
            unconverted_by_currency = case substr(id, 5)::integer % 6 when 1 then '{"jpy": 70}'
              when 2 then '{"jpy": 7, "gbp": 20}' else '{}' end::jsonb,
            is_attached = substr(id, 5)::integer % 3 > 0,
            is_subscriber = substr(id, 5)::integer % 13 > 0;
     update events set previous_mrr_cents = substr(id, 4)::integer % 3, current_mrr_cents = substr(id, 4)::integer % 4,
            mrr_change_cents = substr(id, 4)::integer % 4 - substr(id, 4)::integer % 3, reporting_change_cents = null,
            mrr_status = case when substr(id, 4)::integer % 17 = 0 then 'Planned_Cancellation' else mrr_status end;
     analyze customers, events`,
  )
  await large.within(recountTotals)
  // The count itself writes months.
  await run(
    large.db.ownerUrl,
    `update customers set first_paid_month = '2025-0' || nullif(substr(id, 5)::integer % 5, 0)`,
  )
  customers = await run<PlainCustomer>(
    large.db.ownerUrl,
    `select id, lower(concat_ws(chr(10), name, email)) as text, is_attached as "isAttached",
              exists (select from matches where customer_id = customers.id and portal_id = '1'
                                            and state = 'ignored') as "isIgnored",
              first_paid_month as "firstPaid", reporting_mrr_cents::integer as reporting,
              mrr_by_currency as own, unconverted_by_currency as apart,
              array(select jsonb_build_object('day', to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD'),
                      'by', (current_mrr_cents > 0)::integer - (previous_mrr_cents > 0)::integer)
                      from events where customer_id = customers.id and mrr_status <> 'Planned_Cancellation') as paying
         from customers where is_subscriber`,
  )
})
afterAll(() => large.db.close())

type Wanted = CustomerFilter & { search: string }

function meets(customer: PlainCustomer, wanted: Wanted) {
  const { search, isMatched, firstPaidFrom, firstPaidTo, payingOn, mrrFrom, mrrTo } = wanted
  const { reporting, apart, id, text, isAttached, isIgnored, firstPaid, paying } = customer
  const isPaying = (day: string) =>
    firstPaid !== null &&
    firstPaid <= day.slice(0, 7) &&
    paying.filter((one) => one.day <= day).reduce((sum, { by }) => sum + by, 0) > 0
  return (
    (text.includes(search.toLowerCase()) || id.startsWith(search)) &&
    (isMatched === undefined || (isMatched === 'ignored' ? isIgnored : isAttached === isMatched)) &&
    reporting >= (mrrFrom ?? Number.NEGATIVE_INFINITY) &&
    (mrrTo === undefined || (reporting <= mrrTo && Object.keys(apart).length === 0)) &&
    (firstPaidFrom === undefined || (firstPaid ?? '') >= firstPaidFrom) &&
    (firstPaidTo === undefined || (firstPaid ?? '9') <= firstPaidTo) &&
    (payingOn === undefined || isPaying(payingOn))
  )
}

function plainSum(rows: readonly PlainCustomer[]) {
  const names = [...new Set(rows.flatMap(({ own }) => Object.keys(own)))].sort()
  const sum = (values: number[]) => values.reduce((so, value) => so + value, 0)
  return {
    count: rows.length,
    reportingCents: sum(rows.map(({ reporting }) => reporting)),
    currencies: names.map((currency) => ({
      currency,
      ownCents: sum(rows.map(({ own }) => own[currency] ?? 0)),
      unconvertedCents: sum(rows.map(({ apart }) => apart[currency] ?? 0)),
    })),
  }
}

const nothing = {
  isMatched: undefined,
  firstPaidFrom: undefined,
  firstPaidTo: undefined,
  payingOn: undefined,
  mrrFrom: undefined,
  mrrTo: undefined,
}
const maybe = <Value>(...values: Value[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 })

it('the sums of filtered customers are those of a plain reading, however many a search finds', async () => {
  let summed = 0
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        search: fc.constantFrom('', '', '', 'mail17', '10% ltd', 'cus_12', 'nobody at all'),
        isMatched: maybe<boolean | 'ignored'>(true, false, 'ignored'),
        firstPaidFrom: maybe('2025-01', '2025-03'),
        firstPaidTo: maybe('2025-02', '2025-03'),
        payingOn: maybe('2025-02-09', '2025-03-31'),
        mrrFrom: fc.option(fc.constantFrom(1, 900), { nil: undefined, freq: 2 }),
        mrrTo: fc.option(fc.constantFrom(300, 900), { nil: undefined, freq: 2 }),
      }),
      async (wanted) => {
        const expected = plainSum(customers.filter((customer) => meets(customer, wanted)))
        expect(await large.within((tenant) => sumCustomers(tenant, wanted))).toEqual(expected)
        const page = { ...wanted, sort: 'currentMrr', order: 'desc', page: 1, limit: 10 } as const
        const { totalCount, isCapped } = await large.within((tenant) => listCustomers(tenant, page))
        expect(isCapped ? expected.count > 1_000 : totalCount).toBe(isCapped || expected.count)
        summed += expected.count
      },
    ),
    {
      numRuns: 60,
      examples: [
        [{ ...nothing, search: 'cus_12' }],
        [{ ...nothing, search: '10% ltd' }],
        [{ ...nothing, search: '', isMatched: 'ignored' }],
        [{ ...nothing, search: '', mrrFrom: 900 }],
        [{ ...nothing, search: '', mrrTo: 900, isMatched: false }],
      ],
    },
  )
  expect(summed).toBeGreaterThan(1_000)
})

it('the sums of all, and by whether they have a company, read no customer', async () => {
  for (const isMatched of [undefined, true, false]) {
    const wanted = { search: '', isMatched }
    const { sum, read } = await large.within(async (tenant) => {
      const before = await rowsRead(tenant, 'customers')
      return { sum: await sumCustomers(tenant, wanted), read: (await rowsRead(tenant, 'customers')) - before }
    })
    expect({ sum, read }).toEqual({
      sum: plainSum(customers.filter((customer) => meets(customer, wanted))),
      read: 0,
    })
  }
})

it('who pays on a day is found without reading a row of an event', async () => {
  await vacuumWhole(large.db.ownerUrl, ['customers', 'events'])
  for (const months of [{}, { firstPaidFrom: '2025-02', firstPaidTo: '2025-02' }]) {
    const wanted = { search: '', payingOn: '2025-03-31', ...months }
    const { sum, read } = await large.within(async (tenant) => {
      const before = await rowsRead(tenant, 'events')
      return { sum: await sumCustomers(tenant, wanted), read: (await rowsRead(tenant, 'events')) - before }
    })
    expect(sum.count).toBeGreaterThan(100)
    expect(read, JSON.stringify(months)).toBe(0)
  }
})

/** The rows of a table that this session has read so far, not counting entries of indexes. */
async function rowsRead(tenant: Tenant, table: string): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
     where relname = ${table}`.execute(tenant.sql)
  return rows[0]?.read ?? 0
}
