import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import {
  customers,
  eventCount,
  type LargeOrganization,
  newLargeOrganization,
} from '#test/store/large-organization.ts'
import { listCurrentMrr } from '../ledger/dashboard.ts'
import { settleCustomers } from '../payments/customers.ts'
import type { Tenant } from '../postgres/database.ts'
import { listEvents } from './event-list.ts'
import { listCoverage, listMatches } from './match-list.ts'
import { packLists } from './pack-lists.ts'
import { listSubscriptions } from './subscription-list.ts'

let large: LargeOrganization
beforeAll(async () => {
  large = await newLargeOrganization()
})
afterAll(() => large.db.close())

const within = <T>(work: (tenant: Tenant) => Promise<T>) => large.within(work)
const plain = (text: string) => large.plain(text)

it('subscriptions are counted as they come, change and go', async () => {
  const counts = async () => {
    const query = { page: 1, limit: 10, search: '', sort: 'updatedAt', order: 'desc' } as const
    const of = async (status?: string) =>
      (await within((tenant) => listSubscriptions(tenant, { ...query, status }))).totalCount
    return [await of(), await of('active'), await of('canceled')]
  }
  const mrr = async () => [
    await within(listCurrentMrr),
    await query(
      large.db.ownerUrl,
      `select currency, sum(current_mrr_cents)::integer as "mrrCents",
              (count(*) filter (where status = 'active'))::integer as "activeSubscriptions"
         from subscriptions where current_mrr_cents > 0 group by currency order by currency`,
    ),
  ]
  const [all = 0, active = 0, canceled = 0] = await counts()
  await query(
    large.db.ownerUrl,
    `update subscriptions set status = 'canceled', current_mrr_cents = 0 where id in ('sub_3', 'sub_6')`,
  )
  expect(await counts()).toEqual([all, active - 2, canceled + 2])
  await query(large.db.ownerUrl, `update subscriptions set currency = 'eur' where id = 'sub_9'`)
  await query(large.db.ownerUrl, `delete from subscriptions where id in ('sub_3', 'sub_12')`)
  expect(await counts()).toEqual([all - 2, active - 3, canceled + 1])
  const [kept, summed] = await mrr()
  expect(kept).toEqual(summed)
  await within(packLists)
  expect(await counts()).toEqual([all - 2, active - 3, canceled + 1])
  expect(await mrr()).toEqual([summed, summed])
})

it.each(['linked', 'pending', 'ignored'] as const)('customers of state %s are counted', async (state) => {
  const counts = async () => [
    (await within((tenant) => listMatches(tenant, { page: 1, limit: 10, search: '', state }))).totalCount,
    (await plain(`select customer_id as id from matches where portal_id = '1' and state = '${state}'`))
      .length,
  ]
  for (const change of [
    `update matches set state = 'ignored' where customer_id in ('cus_11', 'cus_13', 'cus_15')`,
    `delete from matches where customer_id in ('cus_13', 'cus_17')`,
  ]) {
    await query(large.db.ownerUrl, change)
    const [shownCount, stored] = await counts()
    expect(shownCount).toBe(stored)
  }
  await within(packLists)
  const [shownCount, stored] = await counts()
  expect(shownCount).toBe(stored)
})

it('customers are found by what they are called now, before and after their texts are packed anew', async () => {
  const found = async (search: string) => {
    const listed = await within((tenant) =>
      listMatches(tenant, { page: 1, limit: 10, search, state: 'linked' }),
    )
    return listed.matches.map(({ customerId }) => customerId)
  }
  const texts = async () => {
    const [row] = await query<{ lines: number; last: number }>(
      large.db.ownerUrl,
      'select sum(cardinality(ids))::integer as lines, max(number)::integer as last from customer_texts',
    )
    return row ?? { lines: 0, last: 0 }
  }
  await query(large.db.ownerUrl, `update customers set name = 'Älpler Zaun' where id = 'cus_7'`)
  expect(await found('ÄLPLER')).toEqual(['cus_7'])
  await query(large.db.ownerUrl, `update customers set name = 'Former ' || id`)
  await query(large.db.ownerUrl, `update customers set name = 'Later\x1e ' || id where id <> 'cus_10'`)
  expect(await found('former')).toEqual(['cus_10'])
  expect(await found('ÄLPLER')).toEqual([])
  expect(await found('later\x1e cus_1001')).toEqual(['cus_1001'])
  expect((await texts()).lines).toBeGreaterThan(2 * customers)
  await within(packLists)
  const packed = await texts()
  expect(packed.lines).toBe(customers)
  await within(packLists)
  expect(await texts()).toEqual(packed)
  // Each single change adds a row.
  await query(
    large.db.ownerUrl,
    `do $$ begin for n in 1..400 loop update customers set name = 'Single ' || id where id = 'cus_' || n; end loop; end $$`,
  )
  await within(packLists)
  expect((await texts()).lines).toBe(customers)
  expect(await found('single cus_7')).toContain('cus_7')
  expect(await found('former')).toEqual([])
  expect(await found('later\x1e cus_1001')).toEqual(['cus_1001'])
})

