import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { splitByCurrency } from '#domain/mrr-by-currency.ts'
import { run as query } from '#test/database.ts'
import {
  type LargeOrganization,
  listedSubscriptions,
  newLargeOrganization,
} from '#test/store/large-organization.ts'
import { listCurrentMrr } from '../ledger/dashboard.ts'
import type { Tenant } from '../postgres/database.ts'
import { listCustomers } from './customers/customer-list.ts'
import type { CustomerSort } from './customers/customer-order.ts'
import { listEvents } from './event-list.ts'
import { newestFirst } from './event-search.ts'
import { listMatches, readCoverage } from './match-list.ts'
import { listSubscriptions } from './subscription-list.ts'
import type { SubscriptionSort } from './subscription-order.ts'

let large: LargeOrganization
beforeAll(async () => {
  large = await newLargeOrganization()
})
afterAll(() => large.db.close())

const within = <T>(work: (tenant: Tenant) => Promise<T>) => large.within(work)
/** The whole list in one simple statement, to compare the pages with. */
const plain = (text: string) => large.plain(text)

const joined = `subscriptions s left join customers c on c.organization_id = s.organization_id and c.id = s.customer_id
  left join matches m on m.organization_id = s.organization_id and m.customer_id = s.customer_id
                     and m.portal_id = '1' and m.state = 'linked'`
