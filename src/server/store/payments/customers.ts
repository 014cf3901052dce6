import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '#domain/instant.ts'
import type { PaymentCustomer } from '#domain/payments.ts'
import { type ColumnRow, columnRows } from '../postgres/column-rows.ts'
import type { Tenant } from '../postgres/database.ts'
import { jsonRows, onceById, storableJsonOrNull } from '../postgres/json-rows.ts'
import { prepared } from '../postgres/prepared.ts'
import { writeCounted } from '../totals/list-totals.ts'

const customerColumns = {
  id: 'text',
  name: 'text',
  email: 'text',
  domain: 'text',
  isDeleted: 'boolean',
  erasureId: 'text',
  customerAccount: 'text',
  paymentMethod: 'jsonb',
  discounts: 'jsonb',
  createdAt: 'bigint',
} as const

/** A customer in the form that PostgreSQL receives. */
export type CustomerRow = ColumnRow<typeof customerColumns> & {
  readonly id: string
  readonly isRedacted: boolean
}

/** Adds the host of the email address: lower case, punycode, null without a usable address. */
export function customerRow(customer: PaymentCustomer, domain: string | null): CustomerRow {
  return {
    ...customer,
    domain,
    isRedacted: customer.isRedacted ?? false,
    erasureId: null,
    paymentMethod: storableJsonOrNull(customer.paymentMethod),
    discounts: storableJsonOrNull(customer.discounts),
  }
}

/**
 * Saves customers and marks changed ones for the rebuild. For a deleted customer the provider sends only the id, so
 * we keep what we know; of a redacted one we keep no copy.
 */
export async function saveCustomers(tenant: Tenant, customers: readonly CustomerRow[]): Promise<void> {
  if (customers.length === 0) return
  await sql`${prepared}
    insert into customers as known
      (organization_id, id, name, email, domain, is_deleted, erasure_id, customer_account, payment_method, discounts,
       created_at, is_rebuild_due)
    select ${tenant.organizationId}, id, name, email, domain, "isDeleted", "erasureId", "customerAccount",
           "paymentMethod", discounts, to_timestamp("createdAt"), true
      from ${columnRows(onceById(customers), customerColumns)} as given
    on conflict (organization_id, id) do update set
      name = case when excluded.is_deleted then known.name else excluded.name end,
      email = case when excluded.is_deleted then known.email else excluded.email end,
      domain = case when excluded.is_deleted then known.domain else excluded.domain end,
      customer_account = case when excluded.is_deleted then known.customer_account else excluded.customer_account end,
      payment_method = case when excluded.is_deleted then known.payment_method else excluded.payment_method end,
      discounts = case when excluded.is_deleted then known.discounts else excluded.discounts end,
      created_at = case when excluded.is_deleted then known.created_at else excluded.created_at end,
      erasure_id = coalesce(excluded.erasure_id, known.erasure_id),
      is_deleted = excluded.is_deleted,
      is_rebuild_due = true
    where case when excluded.is_deleted then not known.is_deleted else
      (known.name, known.email, known.domain, known.is_deleted, known.customer_account, known.payment_method,
       known.discounts, known.created_at)
        is distinct from
      (excluded.name, excluded.email, excluded.domain, excluded.is_deleted, excluded.customer_account,
       excluded.payment_method, excluded.discounts, excluded.created_at) end`.execute(tenant.sql)
}

/**
 * Ends a statement with CTE `saved`: selects its customers that still need a mark. Looks each up by id, because the
 * planner has no statistics of a table that is being filled.
 */
export function settledAmong({ organizationId }: Tenant): RawBuilder<unknown> {
  return sql`
    select named.customer_id from (select distinct customer_id from saved) as named
     cross join lateral (select from customers c where c.organization_id = ${organizationId}
                            and c.id = named.customer_id and not c.is_rebuild_due offset 0) as settled`
}

