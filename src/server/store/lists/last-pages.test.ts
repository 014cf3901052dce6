import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import {
  type LargeOrganization,
  listedSubscriptions,
  newLargeOrganization,
} from '#test/store/large-organization.ts'
import type { Tenant } from '../postgres/database.ts'
import { listSubscriptions } from './subscription-list.ts'

let large: LargeOrganization
beforeAll(async () => {
  large = await newLargeOrganization()
  // A walk along all customers would soon find enough of many without a value, so that few are left.
  await query(
    large.db.ownerUrl,
    `update customers set name = coalesce(name, 'Some Ltd'), email = coalesce(email, 'some@mail.example')
      where id not like 'cus_77%'`,
  )
  await query(large.db.ownerUrl, 'vacuum analyze customers')
})
afterAll(() => large.db.close())

/** The entries of indexes of both tables that this session has read so far. */
async function countRead(tenant: Tenant): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(pg_stat_get_xact_tuples_returned(indexrelid))::integer as read from pg_index
     where indrelid in ('subscriptions'::regclass, 'customers'::regclass)`.execute(tenant.sql)
  return rows[0]?.read ?? 0
}

it.each(['companyName', 'customerName', 'customerEmail'] as const)(
  'the last pages of subscriptions are found without reading all, sorted by %s',
  async (sort) => {
    for (const order of ['asc', 'desc'] as const)
      for (const page of [97, 100]) {
        const read = await large.within(async (tenant) => {
          const before = await countRead(tenant)
          await listSubscriptions(tenant, { page, limit: 25, search: '', status: undefined, sort, order })
          return (await countRead(tenant)) - before
        })
        expect(read).toBeGreaterThan(0)
        expect(read).toBeLessThan(listedSubscriptions)
      }
  },
)