const keys: Record<SubscriptionSort, string> = {
  updatedAt: 's.updated_at',
  companyName: 'lower(coalesce(m.company_name, c.name))',
  currentMrr: 's.reporting_mrr_cents',
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
/** Without a value, those of a customer come first. */
const withoutValue = (sort: SubscriptionSort) =>
  keys[sort].includes('c.') ? `case when ${keys[sort]} is null then c.id end nulls last` : '1 = 1'
const contains = (text: string) => `(c.name ilike '%${text}%' or c.email ilike '%${text}%'
  or m.company_name ilike '%${text}%' or s.product_name ilike '%${text}%' or s.id like '${text}%'
  or s.customer_id like '${text}%')`
/**
 * Texts in few rows, many, nearly all and none; of customers, companies, products and ids; wildcards have no special
 * meaning.
 */
const searches = ['mail77@', '10%', 'group 1', 'plan 7', 'Plan', 'sub_12', 'cus_3', 'e', 'nowhere', 'group 2']

const counted = (ids: string[]) => ({
  totalCount: Math.min(1_000, ids.length),
  isCapped: ids.length > 1_000,
})
/** What a page of a search shows; it ends where counting ends. */
const shown = (ids: string[], page: number, limit: number) =>
  ids.slice(0, 1_000).slice(page * limit - limit, page * limit)

describe('subscriptions', () => {
  it.each(Object.keys(keys) as SubscriptionSort[])('sorted by %s are the same page by page', async (sort) => {
    for (const order of ['asc', 'desc'] as const) {
      const ids = await plain(`select s.id from ${joined} where s.quantity is not null
        order by ${keys[sort]} ${order} nulls last, ${withoutValue(sort)}, s.id`)
      for (const page of [1, 2, 7, 52, 95, 99, 100]) {
        const listed = await within((tenant) =>
          listSubscriptions(tenant, { page, limit: 25, search: '', status: undefined, sort, order }),
        )
        expect(listed).toMatchObject({ totalCount: listedSubscriptions, isCapped: false })
        expect(listed.subscriptions.map(({ id }) => id)).toEqual(ids.slice(page * 25 - 25, page * 25))
      }
    }
  })

  it.each(searches)('in which "%s" is found are the same page by page', async (search) => {
    const text = search.replaceAll('%', '\\%').replaceAll('_', '\\_')
    for (const status of ['active', undefined])
      for (const sort of ['updatedAt', 'companyName', 'quantity'] as const) {
        const ofStatus = status === undefined ? '' : `and s.status = '${status}'`
        const ids =
          await plain(`select s.id from ${joined} where s.quantity is not null and ${contains(text)} ${ofStatus}
          order by ${keys[sort]} desc nulls last, ${withoutValue(sort)}, s.id`)
        for (const page of [1, 3, 100, 101]) {
          const listed = await within((tenant) =>
            listSubscriptions(tenant, {
              ...{ page, limit: 10, search, sort, order: 'desc' },
              status: status === undefined ? undefined : [status],
            }),
          )
          expect(listed).toMatchObject(counted(ids))
          expect(listed.subscriptions.map(({ id }) => id)).toEqual(shown(ids, page, 10))
        }
      }
  })
})

it('subscriptions of some days are the same page by page', async () => {
  const day = (
    await plain(`select (created_at at time zone 'UTC')::date::text as id from subscriptions s limit 1`)
  )[0]
  const ids = await plain(`select s.id from ${joined} where s.quantity is not null
    and (s.created_at at time zone 'UTC')::date = '${day}'
    order by s.updated_at desc, s.id`)
  const listed = await within((tenant) =>
    listSubscriptions(tenant, {
      ...{ page: 1, limit: 25, search: '', from: day, to: day, sort: 'updatedAt', order: 'desc' },
    }),
  )
  expect(listed).toMatchObject(counted(ids))
  expect(listed.subscriptions.map(({ id }) => id)).toEqual(shown(ids, 1, 25))
})

const eventsJoined = joined.replace('subscriptions s', 'events s')
const newest = 'order by s.occurred_at desc, s.position desc, s.id'
const listPage = (search: string, page: number, mrrStatus?: string) =>
  within((tenant) =>
    listEvents(tenant, {
      ...{ ...newestFirst, page, limit: 50, search },
      mrrStatus: mrrStatus === undefined ? undefined : [mrrStatus],
    }),
  )

describe('events', () => {
  it.each(searches)(
    'in which "%s" is found are the same page by page, counted up to 1,000',
    async (search) => {
      const text = search.replaceAll('%', '\\%').replaceAll('_', '\\_')
      const where = `${contains(text)} or s.subscription_id like '${text}%'`
      const ids = await plain(`select s.id from ${eventsJoined} where ${where} ${newest}`)
      for (const page of [1, 4, 20, 21]) {
        const listed = await listPage(search, page)
        expect(listed).toMatchObject(counted(ids))
        expect(listed.events.map(({ id }) => id)).toEqual(shown(ids, page, 50))
      }
      const churned = await plain(
        `select s.id from ${eventsJoined} where s.mrr_status = 'Churn' and (${where}) ${newest}`,
      )
      const ofStatus = await listPage(search, 2, 'Churn')
      expect(ofStatus).toMatchObject(counted(churned))
      expect(ofStatus.events.map(({ id }) => id)).toEqual(shown(churned, 2, 50))
    },
  )
})

it('events by their change of MRR are those of the first changes', async () => {
  const { events } = await within((tenant) =>
    listEvents(tenant, { sort: 'mrrChange', order: 'asc', page: 1, limit: 10, search: '' }),
  )
  expect(events.map(({ reportingChangeCents }) => reportingChangeCents)).toEqual(Array(10).fill(1))
})

it('events of the customers of some months are the same page by page', async () => {
  await query(
    large.db.ownerUrl,
    `update customers set first_paid_month = '2025-0' || 1 + length(id) % 3; analyze customers`,
  )
  const month = '2025-02'
  const ids = await plain(`select e.id from events e join customers c on c.id = e.customer_id
    where c.first_paid_month = '${month}' order by e.occurred_at desc, e.position desc, e.id`)
  const listed = await within((tenant) =>
    listEvents(tenant, {
      ...newestFirst,
      page: 2,
      limit: 50,
      search: '',
      firstPaidFrom: month,
      firstPaidTo: month,
    }),
  )
  expect(listed).toMatchObject(counted(ids))
  expect(listed.events.map(({ id }) => id)).toEqual(shown(ids, 2, 50))
})

const customerKeys: Record<CustomerSort, string> = {
  currentMrr: 'c.reporting_mrr_cents',
  customerName: 'lower(c.name)',
  firstPaidAt: 'c.first_paid_at',
}

describe('customers', () => {
  const sorts = Object.keys(customerKeys) as CustomerSort[]
  const isMatchedWords = { true: 'and c.is_attached', false: 'and not c.is_attached', undefined: '' }

  it.each(sorts)('sorted by %s are the same page by page, from either end', async (sort) => {
    for (const isMatched of [undefined, true, false]) {
      for (const order of ['asc', 'desc'] as const) {
        const listed = (page: number, search = '') =>
          within((tenant) => listCustomers(tenant, { page, limit: 20, search, isMatched, sort, order }))
        const idsWhere = (holds: string) =>
          plain(`select c.id from customers c where c.is_subscriber and ${holds} ${isMatchedWords[`${isMatched}`]}
            order by ${customerKeys[sort]} ${order} nulls last,
                     case when ${customerKeys[sort]} is null or ${sort === 'currentMrr'} <> ${order === 'asc'} then c.id end,
                     c.id desc`)
        const ids = await idsWhere('true')
        for (const page of [1, 2, Math.ceil(ids.length / 40), Math.ceil(ids.length / 20)]) {
          const { customers, ...total } = await listed(page)
          expect(total).toEqual({ totalCount: ids.length, isCapped: false })
          expect(customers.map(({ customerId }) => customerId)).toEqual(ids.slice(page * 20 - 20, page * 20))
        }
        for (const [search, holds] of [
          ['group 1', `c.company_name ilike '%group 1%'`],
          ['cus_3', `c.id like 'cus\\_3%'`],
          ['e', `(c.search_text like '%e%' or c.id like 'e%')`],
        ] as const) {
          const found = await idsWhere(holds)
          const { customers, ...total } = await listed(2, search)
          expect(total).toEqual(counted(found))
          expect(customers.map(({ customerId }) => customerId)).toEqual(shown(found, 2, 20))
        }
      }
    }
  })
})

describe('customers in the review', () => {
  it.each(['', ...searches])('in which "%s" is found are sorted by what they come to', async (search) => {
    const text = search.replaceAll('%', '\\%').replaceAll('_', '\\_')
    const ids = await plain(`
      select c.id from customers c join matches m on m.organization_id = c.organization_id and m.customer_id = c.id
       where m.portal_id = '1' and m.state = 'linked' and (c.name ilike '%${text}%' or c.email ilike '%${text}%'
             or m.company_name ilike '%${text}%' or c.id like '${text}%')
       order by c.reporting_mrr_cents desc, c.id`)
    const listed = await within((tenant) =>
      listMatches(tenant, { page: 2, limit: 10, search, state: 'linked' }),
    )
    expect(listed).toMatchObject(search === '' ? { totalCount: ids.length, isCapped: false } : counted(ids))
    expect(listed.matches.map(({ customerId }) => customerId)).toEqual(ids.slice(10, 20))
  })

  it('have the companies of the portal that is connected', async () => {
    const companies = () =>
      query<{ names: string[] }>(
        large.db.ownerUrl,
        'select array_agg(distinct left(company_name, 7)) as names from customers where company_name is not null',
      )
    expect(await companies()).toEqual([{ names: ['Group 1'] }])
    await query(large.db.ownerUrl, `update connections set account_id = '2' where provider = 'crm'`)
    expect(await companies()).toEqual([{ names: ['Group 2'] }])
    await query(
      large.db.ownerUrl,
      `update matches set state = 'ignored' where portal_id = '2' and customer_id <> 'cus_1'`,
    )
    expect(await companies()).toEqual([{ names: ['Group 2'] }])
    await query(large.db.ownerUrl, `delete from connections where provider = 'crm'`)
    expect(await companies()).toEqual([{ names: null }])
  })
})

it('current MRR and what of it has a company are sums over all subscriptions', async () => {
  const summed = await query(
    large.db.ownerUrl,
    `select s.currency, sum(s.current_mrr_cents)::integer as "mrrCents",
            coalesce(sum(s.current_mrr_cents) filter (where c.is_attached), 0)::integer as "attachedCents",
            (count(*) filter (where s.status = 'active'))::integer as "activeSubscriptions"
       from subscriptions s left join customers c on c.id = s.customer_id
      where s.current_mrr_cents > 0 group by s.currency order by s.currency`,
  )
  const [current, coverage] = [await within(listCurrentMrr), await within(readCoverage)]
  const { mrrCents, attachedCents, others } = coverage
  const { total, others: apart } = splitByCurrency(current, 'usd')
  const yen = { ...apart[0], ...others[0] }
  expect([yen, { ...total, mrrCents, attachedCents }]).toEqual(summed)
  expect([apart.length, others.length]).toEqual([1, 1])
})

/** Indexes of the listed tables that other work reads: the import, pushes, matching, and erasure of one customer. */
const readElsewhere = [
  'customers_account_idx',
  'customers_erased_idx',
  'customers_rebuild_due_idx',
  'matches_company_idx',
  'matches_lone_idx',
  'subscriptions_account_idx',
  'subscriptions_without_figures_idx',
]
/** Read where there are many more rows than here. */
const readAtSize = [
  'customers_cohort_idx',
  'events_paying_idx',
  'matches_pending_idx',
  'subscriptions_canceling_idx',
]

it('reads every index of its tables', async () => {
  const unread = async () => {
    // A connection keeps its newest counts to itself for a second.
    await within((tenant) => sql`select pg_stat_force_next_flush()`.execute(tenant.sql))
    const names = await plain(`select indexrelname as id from pg_stat_user_indexes
      where idx_scan = 0 and relname in ('subscriptions', 'events', 'customers', 'matches') order by 1`)
    return names.filter((name) => ![...readElsewhere, ...readAtSize].includes(name))
  }
  await expect.poll(unread).toEqual([])
})