/** Marks customers whose objects changed. Always locks rows in the order of their ids, to avoid deadlocks. */
export async function markRebuildDue(tenant: Tenant, ids: readonly (string | null)[]): Promise<void> {
  const known = [...new Set(ids)].filter((id) => id !== null)
  if (known.length === 0) return
  await sql`
    update customers set is_rebuild_due = true
      from (select id from customers
             where organization_id = ${tenant.organizationId} and id = any(${known}::text[]) and not is_rebuild_due
             order by id for update) as due
     where customers.organization_id = ${tenant.organizationId} and customers.id = due.id`.execute(tenant.sql)
}

/**
 * Saves the MRR of these customers and when they first paid, and ends their rebuild unless the mark is kept. One write,
 * because each changes every index. Uses ids, because without statistics the planner would read whole tables.
 */
export async function settleCustomers(
  tenant: Tenant,
  ids: readonly string[],
  mark: 'clear' | 'keep' = 'clear',
): Promise<void> {
  const isDue = mark === 'clear' ? sql`false` : sql`known.is_rebuild_due`
  const settled = sql`
    update customers as known set is_rebuild_due = ${isDue}, reporting_mrr_cents = sums.reporting,
                         mrr_by_currency = sums.mrr, unconverted_by_currency = sums.unconverted,
                         is_subscriber = sums.is_subscriber, first_paid_at = sums.first_paid_at
      from (select given.id, paid.first_paid_at,
                   paid.first_paid_at is not null or coalesce(bool_or(is_listed), false) as is_subscriber,
                   coalesce(jsonb_object_agg(currency, cents) filter (where cents > 0), '{}') as mrr,
                   coalesce(jsonb_object_agg(currency, apart) filter (where apart > 0), '{}') as unconverted,
                   coalesce(sum(reporting), 0)::bigint as reporting
              from (select distinct id from unnest(${ids}::text[]) as each (id)) as given
              left join lateral (
                select currency, sum(current_mrr_cents) filter (where current_mrr_cents > 0) as cents,
                       sum(reporting_mrr_cents) filter (where current_mrr_cents > 0) as reporting,
                       sum(current_mrr_cents) filter (where current_mrr_cents > 0 and reporting_mrr_cents is null) as apart,
                       bool_or(quantity is not null) as is_listed
                  from (select currency, current_mrr_cents, reporting_mrr_cents, quantity from subscriptions
                         where organization_id = ${tenant.organizationId} and customer_id = given.id offset 0) as own
                 group by currency) as by_currency on true
             cross join lateral (
                select min(occurred_at) as first_paid_at
                  from (select occurred_at from events
                         where organization_id = ${tenant.organizationId} and customer_id = given.id offset 0) as own) as paid
             group by given.id, paid.first_paid_at) as sums
     where known.organization_id = ${tenant.organizationId} and known.id = sums.id
       and known.id = any(${ids}::text[])
       and (known.is_rebuild_due <> ${isDue}
            or (known.mrr_by_currency, known.reporting_mrr_cents, known.unconverted_by_currency, known.is_subscriber,
                known.first_paid_at)
               is distinct from (sums.mrr, sums.reporting, sums.unconverted, sums.is_subscriber, sums.first_paid_at))`
  const which = sql<boolean>`known.id = any(${ids}::text[])`
  await writeCounted(tenant, 'customers', { which, statement: settled, isFrequent: true })
}

/** Marks all customers, after a change that affects everyone. */
export async function markAllRebuildDue(tenant: Tenant): Promise<void> {
  await tenant.sql
    .updateTable('customers')
    .set({ is_rebuild_due: true })
    .where('organization_id', '=', tenant.organizationId)
    .where('is_rebuild_due', '=', false)
    .execute()
}

/**
 * Customers after an id that subscriptions created at `since` or later mention and no list contained: deleted, or
 * just created.
 */
