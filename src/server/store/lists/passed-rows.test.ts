import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LargeOrganization, newLargeOrganization } from '#test/store/large-organization.ts'
import { vacuumWhole } from '#test/store/vacuum.ts'
import type { Tenant } from '../postgres/database.ts'
import { readAlongIndexes } from '../postgres/planner.ts'
import { customersOfFilter } from './filtered-customers.ts'
import { type SubscriptionFilter, subscriptionsOfFilter } from './list-filters.ts'
import { readPage } from './page.ts'
import { type SubscriptionOrder, subscriptionsWhere } from './subscription-order.ts'

let large: LargeOrganization
beforeAll(async () => {
  large = await newLargeOrganization()
  await vacuumWhole(large.db.ownerUrl, ['customers', 'subscriptions'])
})
afterAll(() => large.db.close())

const walks: [string, SubscriptionOrder, SubscriptionFilter][] = [
  ['by company', { sort: 'companyName', order: 'asc' }, {}],
  ['by company, of some', { sort: 'companyName', order: 'desc' }, { isMatched: true }],
  ['by MRR', { sort: 'currentMrr', order: 'asc' }, {}],
  ['by MRR, of some', { sort: 'currentMrr', order: 'asc' }, { isMatched: false, isLong: true }],
]

it.each(walks)(
  'a page in the middle passes subscriptions without reading them: %s',
  async (_, order, filter) => {
    const { ids, read } = await large.within(async (tenant) => {
      await readAlongIndexes(tenant)
      const condition = {
        holds: subscriptionsOfFilter(tenant, filter),
        ofCustomer: customersOfFilter(filter),
      }
      const before = await rowsRead(tenant)
      const wanted = { page: 40, limit: 25 }
      const counted = { totalCount: 1_000, isCapped: true }
      const found = await readPage(tenant, wanted, counted, subscriptionsWhere(tenant, order, condition))
      return { ids: found, read: (await rowsRead(tenant)) - before }
    })
    expect(ids).toHaveLength(25)
    expect(read).toBe(0)
  },
)

/** The rows of subscriptions that this session has read so far, not counting entries of indexes. */
async function rowsRead(tenant: Tenant): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
     where relname = 'subscriptions'`.execute(tenant.sql)
  return rows[0]?.read ?? 0
}