describe('whatever is searched', () => {
  const searches = {
    found: [
      ...['ltd', '10% LTD', 'IL7@C', 'gRoUp 1', 'cus_12', 'älp', 'ä', 'S', '@c', ' 1', 'istanb', 'Istanb'],
      ...['\u212aelvin', 'kelvin', 'of ISTANBUL, kel', 'former', 'Ltd\nmail'],
    ],
    nowhere: ['x\ny', 'constantinople', 'zzz'],
  }
  const rowsOf = async () => {
    const [row] = await query<{ packed: number; loose: number }>(
      large.db.ownerUrl,
      `select (count(*) filter (where is_packed))::integer as packed,
              (count(*) filter (where not is_packed))::integer as loose from customer_texts`,
    )
    return row
  }
  const expectFound = async (search: string, isAny: boolean) => {
    const matched = await within((tenant) =>
      listMatches(tenant, { page: 1, limit: 2_000, search, state: 'linked' }),
    )
    const looked = await plain(
      `select c.id from customers c join matches m on m.customer_id = c.id and m.portal_id = '1' and m.state = 'linked'
        where strpos(c.search_text, lower($text$${search}$text$)) > 0 or c.id ^@ $text$${search}$text$`,
    )
    expect(looked.length > 0, search).toBe(isAny)
    expect(matched.totalCount, search).toBe(Math.min(looked.length, 1_000))
    if (looked.length <= 1_000)
      expect(matched.matches.map(({ customerId }) => customerId).sort(), search).toEqual(looked.sort())
  }
  const expectAllFound = async () => {
    for (const search of searches.found) await expectFound(search, true)
    for (const search of searches.nowhere) await expectFound(search, false)
  }

  it('is found in rows that are not packed yet, in packed ones, and in both', async () => {
    await query(
      large.db.ownerUrl,
      `update customers set name = case when id in ('cus_1', 'cus_2', 'cus_5') then 'Älpler ' || id || ' of Istanbul, \u212aelvin'
                                        when id = 'cus_7' then 'Former ' || id
                                        else coalesce(substr(md5(id), 1, 5), '') || ' 10% Ltd' end;
       delete from customer_text_grams; delete from customer_texts;
       do $$ begin for n in 1..${customers} loop
         update customers set name = name || '.' where id = 'cus_' || n; end loop; end $$;
       update customers set name = rtrim(name, '.');`,
    )
    expect(await rowsOf()).toMatchObject({ packed: 0 })
    await expectAllFound()
    await within(packLists)
    expect(await rowsOf()).toMatchObject({ loose: 0 })
    await expectAllFound()
    await query(large.db.ownerUrl, `update customers set name = 'Former ' || id where id = 'cus_10'`)
    expect(await rowsOf()).toMatchObject({ loose: 1 })
    await expectAllFound()
  })
})

it('packs what was counted into few rows', async () => {
  const rows = async () => {
    const [row] = await query<{ events: number; totals: number }>(
      large.db.ownerUrl,
      `select (select count(*) from event_counts)::integer as events,
              (select count(*) from subscription_totals)::integer as totals`,
    )
    return row ?? { events: 0, totals: 0 }
  }
  for (const status of ['New', 'Upgrade', 'Churn'])
    await query(
      large.db.ownerUrl,
      `update events set mrr_status = '${status}' where id in ('ev_1', 'ev_2', 'ev_3')`,
    )
  await within(packLists)
  expect(await rows()).toEqual({ events: 3, totals: 4 })
  const listed = await within((tenant) =>
    listEvents(tenant, { page: 1, limit: 10, search: '', mrrStatus: undefined, subscriptionId: undefined }),
  )
  expect(listed.totalCount).toBe(eventCount)
})

it('what attached customers come to follows matches, figures and the portal', async () => {
  const kept = () => within(listCoverage)
  const summed = (portal: string) =>
    query(
      large.db.ownerUrl,
      `select s.currency, sum(s.current_mrr_cents)::integer as "mrrCents",
              coalesce(sum(s.current_mrr_cents) filter (where m.customer_id is not null), 0)::integer as "attachedCents"
         from subscriptions s left join matches m on m.customer_id = s.customer_id and m.portal_id = '${portal}'
                                                 and m.state = 'linked' and m.company_record_id is not null
        where s.current_mrr_cents > 0 group by s.currency order by s.currency`,
    )
  const ids = ['cus_21', 'cus_22', 'cus_23']
  await within((tenant) => settleCustomers(tenant, ids))
  expect(await kept()).toEqual(await summed('1'))
  for (const change of [
    `update subscriptions set current_mrr_cents = current_mrr_cents + 500, currency = 'eur'
      where customer_id in ('cus_21', 'cus_22')`,
    `update subscriptions set current_mrr_cents = 0 where customer_id = 'cus_23'`,
  ]) {
    await query(large.db.ownerUrl, change)
    await within((tenant) => settleCustomers(tenant, ids))
    expect(await kept()).toEqual(await summed('1'))
  }
  for (const change of [
    `update matches set state = 'pending' where customer_id in ('cus_22', 'cus_29')`,
    `update matches set company_record_id = null where customer_id in ('cus_23', 'cus_31')`,
    `delete from matches where customer_id = 'cus_37'`,
  ]) {
    await query(large.db.ownerUrl, change)
    expect(await kept()).toEqual(await summed('1'))
  }
  await within(packLists)
  expect(await kept()).toEqual(await summed('1'))
  await query(large.db.ownerUrl, `update connections set account_id = '2' where provider = 'crm'`)
  expect(await kept()).toEqual(await summed('2'))
})
