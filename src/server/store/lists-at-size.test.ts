import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { inOrganization, type Tenant } from './database.ts'
import { listEvents } from './event-list.ts'
import { listMatches } from './match-list.ts'
import { listSubscriptions } from './subscription-list.ts'
import type { SubscriptionSort } from './subscription-order.ts'

const customers = 700
const subscriptions = 1_500
const eventCount = 12_000

let db: TestDatabase
let organizationId: number
beforeAll(async () => {
  db = await newDatabase()
  const [row] = await query<{ id: number }>(
    db.ownerUrl,
    `insert into "organization" (name, slug, "createdAt") values ('Large', 'large', now()) returning id`,
  )
  organizationId = Number(row?.id)
  await query(db.ownerUrl, fill(organizationId))
})
afterAll(() => db.close())

/** Names, addresses and terms that are missing here and the same there; subscriptions of nobody; two portals. */
function fill(id: number): string {
  return `
    insert into connections (organization_id, provider, account_id, sealed_secret) values (${id}, 'crm', '1', 'sealed');
    insert into customers (organization_id, id, name, email, created_at)
    select ${id}, 'cus_' || n, case when n % 7 > 0 then initcap(substr(md5(n % 90 || 'a'), 1, 5)) || ' 10% Ltd' end,
           case when n % 5 > 0 then 'mail' || n % 200 || '@c.example' end, now()
      from generate_series(1, ${customers}) as n;
    insert into matches (organization_id, customer_id, portal_id, state, company_record_id, company_name, evidence)
    select ${id}, 'cus_' || n, portal, case when n % 3 > 0 then 'linked' else 'pending' end, n,
           case when n % 3 > 0 then 'Group ' || portal || ' ' || substr(md5(n % 60 || 'b'), 1, 4) end, 'domain'
      from generate_series(1, ${customers}) as n, (values ('1'), ('2')) as portals (portal) where n % 4 > 0;
    insert into subscriptions (organization_id, id, customer_id, status, body, created_at, current_mrr_cents, currency,
                               quantity, product_name, billing_interval_days, current_period_start, next_renewal_on,
                               updated_at)
    select ${id}, 'sub_' || n, case when n % 50 > 0 then 'cus_' || n % ${customers} else '' end,
           (array['active', 'canceled', 'trialing'])[1 + n % 3], '{}', now(), n % 40, 'usd', nullif(n % 9, 0),
           case when n % 11 > 0 then 'Plan ' || n % 12 end, nullif(n % 4 * 30, 0),
           case when n % 6 > 0 then timestamptz '2026-01-01' + n % 20 * interval '1 day' end,
           case when n % 8 > 0 then date '2026-03-01' + n % 25 end,
           timestamptz '2026-02-01' + n % 300 * interval '1 hour'
      from generate_series(1, ${subscriptions}) as n;
    update customers c set usd_mrr_cents = sums.cents
      from (select customer_id, sum(current_mrr_cents) as cents from subscriptions group by customer_id) as sums
     where c.id = sums.customer_id;
    insert into events (organization_id, id, subscription_id, customer_id, occurred_at, position, mrr_status,
                        change_type, previous_mrr_cents, current_mrr_cents, mrr_change_cents, previous_quantity,
                        current_quantity, currency, product_name)
    select ${id}, 'ev_' || n, 'sub_' || n % ${subscriptions}, 'cus_' || n % ${customers},
           timestamptz '2025-01-01' + n * 37 % 500 * interval '1 hour', n % 3,
           (array['New', 'Upgrade', 'Churn'])[1 + n % 3], 'new_subscription', 0, 1, 1, 0, 1, 'usd',
           case when n % 11 > 0 then 'Plan ' || n % 12 end
      from generate_series(1, ${eventCount}) as n;
    analyze customers, subscriptions, events, matches`
}

const within = <T>(work: (tenant: Tenant) => Promise<T>) => inOrganization(db.database, organizationId, work)

/** The whole list in one plain statement, to hold the pages against. */
async function plain(text: string): Promise<string[]> {
  const rows = await query<{ id: string }>(db.ownerUrl, text)
  return rows.map(({ id }) => id)
}

const joined = `subscriptions s left join customers c on c.organization_id = s.organization_id and c.id = s.customer_id
  left join matches m on m.organization_id = s.organization_id and m.customer_id = s.customer_id
                     and m.portal_id = '1' and m.state = 'linked'`
const keys: Record<SubscriptionSort, string> = {
  updatedAt: 's.updated_at',
  companyName: 'lower(coalesce(m.company_name, c.name))',
  currentMrr: 's.current_mrr_cents',
  productName: 'lower(s.product_name)',
  status: 's.status',
  customerName: 'lower(c.name)',
  customerEmail: 'lower(c.email)',
  quantity: 's.quantity',
  billingIntervalDays: 's.billing_interval_days',
  currentPeriodStart: 's.current_period_start',
  currentPeriodEnd: 's.current_period_end',
  nextRenewalDate: 's.next_renewal_on',
}
const contains = (text: string) => `(c.name ilike '%${text}%' or c.email ilike '%${text}%'
  or m.company_name ilike '%${text}%' or s.product_name ilike '%${text}%' or s.id like '${text}%'
  or s.customer_id like '${text}%')`
/** Found in few rows, in many, in nearly all, in none; by customer, company, product and id; wildcards are no wildcards. */
const searches = ['mail77@', '10%', 'group 1', 'plan 7', 'Plan', 'sub_12', 'cus_3', 'e', 'nowhere', 'group 2']

