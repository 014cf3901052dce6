import { afterAll, beforeAll, expect, it } from 'vitest'
import { run as query, type TestDatabase } from '#test/database.ts'
import { newOrganizationOne } from '#test/store/large-organization.ts'
import { inOrganization } from '../postgres/database.ts'
import { settleCustomers } from './customers.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newOrganizationOne(
    `insert into customers (organization_id, id, created_at, is_rebuild_due, reporting_mrr_cents, mrr_by_currency)
     select o.id, c.id, now(), true, 7, '{"usd": 7}' from "organization" o
      cross join (values ('cus_both'), ('cus_none'), ('cus_nothing'), ('cus_other')) as c (id);
     insert into subscriptions (organization_id, id, customer_id, status, body, created_at, currency, updated_at,
                                read_at, current_mrr_cents, reporting_mrr_cents)
     select o.id, s.id, s.customer, 'active', '{}', now(), s.currency, now(), now(), s.cents, s.reporting from "organization" o
      cross join (values ('sub_1', 'cus_both', 'usd', 100, 100), ('sub_2', 'cus_both', 'gbp', 50, 65),
                         ('sub_3', 'cus_both', 'eur', 30, null), ('sub_4', 'cus_nothing', 'usd', 0, 0),
                         ('sub_5', 'cus_other', 'usd', 900, 900)) as s (id, customer, currency, cents, reporting);`,
  )
})
afterAll(() => db.close())

const settle = (ids: string[]) => inOrganization(db.database, 1, (tenant) => settleCustomers(tenant, ids))
const kept = () =>
  query(
    db.ownerUrl,
    `select id, is_rebuild_due as "isDue", reporting_mrr_cents::integer as reporting, mrr_by_currency as mrr,
            unconverted_by_currency as apart from customers order by id`,
  )

it('a rebuild leaves the customers that it names with what their subscriptions come to, and no other', async () => {
  const untouched = { isDue: true, reporting: 7, mrr: { usd: 7 }, apart: {} }
  await settle([])
  expect(await kept()).toContainEqual({ id: 'cus_both', ...untouched })
  // One of them twice, and one that does not exist.
  await settle(['cus_none', 'cus_both', 'cus_nothing', 'cus_both', 'cus_unknown'])
  expect(await kept()).toEqual([
    { id: 'cus_both', isDue: false, reporting: 165, mrr: { usd: 100, gbp: 50, eur: 30 }, apart: { eur: 30 } },
    { id: 'cus_none', isDue: false, reporting: 0, mrr: {}, apart: {} },
    { id: 'cus_nothing', isDue: false, reporting: 0, mrr: {}, apart: {} },
    { id: 'cus_other', ...untouched },
  ])
})
