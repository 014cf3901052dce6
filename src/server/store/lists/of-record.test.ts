import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { eventCount, type LargeOrganization, newLargeOrganization } from '#test/store/large-organization.ts'
import { spreadFilters } from '#test/store/plain-rows.ts'
import { countSynced } from '../crm/crm-links.ts'
import { countRefused } from '../crm/refusals.ts'
import type { Tenant } from '../postgres/database.ts'
import { listEvents } from './event-list.ts'
import { newestFirst } from './event-search.ts'
import type { EventFilter } from './list-filters.ts'
import { sumEvents, sumSubscriptions } from './list-sums.ts'
import { listSubscriptions } from './subscription-list.ts'

let large: LargeOrganization
beforeAll(async () => {
  large = await newLargeOrganization()
  await spreadFilters(large)
})
afterAll(() => large.db.close())

const listed = (filter: EventFilter, page: number) =>
  large.within((tenant) => listEvents(tenant, { ...newestFirst, ...filter, page, limit: 25, search: '' }))
const newest = 'order by x.occurred_at desc, x.position desc, x.id'
const run = (text: string) => query(large.db.ownerUrl, text)

/** The portal that was pushed to last: what has no record is kept for it alone, and compared for another one. */
const portals = [
  ['compared', '2'],
  ['kept', '1'],
] as const

it.each(portals)('what has a record is told by what is %s', async (_, pushedTo) => {
  await run(`update push_marks set portal_id = '${pushedTo}'; select settle_all_unsent(id) from organization`)
  const filters = [
    [{ isInHubspot: true }, `coalesce(l.record_id is not null and l.state <> 'removed', false)`],
    [{ isInHubspot: false }, `coalesce(l.record_id is null or l.state = 'removed', true)`],
    [
      { isInHubspot: true, isFailing: false },
      `l.record_id is not null and l.state not in ('failed', 'removed')`,
    ],
  ] as const
  const plain = (table: string, kind: string, holds: string, order: string) =>
    large.plain(`select x.id from ${table} x left join crm_links l
      on l.portal_id = '1' and l.kind = '${kind}' and l.source_id = x.id where ${holds} ${order}`)
  for (const [filter, holds] of filters) {
    const events = await plain('events', 'event', holds, newest)
    expect(events.length).toBeGreaterThan(1_000)
    expect((await listed(filter, 3)).events.map(({ id }) => id)).toEqual(events.slice(50, 75))
    const sums = await large.within((tenant) => sumEvents(tenant, { ...filter, search: '' }))
    expect(sums.reduce((sum, { count }) => sum + count, 0)).toBe(events.length)

    const isListed = `x.quantity is not null and ${holds}`
    const subscriptions = await plain(
      'subscriptions',
      'subscription',
      isListed,
      'order by x.updated_at desc, x.id',
    )
    const page = await large.within((tenant) =>
      listSubscriptions(tenant, {
        ...filter,
        page: 3,
        limit: 25,
        search: '',
        sort: 'updatedAt',
        order: 'desc',
      }),
    )
    expect(page.subscriptions.map(({ id }) => id)).toEqual(subscriptions.slice(50, 75))
    const summed = await large.within((tenant) => sumSubscriptions(tenant, { ...filter, search: '' }))
    expect(summed.reduce((sum, { count }) => sum + count, 0)).toBe(subscriptions.length)
  }
})

it.each(portals)('rare events are found without a look-up for each event: %s', async (_, pushedTo) => {
  await run(
    `update push_marks set portal_id = '${pushedTo}';
     delete from crm_links;
     insert into crm_links (organization_id, portal_id, kind, source_id, record_id, state, confirmed_at)
     select organization_id, '1', 'event', id, id, case substr(id, 4)::integer when 77 then 'failed' else 'confirmed' end,
            case substr(id, 4)::integer when 500 then timestamptz '2000-01-01' else now() end
       from events where substr(id, 4)::integer not in (8, 900, 7000);
     select settle_all_unsent(id) from organization;
     analyze crm_links, crm_unsent`,
  )
  const lookUps = async ({ sql: transaction }: Tenant) => {
    const { rows } = await sql<{ count: number }>`
      select sum(idx_scan)::bigint as count from pg_stat_xact_user_tables
       where relname in ('crm_links', 'crm_unsent')`.execute(transaction)
    return rows[0]?.count ?? 0
  }
  const found = (filter: EventFilter) =>
    large.within(async (tenant) => {
      const before = await lookUps(tenant)
      const { events: rows } = await listEvents(tenant, {
        ...newestFirst,
        ...filter,
        page: 1,
        limit: 10,
        search: '',
      })
      return { numbers: rows.map(({ id }) => id.slice(3)).sort(), lookUps: (await lookUps(tenant)) - before }
    })
  const rare = await found({ isInHubspot: false })
  expect(rare.numbers).toEqual(['7000', '8', '900'])
  const failing = await found({ isFailing: true })
  expect(failing.numbers).toEqual(['77'])
  const others = await found({ isFailing: false })
  expect(others.numbers).toHaveLength(10)
  const changed = await found({ isBehind: true })
  expect(changed.numbers).toEqual(['500', '77'])
  expect(Math.max(rare.lookUps, failing.lookUps, others.lookUps, changed.lookUps)).toBeLessThan(100)
})

it('what is synced is counted without reading it, where it is kept what is not', async () => {
  await run(`update push_marks set portal_id = '1'; select settle_all_unsent(id) from organization`)
  const synced = await large.within(async (tenant) => {
    const rowsRead = async () => {
      const { rows } = await sql<{ count: number }>`
        select sum(seq_tup_read + idx_tup_fetch)::bigint as count from pg_stat_xact_user_tables
         where relname in ('events', 'crm_links')`.execute(tenant.sql)
      return rows[0]?.count ?? 0
    }
    const before = await rowsRead()
    const { events } = await countSynced(tenant, '1')
    const refused = await countRefused(tenant, '1')
    return { events, refused, read: (await rowsRead()) - before }
  })
  expect(synced).toMatchObject({ events: eventCount - 5, refused: 1 })
  expect(synced.read).toBeLessThan(10)
})

it('many events that all stand at the far end of the list are its first pages', async () => {
  await run(`delete from crm_links where source_id in (
    select id from (select id, row_number() over (${newest}) as place from events x) as placed where place > 10500)`)
  const ids = await large.plain(
    `select x.id from events x where not exists (select from crm_links l where l.source_id = x.id) ${newest}`,
  )
  const { events, ...counted } = await listed({ isInHubspot: false }, 2)
  expect(counted).toEqual({ totalCount: 1_000, isCapped: true })
  expect(events.map(({ id }) => id)).toEqual(ids.slice(25, 50))
})

it.each([
  ['half of the records', 5_300],
  ['nearly all records', 100],
])('where %s are outdated, both they and the others are listed in their order', async (_, place) => {
  await run(`update crm_links set outdated = 1 where outdated = 0 and source_id in (
    select id from (select id, row_number() over (${newest}) as place from events x) as placed where place > ${place})`)
  const isBehind = `coalesce(l.record_id is not null and l.state <> 'removed'
    and not (l.state = 'confirmed' and l.outdated = 0 and x.updated_at <= l.confirmed_at), false)`
  for (const wanted of [true, false]) {
    const ids = await large.plain(`select x.id from events x left join crm_links l
      on l.portal_id = '1' and l.kind = 'event' and l.source_id = x.id
      where ${isBehind} = ${wanted} ${newest}`)
    const { events } = await listed({ isBehind: wanted }, 2)
    expect(events.map(({ id }) => id)).toEqual(ids.slice(25, 50))
  }
})