export async function listMissingCustomerIds(
  tenant: Tenant,
  page: { since: Instant; after: string; limit: number },
): Promise<string[]> {
  const rows = await tenant.sql
    .selectFrom('subscriptions as s')
    .select('s.customer_id')
    .distinct()
    .where('s.organization_id', '=', tenant.organizationId)
    .where('s.customer_id', '>', page.after)
    .where('s.created_at', '>=', new Date(page.since * 1000))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('customers as c')
            .select('c.id')
            .whereRef('c.organization_id', '=', 's.organization_id')
            .whereRef('c.id', '=', 's.customer_id'),
        ),
      ),
    )
    .orderBy('s.customer_id')
    .limit(page.limit)
    .execute()
  return rows.map((row) => row.customer_id)
}

/** Whether the provider uses accounts instead of customers here, whose changes its event list does not show. */
export async function hasCustomerAccounts(tenant: Tenant): Promise<boolean> {
  const { organizationId } = tenant
  const { rows } = await sql<{ hasAny: boolean }>`
    select exists (select from customers where organization_id = ${organizationId} and customer_account is not null)
        or exists (select from subscriptions where organization_id = ${organizationId} and body ? 'customerAccount')
        or exists (select from invoices where organization_id = ${organizationId} and customer_account is not null)
           as "hasAny"`.execute(tenant.sql)
  return rows[0]?.hasAny === true
}

/**
 * After a complete listing: customers that subscriptions mention but the listing lacks were deleted. Adds them without a
 * name or email; `nameDeletedCustomers` fills these in.
 */
export async function addDeletedCustomers(tenant: Tenant): Promise<void> {
  await sql`
    insert into customers (organization_id, id, is_deleted, created_at, is_rebuild_due)
    select s.organization_id, s.customer_id, true, min(s.created_at), true from subscriptions s
     where s.organization_id = ${tenant.organizationId} and s.customer_id <> ''
       and not exists (select from customers c
                        where c.organization_id = s.organization_id and c.id = s.customer_id)
     group by s.organization_id, s.customer_id order by s.customer_id
    on conflict do nothing`.execute(tenant.sql)
}

/** Gives deleted customers without name and email those of their newest invoice. */
export async function nameDeletedCustomers(
  tenant: Tenant,
  domainOf: (email: string) => string | null,
): Promise<void> {
  const { rows } = await sql<{ id: string; name: string | null; email: string | null }>`
    select c.id, frozen.customer_name as name, frozen.customer_email as email
      from customers c
      cross join lateral (
        select customer_name, customer_email from invoices i
         where i.organization_id = c.organization_id and i.customer_id = c.id
           and (customer_name is not null or customer_email is not null)
         order by created_at desc, id limit 1) as frozen
     where c.organization_id = ${tenant.organizationId} and c.is_deleted and c.name is null and c.email is null
     order by c.id`.execute(tenant.sql)
  if (rows.length === 0) return
  const named = rows.map((row) => ({ ...row, domain: row.email === null ? null : domainOf(row.email) }))
  await sql`
    update customers set name = given.name, email = given.email, domain = given.domain
      from jsonb_to_recordset(${jsonRows(named)}::jsonb) as given (id text, name text, email text, domain text)
     where customers.organization_id = ${tenant.organizationId} and customers.id = given.id`.execute(
    tenant.sql,
  )
}

/** Deleted customers of which we know only the subscriptions. */
export async function listNamelessDeletedIds(tenant: Tenant): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customers
     where organization_id = ${tenant.organizationId} and is_deleted and name is null and email is null
     order by id`.execute(tenant.sql)
  return rows.map(({ id }) => id)
}

/**
 * A few customers, oldest first, that were listed and not deleted. An account that knows none of them is a different
 * one.
 */
export async function listSomeCustomerIds(tenant: Tenant, limit: number): Promise<string[]> {
  const rows = await tenant.sql
    .selectFrom('customers')
    .select('id')
    .where('organization_id', '=', tenant.organizationId)
    .where('is_deleted', '=', false)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}
