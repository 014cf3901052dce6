import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { exported } from '#test/store/exported.ts'
import { type LargeOrganization, newLargeOrganization } from '#test/store/large-organization.ts'
import { addInvoice } from '#test/store/seed.ts'
import { listEvents, wholeEvents } from './event-list.ts'
import { type EventOrder, newestFirst } from './event-search.ts'
import { sumEvents } from './list-sums.ts'

let large: LargeOrganization
beforeAll(async () => {
  large = await newLargeOrganization()
  await query(
    large.db.ownerUrl,
    `update events set reporting_change_cents = case when position > 0 or id like '%7'
                                                     then substr(id, 4)::bigint * 7919 % 101 - 50 end;
     analyze events`,
  )
})
afterAll(() => large.db.close())

it('an event is found by the whole number of its invoice, in a list, its sum and its file', async () => {
  const [first = '', second = ''] = await large.plain(
    `update events set invoice_id = 'in_9' where id in ('ev_3', 'ev_1303') returning id`,
  )
  await large.within((tenant) =>
    addInvoice(tenant, { id: 'in_9', customerId: 'cus_3', number: 'HARBOR-0009' }),
  )
  for (const search of ['HARBOR-0009', 'harbor-0009']) {
    const asked = { ...newestFirst, search }
    const { events } = await large.within((tenant) => listEvents(tenant, { ...asked, page: 1, limit: 10 }))
    expect(events.map(({ id, invoiceNumber }) => [id, invoiceNumber]).sort()).toEqual([
      [first, 'HARBOR-0009'],
      [second, 'HARBOR-0009'],
    ])
    expect(await exported(large, (tenant) => wholeEvents(tenant, asked))).toHaveLength(2)
    const sums = await large.within((tenant) => sumEvents(tenant, { search }))
    expect(sums.reduce((sum, one) => sum + one.count, 0)).toBe(2)
  }
  const none = { ...newestFirst, search: 'HARBOR-000', page: 1, limit: 10 }
  expect((await large.within((tenant) => listEvents(tenant, none))).totalCount).toBe(0)
})

it('reads a few thousand rows for a page of a search in any order', async () => {
  const read = async () => {
    await query(large.db.ownerUrl, 'select pg_stat_force_next_flush()')
    const [row] = await query<{ count: number }>(
      large.db.ownerUrl,
      `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as count from pg_stat_user_tables where relname = 'events'`,
    )
    return row?.count ?? 0
  }
  // Another session's counts can arrive in between, so a number that is too high is read again.
  for (const order of orders) {
    const readFor = async () => {
      const before = await read()
      await large.within(async (tenant) => {
        await listEvents(tenant, { ...order, search: 'plan 7', page: 15, limit: 50 })
        await sql`select pg_stat_force_next_flush()`.execute(tenant.sql)
      })
      return (await read()) - before
    }
    await expect.poll(readFor, { message: JSON.stringify(order) }).toBeLessThan(6_000)
  }
})

const orders: EventOrder[] = (['transactionDate', 'mrrChange'] as const).flatMap((sort) =>
  (['desc', 'asc'] as const).map((order) => ({ sort, order })),
)

/** All ids in this order, by plain statements. */
async function idsInOrder({ sort, order }: EventOrder, holds: string): Promise<string[]> {
  const ids = (condition: string, first: string) =>
    large.plain(`select e.id from events e left join customers c on c.id = e.customer_id
      where ${holds} and ${condition} order by ${first} e.occurred_at desc, e.position desc, e.id`)
  const directed = (descending: string[]) => (order === 'desc' ? descending : descending.reverse())
  if (sort === 'transactionDate') return directed(await ids('true', ''))
  const withRate = await ids('e.reporting_change_cents is not null', 'e.reporting_change_cents desc,')
  return [...directed(withRate), ...(await ids('e.reporting_change_cents is null', ''))]
}

describe.each(orders)('events by $sort $order', (order) => {
  it.each([[], ['Churn'], ['Churn', 'New']])(
    'are the same page by page, from either end',
    async (...types) => {
      const mrrStatus = types.filter((type) => typeof type === 'string')
      const holds = mrrStatus.length === 0 ? 'true' : `e.mrr_status in ('${mrrStatus.join("', '")}')`
      const ids = await idsInOrder(order, holds)
      for (const page of [1, 3, Math.floor(ids.length / 100), Math.ceil(ids.length / 50)]) {
        const asked = { ...order, mrrStatus, page, limit: 50, search: '' }
        const { events, ...counted } = await large.within((tenant) => listEvents(tenant, asked))
        expect(counted).toEqual({ totalCount: ids.length, isCapped: false })
        expect(events.map(({ id }) => id)).toEqual(ids.slice(page * 50 - 50, page * 50))
      }
    },
  )

  it.each([
    ['mail77@', `c.email like '%mail77@%'`],
    ['plan 7', `e.product_name = 'Plan 7'`],
    ['sub_12', `e.subscription_id like 'sub\\_12%'`],
    ['Plan', `e.product_name like 'Plan%'`],
    ['nowhere', 'false'],
  ])('in which "%s" is found are the same page by page, and in a file', async (search, holds) => {
    const ids = await idsInOrder(order, holds)
    const counted = { totalCount: Math.min(1_000, ids.length), isCapped: ids.length > 1_000 }
    for (const page of [1, 2, 21]) {
      const { events, ...total } = await large.within((tenant) =>
        listEvents(tenant, { ...order, page, limit: 50, search }),
      )
      expect(total).toEqual(counted)
      expect(events.map(({ id }) => id)).toEqual(ids.slice(0, 1_000).slice(page * 50 - 50, page * 50))
    }
    expect(await exported(large, (tenant) => wholeEvents(tenant, { ...order, search }))).toEqual(ids)
  })

  it('that meet a filter are the same page by page, and in a file', async () => {
    const ids = await idsInOrder(order, `e.reporting_change_cents >= 3 and e.occurred_at < '2025-01-16'`)
    const filter = { ...order, changeFrom: 3, to: '2025-01-15', search: '' }
    for (const page of [1, 2]) {
      const { events } = await large.within((tenant) => listEvents(tenant, { ...filter, page, limit: 50 }))
      expect(events.map(({ id }) => id)).toEqual(ids.slice(0, 1_000).slice(page * 50 - 50, page * 50))
    }
    expect(await exported(large, (tenant) => wholeEvents(tenant, filter))).toEqual(ids)
  })
})
