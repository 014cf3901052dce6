import { afterAll, beforeAll, expect, it } from 'vitest'
import { fc } from '#test/fast-check.ts'
import { exported } from '#test/store/exported.ts'
import { type LargeOrganization, newLargeOrganization } from '#test/store/large-organization.ts'
import { isOnDays, meets, sumsOf } from '#test/store/plain-filters.ts'
import { type PlainRow, readPlainRows, spreadFilters } from '#test/store/plain-rows.ts'
import { recountMovements } from '../totals/movement-totals.ts'
import { listEvents, wholeEvents } from './event-list.ts'
import { newestFirst } from './event-search.ts'
import type { EventFilter } from './list-filters.ts'
import { sumEvents, sumSubscriptions } from './list-sums.ts'
import { listSubscriptions, wholeSubscriptions } from './subscription-list.ts'

let large: LargeOrganization
let subscriptions: Map<string, PlainRow>
let events: Map<string, PlainRow>
/** The ids of all subscriptions in each order. */
const orders = new Map<string, string[]>()
let newest: string[]
let customers: Set<string>
beforeAll(async () => {
  large = await newLargeOrganization()
  await spreadFilters(large)
  ;({ subscriptions, events } = await readPlainRows(large))
  for (const [sort, key] of Object.entries(keys))
    for (const order of ['asc', 'desc'] as const)
      orders.set(
        `${sort} ${order}`,
        await large.plain(`select s.id from subscriptions s left join customers c on c.id = s.customer_id
          where s.quantity is not null order by ${key} ${order} nulls last, ${withoutName(sort)}, s.id`),
      )
  customers = new Set(await large.plain('select id from customers'))
  newest = await large.plain('select id from events order by occurred_at desc, position desc, id')
})
afterAll(() => large.db.close())

const keys = {
  updatedAt: 's.updated_at',
  currentMrr: 's.reporting_mrr_cents',
  status: 's.status',
  customerName: 'lower(c.name)',
  nextRenewalDate: 's.next_renewal_on',
} as const

/** Subscriptions without a name stand by their customers, those without a customer last. */
const withoutName = (sort: string) =>
  sort === 'customerName' ? 'case when c.name is null then c.id end nulls last' : '1 = 1'

const someOf = <Value>(...values: Value[]) => fc.option(fc.subarray(values), { nil: undefined, freq: 2 })
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined, freq: 1 })
const rarely = fc.oneof(fc.constant(undefined), fc.constant(undefined), fc.boolean())

const shared = {
  product: someOf<string | null>('Plan 1', 'Plan 7', 'Plan 11', 'nothing', null),
  currency: someOf('usd', 'eur', 'jpy'),
  interval: someOf<number | null>(30, 60, 90, null),
  isMatched: maybe(fc.boolean()),
  isInHubspot: rarely,
  isFailing: rarely,
  isBehind: rarely,
  firstPaidFrom: maybe(fc.constantFrom('2025-01', '2025-03')),
  firstPaidTo: maybe(fc.constantFrom('2025-02', '2025-03')),
  customerId: fc.option(fc.constantFrom('cus_7', 'cus_9', ''), { nil: undefined, freq: 9 }),
}
const dayIn = (...days: string[]) => maybe(fc.constantFrom(...days))
const rarelyOneOf = (...values: number[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 })
const pages = { page: fc.constantFrom(1, 2, 11, 40), limit: fc.constantFrom(10, 25) }

/** A list with filters is counted up to 1,000, one by status alone to its end. */
function expected(ids: string[], isByStatus: boolean, { page, limit }: { page: number; limit: number }) {
  const shown = isByStatus ? ids : ids.slice(0, 1_000)
  return {
    totalCount: shown.length,
    isCapped: shown.length < ids.length,
    ids: shown.slice(page * limit - limit, page * limit),
  }
}
const isEmpty = (filter: object) =>
  Object.values(filter).every((value) => value === undefined || (Array.isArray(value) && value.length === 0))

