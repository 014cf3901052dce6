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
      cross join (values ('cus_both'), ('cus_none'), ('cus_nothing'), ('cus_other'), ('cus_unread')) as c (id);
     insert into subscriptions (organization_id, id, customer_id, status, body, created_at, currency, updated_at,
                                read_at, current_mrr_cents, reporting_mrr_cents, quantity)
     select o.id, s.id, s.customer, 'active', '{}', now(), s.currency, now(), now(), s.cents, s.reporting, s.quantity from "organization" o
      cross join (values ('sub_1', 'cus_both', 'usd', 100, 100, 1), ('sub_2', 'cus_both', 'gbp', 50, 65, 1),
                         ('sub_3', 'cus_both', 'eur', 30, null, 1), ('sub_4', 'cus_nothing', 'usd', 0, 0, 1),
                         ('sub_5', 'cus_other', 'usd', 900, 900, 1), ('sub_6', 'cus_unread', 'usd', 0, 0, null))
                         as s (id, customer, currency, cents, reporting, quantity);
     insert into events (organization_id, id, subscription_id, customer_id, occurred_at, position, mrr_status, change_type,
                         previous_mrr_cents, current_mrr_cents, mrr_change_cents, previous_quantity, current_quantity,
                         currency)
     select o.id, e.id, 'sub_1', 'cus_both', e.at::timestamptz, 0, 'New', 'new_subscription', 0, 1, 1, 0, 1, 'usd'
       from "organization" o
      cross join (values ('ev_1', '2026-03-01T00:00:00Z'), ('ev_2', '2026-02-01T00:00:00Z')) as e (id, at);`,
  )
})
afterAll(() => db.close())

const settle = (ids: string[]) => inOrganization(db.database, 1, (tenant) => settleCustomers(tenant, ids))
const kept = () =>
  query(
    db.ownerUrl,
    `select id, is_rebuild_due as "isDue", reporting_mrr_cents::integer as reporting, mrr_by_currency as mrr,
            unconverted_by_currency as apart, is_subscriber as "isListed",
            to_char(first_paid_at at time zone 'utc', 'YYYY-MM-DD') as "firstPaid"
       from customers order by id`,
  )

it('a rebuild leaves the customers that it names with what their subscriptions come to, and no other', async () => {
  const untouched = {
    isDue: true,
    reporting: 7,
    mrr: { usd: 7 },
    apart: {},
    isListed: false,
    firstPaid: null,
  }
  await settle([])
  expect(await kept()).toContainEqual({ id: 'cus_both', ...untouched })
  // One of them twice, and one that does not exist.
  await settle(['cus_none', 'cus_both', 'cus_nothing', 'cus_both', 'cus_unknown', 'cus_unread'])
  const settled = { isDue: false, reporting: 0, mrr: {}, apart: {}, isListed: false, firstPaid: null }
  expect(await kept()).toEqual([
    {
      ...settled,
      ...{ id: 'cus_both', reporting: 165, mrr: { usd: 100, gbp: 50, eur: 30 }, apart: { eur: 30 } },
      ...{ isListed: true, firstPaid: '2026-02-01' },
    },
    { ...settled, id: 'cus_none' },
    { ...settled, id: 'cus_nothing', isListed: true },
    { id: 'cus_other', ...untouched },
    { ...settled, id: 'cus_unread' },
  ])
})
