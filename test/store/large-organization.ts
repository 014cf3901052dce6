import { inOrganization, type Tenant } from '#server/store/postgres/database.ts'
import { recountTotals } from '#server/store/totals/list-totals.ts'
import { newDatabase, run as query, type TestDatabase } from '../database.ts'
import { reportingStatements } from './reporting.ts'

/** More customers than a search collects. */
export const customers = 1_300
export const subscriptions = 2_600
/** One in 26 has no figures yet, and appears in no list. */
export const listedSubscriptions = 2_500
export const eventCount = 12_000

export type LargeOrganization = {
  db: TestDatabase
  within<T>(work: (tenant: Tenant) => Promise<T>): Promise<T>
  /** The ids from a plain statement, which bypasses row-level security and the tables that serve the lists. */
  plain(text: string): Promise<string[]>
}

/** A database with one organization, with id 1, and the rows that these statements add. */
export async function newOrganizationOne(statements = ''): Promise<TestDatabase> {
  const db = await newDatabase()
  await query(
    db.ownerUrl,
    `insert into "organization" (name, slug, "createdAt") values ('One', 'one', now()); ${statements}`,
  )
  return db
}

/** An organization in a database of its own. */
export async function newLargeOrganization(): Promise<LargeOrganization> {
  const db = await newDatabase()
  const [row] = await query<{ id: number }>(
    db.ownerUrl,
    `insert into "organization" (name, slug, "createdAt") values ('Large', 'large', now()) returning id`,
  )
  const organizationId = Number(row?.id)
  await query(db.ownerUrl, fill(organizationId))
  await inOrganization(db.database, organizationId, recountTotals)
  return {
    db,
    within: (work) => inOrganization(db.database, organizationId, work),
    async plain(text) {
      const rows = await query<{ id: string }>(db.ownerUrl, text)
      return rows.map(({ id }) => id)
    },
  }
}

/** Missing and equal names, addresses and terms; yen without a rate; subscriptions without a customer; two portals. */
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
           (array['active', 'canceled', 'trialing'])[1 + n % 3], '{}', now() - n % 30 * interval '1 day',
           case when n % 26 > 0 then n % 40 else 0 end, case when n % 9 > 0 then 'usd' else 'jpy' end, nullif(n % 26, 0),
           case when n % 11 > 0 then 'Plan ' || n % 12 end, nullif(n % 4 * 30, 0),
           case when n % 6 > 0 then timestamptz '2026-01-01' + n % 20 * interval '1 day' end,
           case when n % 8 > 0 then date '2026-03-01' + n % 25 end,
           timestamptz '2026-02-01' + n % 300 * interval '1 hour'
      from generate_series(1, ${subscriptions}) as n;
    update customers c set mrr_by_currency = sums.mrr
      from (select customer_id, jsonb_object_agg(currency, cents) as mrr
              from (select customer_id, currency, sum(current_mrr_cents) as cents from subscriptions
                     where current_mrr_cents > 0 group by customer_id, currency) as each
             group by customer_id) as sums
     where c.id = sums.customer_id;
    update customers set is_subscriber = true, first_paid_at = case when length(id) % 2 > 0 or id like '%7'
                                                                    then timestamptz '2025-01-01' + length(id) * interval '1 day' end
     where id in (select customer_id from subscriptions);
    insert into events (organization_id, id, subscription_id, customer_id, occurred_at, position, mrr_status,
                        change_type, previous_mrr_cents, current_mrr_cents, mrr_change_cents, previous_quantity,
                        current_quantity, currency, product_name)
    select ${id}, 'ev_' || n, 'sub_' || n % ${subscriptions}, 'cus_' || nullif(n % ${customers}, 0),
           timestamptz '2025-01-01' + n * 37 % 500 * interval '1 hour', n % 3,
           (array['New', 'Upgrade', 'Churn'])[1 + n % 3], 'new_subscription', 0, 1, 1, 0, 1, 'usd',
           case when n % 11 > 0 then 'Plan ' || n % 12 end
      from generate_series(1, ${eventCount}) as n;
    ${reportingStatements(id)}
    analyze customers, subscriptions, events, matches`
}