it('the filtered subscriptions are those of a plain reading of all, in any order, page by page', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        ...shared,
        from: dayIn('2025-12-31', '2026-01-03'),
        to: dayIn('2026-01-04', '2026-01-10'),
        mrrFrom: rarelyOneOf(0, 1, 200),
        mrrTo: rarelyOneOf(200, 10_000),
        isCanceling: rarely,
        stale: fc.oneof(
          fc.constant(undefined),
          fc.record({ is: fc.boolean(), before: fc.constant(new Date('2026-01-02T00:00:00Z')) }),
        ),
        renews: maybe(fc.constantFrom({ from: '2026-03-02', to: '2026-03-09' })),
      }),
      someOf('active', 'canceled', 'paused'),
      fc.record({
        ...pages,
        sort: fc.constantFrom(...(Object.keys(keys) as (keyof typeof keys)[])),
        order: fc.constantFrom('asc', 'desc'),
      }),
      async (filter, status, page) => {
        const ids = (orders.get(`${page.sort} ${page.order}`) ?? []).filter((id) => {
          const row = subscriptions.get(id)
          return row && meets(row, filter) && (!status?.length || status.includes(row.status))
        })
        const { subscriptions: rows, ...counted } = await large.within((tenant) =>
          listSubscriptions(tenant, { ...page, ...filter, status, search: '' }),
        )
        expect({ ...counted, ids: rows.map(({ id }) => id) }).toEqual(expected(ids, isEmpty(filter), page))
        const whole = { ...page, ...filter, status, search: '' }
        expect(await exported(large, (tenant) => wholeSubscriptions(tenant, whole))).toEqual(ids)
        const sums = await large.within((tenant) => sumSubscriptions(tenant, whole))
        expect(sums).toMatchObject(
          sumsOf(
            ids.flatMap((id) => subscriptions.get(id) ?? []),
            ({ currency }) => currency,
          ).map(({ key, ...sum }) => ({ currency: key, ...sum })),
        )
      },
    ),
    { numRuns: 30 },
  )
})

/** The ids of the events that meet a filter, newest first, by a plain reading. */
const eventIds = ({ mrrStatus, customersPay, ...filter }: EventFilter) => {
  const meant = customersPay && customersWho(customersPay, filter)
  return newest.filter((id) => {
    const row = events.get(id)
    return (
      row &&
      meets(row, filter) &&
      (meant?.has(row.customerId) ?? true) &&
      (!mrrStatus?.length || mrrStatus.includes(row.status))
    )
  })
}

/** The customers whose events of some days add to their MRR, or take from it. */
function customersWho(pay: 'more' | 'less', days: Pick<EventFilter, 'from' | 'to'>): Set<string> {
  const moved = [...events.values()].filter((row) => customers.has(row.customerId) && isOnDays(row, days))
  const sums = [...Map.groupBy(moved, ({ customerId }) => customerId)].map(
    ([id, rows]) => [id, rows.reduce((sum, { reporting }) => sum + (reporting ?? 0), 0)] as const,
  )
  return new Set(sums.filter(([, sum]) => (pay === 'more' ? sum > 0 : sum < 0)).map(([id]) => id))
}

async function expectSums(filter: EventFilter, ids: string[]): Promise<void> {
  const sums = await large.within((tenant) => sumEvents(tenant, { ...filter, search: '' }))
  expect(
    sums.map(({ currency, mrrStatus, ...sum }) => ({ key: `${currency} ${mrrStatus}`, ...sum })),
    JSON.stringify(filter),
  ).toEqual(
    sumsOf(
      ids.flatMap((id) => events.get(id) ?? []),
      ({ currency, status }) => `${currency} ${status}`,
    ),
  )
}

it('the filtered events are those of a plain reading of all, newest first, page by page', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        ...shared,
        from: dayIn('2025-01-02', '2025-01-09'),
        to: dayIn('2025-01-09', '2025-01-15'),
        changeFrom: rarelyOneOf(-1, 2),
        changeTo: rarelyOneOf(-2, 1),
        customersPay: maybe(fc.constantFrom('more' as const, 'less' as const)),
      }),
      someOf('New', 'Churn', 'Downgrade'),
      fc.record(pages),
      async (filter, mrrStatus, page) => {
        const whole = { ...newestFirst, ...filter, mrrStatus, search: '' }
        const ids = eventIds({ ...filter, mrrStatus })
        const { events: rows, ...counted } = await large.within((tenant) =>
          listEvents(tenant, { ...page, ...whole }),
        )
        expect({ ...counted, ids: rows.map(({ id }) => id) }).toEqual(expected(ids, isEmpty(filter), page))
        expect(await exported(large, (tenant) => wholeEvents(tenant, whole))).toEqual(ids)
        await expectSums({ ...filter, mrrStatus }, ids)
      },
    ),
    { numRuns: 30 },
  )
})