describe('subscriptions', () => {
  it.each(Object.keys(keys) as SubscriptionSort[])('sorted by %s are the same page by page', async (sort) => {
    for (const order of ['asc', 'desc'] as const) {
      const ids = await plain(`select s.id from ${joined} order by ${keys[sort]} ${order} nulls last, s.id`)
      for (const page of [1, 2, 7, 30, 55, 59, 60]) {
        const listed = await within((tenant) =>
          listSubscriptions(tenant, { page, limit: 25, search: '', status: undefined, sort, order }),
        )
        expect(listed.totalCount).toBe(subscriptions)
        expect(listed.subscriptions.map(({ id }) => id)).toEqual(ids.slice(page * 25 - 25, page * 25))
      }
    }
  })

  it.each(searches)('in which "%s" is found are the same page by page', async (search) => {
    const text = search.replaceAll('%', '\\%').replaceAll('_', '\\_')
    for (const sort of ['updatedAt', 'companyName', 'quantity'] as const) {
      const ids = await plain(`select s.id from ${joined} where ${contains(text)} and s.status = 'active'
        order by ${keys[sort]} desc nulls last, s.id`)
      for (const page of [1, 3]) {
        const listed = await within((tenant) =>
          listSubscriptions(tenant, { page, limit: 10, search, status: 'active', sort, order: 'desc' }),
        )
        expect(listed.totalCount).toBe(ids.length)
        expect(listed.subscriptions.map(({ id }) => id)).toEqual(ids.slice(page * 10 - 10, page * 10))
      }
    }
  })
})

const eventsJoined = joined.replace('subscriptions s', 'events s')
const newest = 'order by s.occurred_at desc, s.position desc, s.id'
const listPage = (search: string, page: number, mrrStatus?: string) =>
  within((tenant) => listEvents(tenant, { page, limit: 50, search, mrrStatus, subscriptionId: undefined }))

describe('events', () => {
  it.each([undefined, 'Churn'])('of status %s are the same page by page, from either end', async (status) => {
    const where = status === undefined ? '' : `where s.mrr_status = '${status}'`
    const ids = await plain(`select s.id from events s ${where} ${newest}`)
    for (const page of [
      1,
      3,
      Math.floor(ids.length / 100),
      Math.ceil(ids.length / 50) - 1,
      Math.ceil(ids.length / 50),
    ]) {
      const listed = await listPage('', page, status)
      expect(listed.totalCount).toBe(ids.length)
      expect(listed.events.map(({ id }) => id)).toEqual(ids.slice(page * 50 - 50, page * 50))
    }
  })

  it.each(searches)(
    'in which "%s" is found are the same page by page, counted up to 10,000',
    async (search) => {
      const text = search.replaceAll('%', '\\%').replaceAll('_', '\\_')
      const where = `${contains(text)} or s.subscription_id like '${text}%'`
      const ids = await plain(`select s.id from ${eventsJoined} where ${where} ${newest}`)
      for (const page of [1, 4]) {
        const listed = await listPage(search, page)
        expect(listed.totalCount).toBe(Math.min(10_000, ids.length))
        expect(listed.events.map(({ id }) => id)).toEqual(ids.slice(page * 50 - 50, page * 50))
      }
    },
  )

  it('are counted as they come, change and go', async () => {
    const counts = async () => [
      (await listPage('', 1, 'New')).totalCount,
      (await listPage('', 1, 'Churn')).totalCount,
    ]
    const [fresh, churned] = await counts()
    await query(db.ownerUrl, `update events set mrr_status = 'Churn' where id in ('ev_3', 'ev_6')`)
    expect(await counts()).toEqual([Number(fresh) - 2, Number(churned) + 2])
    await query(db.ownerUrl, `delete from events where id in ('ev_3', 'ev_9')`)
    expect(await counts()).toEqual([Number(fresh) - 3, Number(churned) + 1])
    expect((await listPage('', 1)).totalCount).toBe(eventCount - 2)
  })
})

describe('customers in the review', () => {
  it.each(['', ...searches])('in which "%s" is found are sorted by what they come to', async (search) => {
    const text = search.replaceAll('%', '\\%').replaceAll('_', '\\_')
    const ids = await plain(`
      select c.id from customers c join matches m on m.organization_id = c.organization_id and m.customer_id = c.id
       where m.portal_id = '1' and m.state = 'linked' and (c.name ilike '%${text}%' or c.email ilike '%${text}%'
             or m.company_name ilike '%${text}%' or c.id like '${text}%')
       order by c.usd_mrr_cents desc, c.id`)
    const listed = await within((tenant) =>
      listMatches(tenant, { page: 2, limit: 10, search, state: 'linked' }),
    )
    expect(listed.totalCount).toBe(ids.length)
    expect(listed.matches.map(({ customerId }) => customerId)).toEqual(ids.slice(10, 20))
  })

  it('have the companies of the portal that is connected', async () => {
    const companies = () =>
      query<{ names: string[] }>(
        db.ownerUrl,
        'select array_agg(distinct left(company_name, 7)) as names from customers where company_name is not null',
      )
    expect(await companies()).toEqual([{ names: ['Group 1'] }])
    await query(db.ownerUrl, `update connections set account_id = '2' where provider = 'crm'`)
    expect(await companies()).toEqual([{ names: ['Group 2'] }])
    await query(
      db.ownerUrl,
      `update matches set state = 'ignored' where portal_id = '2' and customer_id <> 'cus_1'`,
    )
    expect(await companies()).toEqual([{ names: ['Group 2'] }])
    await query(db.ownerUrl, `delete from connections where provider = 'crm'`)
    expect(await companies()).toEqual([{ names: null }])
  })
})