it('the sums of days, months and attributes are the same before and after the movements are counted', async () => {
  const statuses = [undefined, ['Churn', 'New'], ['Planned_Cancellation', 'Downgrade']]
  const parts: EventFilter[] = [
    {},
    { from: '2025-01-03', to: '2025-01-09' },
    { to: '2025-01-04' },
    { product: ['Plan 1', 'Plan 7'] },
    { product: ['Plan 1', null] },
    { interval: [30, 90] },
    { interval: [30], from: '2025-01-03' },
    { currency: ['eur', 'jpy'] },
    { currency: ['usd'], from: '2025-01-03', to: '2025-01-09' },
    { currency: ['usd'], product: ['Plan 1', 'Plan 7'] },
    { currency: ['usd'], isMatched: false },
    { changeFrom: 1 },
    { changeFrom: -1 },
    { changeTo: 1, currency: ['usd'] },
    { changeFrom: -1, changeTo: 1, from: '2025-01-03' },
    { changeTo: -1, isMatched: true },
    { changeFrom: -1, changeTo: 0, isInHubspot: true },
    { currency: ['usd'], isInHubspot: true },
    { product: ['Plan 1'], isMatched: true },
    { interval: [30, null], product: ['Plan 1', 'Plan 7', 'Plan 11'], currency: ['usd'] },
    { interval: [30, 60], isMatched: true },
    { interval: [30, 60], isMatched: false },
    { interval: [30], from: '2025-01-03', to: '2025-03-04' },
    { interval: [30], from: '2025-01-20', to: '2025-02-10' },
    { interval: [60], product: ['Plan 1', null], to: '2025-02-28' },
    { interval: [60], from: '2025-02-01', isMatched: true },
    { interval: [90], firstPaidTo: '2025-02' },
    { firstPaidFrom: '2025-02' },
    { firstPaidTo: '2025-01', currency: ['usd', 'gbp'], from: '2025-01-03', to: '2025-03-04' },
    { firstPaidFrom: '2025-01', firstPaidTo: '2025-02', isMatched: false },
    { size: ['xs', null] },
    { plan: [null], size: ['xs'], interval: [30] },
    { customersPay: 'less', from: '2025-01-03', to: '2025-03-04' },
    { customersPay: 'more', firstPaidTo: '2025-02', from: '2025-02-01' },
    { customersPay: 'less', isMatched: false, isInHubspot: true },
    { isFailing: false },
    { isInHubspot: false },
    { isInHubspot: true },
    { isFailing: false, isInHubspot: true, from: '2025-01-03' },
  ]
  const expectAll = async () => {
    for (const part of parts)
      for (const mrrStatus of statuses)
        await expectSums({ ...part, mrrStatus }, eventIds({ ...part, mrrStatus }))
  }
  await expectAll()
  await large.within(recountMovements)
  // The count also tells plans and sizes.
  ;({ events } = await readPlainRows(large))
  await expectAll()
})

it('a search is exported and summed whole, beyond the rows that its list counts', async () => {
  const ids = await large.plain(`select s.id from subscriptions s where s.quantity is not null
    and s.product_name ilike '%plan%' order by s.updated_at desc, s.id`)
  expect(ids.length).toBeGreaterThan(1_000)
  const whole = { search: 'plan', sort: 'updatedAt', order: 'desc' } as const
  const found = await exported(large, (tenant) => wholeSubscriptions(tenant, whole))
  expect(found).toEqual(ids)
  const [sum] = await large.within((tenant) =>
    sumSubscriptions(tenant, { search: 'plan 1', currency: ['usd'] }),
  )
  const rows = [...subscriptions.values()].filter(
    ({ product, currency }) => product?.includes('Plan 1') && currency === 'usd',
  )
  expect({ ...sum, key: 'usd' }).toMatchObject({ ...sumsOf(rows, () => 'usd')[0] })
})
