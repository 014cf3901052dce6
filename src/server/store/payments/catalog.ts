import { sql } from 'kysely'
import type { Instant } from '#domain/instant.ts'
import type { PaymentCoupon, PaymentPrice, PaymentProduct } from '#domain/payments.ts'
import type { Tenant } from '../postgres/database.ts'
import { jsonRows } from '../postgres/json-rows.ts'
import { markRebuildDue } from './customers.ts'

/** Saves products. If a name changed, marks customers that have or had a price of the product for the rebuild. */
export async function saveProducts(tenant: Tenant, products: readonly PaymentProduct[]): Promise<void> {
  if (products.length === 0) return
  const given = jsonRows(products)
  const { rows: renamed } = await sql<{ id: string }>`
    select known.id from jsonb_to_recordset(${given}::jsonb) as given (id text, name text)
      join products known on known.organization_id = ${tenant.organizationId} and known.id = given.id
     where known.name <> given.name`.execute(tenant.sql)
  await sql`
    insert into products as known (organization_id, id, name, is_active, created_at)
    select ${tenant.organizationId}, id, name, "isActive", to_timestamp("createdAt")
      from jsonb_to_recordset(${given}::jsonb) as given (
        id text, name text, "isActive" boolean, "createdAt" bigint)
    on conflict (organization_id, id) do update set
      name = excluded.name, is_active = excluded.is_active, created_at = excluded.created_at
    where (known.name, known.is_active, known.created_at)
      is distinct from (excluded.name, excluded.is_active, excluded.created_at)`.execute(tenant.sql)
  if (renamed.length === 0) return
  const priced = await tenant.sql
    .selectFrom('prices')
    .select('id')
    .where('organization_id', '=', tenant.organizationId)
    .where(
      'product_id',
      'in',
      renamed.map(({ id }) => id),
    )
    .execute()
  await markCustomersWith(
    tenant,
    priced.map(({ id }) => id),
  )
}

/** Saves prices with their tiers, as listed; marks customers of changed ones for the rebuild. */
export async function savePrices(tenant: Tenant, prices: readonly PaymentPrice[]): Promise<void> {
  if (prices.length === 0) return
  const { rows } = await sql<{ id: string; is_new: boolean }>`
    with before as (select id from prices where organization_id = ${tenant.organizationId}
                       and id = any(${prices.map(({ id }) => id)}::text[]))
    insert into prices as known (organization_id, id, product_id, body)
    select ${tenant.organizationId}, given ->> 'id', given ->> 'productId', given
      from jsonb_array_elements(${jsonRows(prices)}::jsonb) as given
    on conflict (organization_id, id) do update set product_id = excluded.product_id, body = excluded.body
    where known.body is distinct from excluded.body
    returning id, not exists (select from before where before.id = known.id) as is_new`.execute(tenant.sql)
  // Only prices that existed before can affect existing figures; new ones arrive with new objects.
  await markCustomersWith(
    tenant,
    rows.flatMap(({ id, is_new }) => (is_new ? [] : id)),
  )
}

/** Saves prices that were embedded in a subscription and are in no list; does not change known prices. */
export async function addEmbeddedPrices(tenant: Tenant, prices: readonly PaymentPrice[]): Promise<void> {
  // Only the price itself contains its tiers, so a tiered one must be fetched.
  const whole = prices.filter((price) => price.billingScheme !== 'tiered' || price.tiers !== null)
  if (whole.length === 0) return
  await sql`
    insert into prices (organization_id, id, product_id, body)
    select ${tenant.organizationId}, given ->> 'id', given ->> 'productId', given
      from jsonb_array_elements(${jsonRows(whole)}::jsonb) as given
    on conflict do nothing`.execute(tenant.sql)
}

export async function saveCoupons(tenant: Tenant, coupons: readonly PaymentCoupon[]): Promise<void> {
  if (coupons.length === 0) return
  await sql`
    insert into coupons as known (organization_id, id, body)
    select ${tenant.organizationId}, given ->> 'id', given
      from jsonb_array_elements(${jsonRows(coupons)}::jsonb) as given
    on conflict (organization_id, id) do update set body = excluded.body
    where known.body is distinct from excluded.body`.execute(tenant.sql)
}

/** Ids, in ascending order, of unknown prices that objects of customers due for the rebuild mention. */
export async function listMissingPriceIds(
  tenant: Tenant,
  query: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with due as (
      select id from customers where organization_id = ${tenant.organizationId} and is_rebuild_due),
    named as (
      select price_id as id from invoices i join due on due.id = i.customer_id, unnest(i.price_ids) as price_id
       where i.organization_id = ${tenant.organizationId}
       union
      select item ->> 'priceId'
        from subscriptions s join due on due.id = s.customer_id, jsonb_array_elements(s.body -> 'items') as item
       where s.organization_id = ${tenant.organizationId})
    select named.id from named
     where named.id > ${query.after}
       and not exists (select from prices p
                        where p.organization_id = ${tenant.organizationId} and p.id = named.id)
     order by named.id limit ${query.limit}`.execute(tenant.sql)
  return rows.map((row) => row.id)
}

/**
 * Products on subscriptions of customers due for the rebuild that we do not have, for example because they are newer
 * than the list.
 */
export async function listMissingProductIds(
  tenant: Tenant,
  query: { after: string; limit: number },
): Promise<string[]> {
  // Select due customers first: otherwise PostgreSQL would unpack the items of all subscriptions.
  const { rows } = await sql<{ id: string }>`
    with due as materialized (
      select s.body -> 'items' as items
        from subscriptions s join customers c on c.organization_id = s.organization_id and c.id = s.customer_id
       where s.organization_id = ${tenant.organizationId} and c.is_rebuild_due)
    select distinct item -> 'price' ->> 'productId' as id
      from due, jsonb_array_elements(items) as item
     where item -> 'price' ->> 'productId' > ${query.after}
       and not exists (select from products p
                        where p.organization_id = ${tenant.organizationId} and p.id = item -> 'price' ->> 'productId')
     order by id limit ${query.limit}`.execute(tenant.sql)
  return rows.map((row) => row.id)
}

/** Unknown coupons that customers due for the rebuild got since then; unknown coupons from before were deleted. */
export async function listMissingCouponIds(
  tenant: Tenant,
  query: { since: Instant; after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with due as (
      select c.discounts as of_customer, s.body
        from subscriptions s join customers c on c.organization_id = s.organization_id and c.id = s.customer_id
       where s.organization_id = ${tenant.organizationId} and c.is_rebuild_due),
    given as (
      select jsonb_array_elements(body -> 'discounts') as discount from due
       union all
      select jsonb_array_elements(of_customer) from due
       union all
      select jsonb_array_elements(item -> 'discounts') from due, jsonb_array_elements(body -> 'items') as item)
    select distinct discount ->> 'couponId' as id from given
     where discount ->> 'couponId' > ${query.after} and (discount ->> 'startedAt')::bigint >= ${query.since}
       and not exists (select from coupons c
                        where c.organization_id = ${tenant.organizationId} and c.id = discount ->> 'couponId')
     order by id limit ${query.limit}`.execute(tenant.sql)
  return rows.map((row) => row.id)
}

/** Marks customers that have or had one of these prices. In a large account this reads every invoice. */
async function markCustomersWith(tenant: Tenant, priceIds: readonly string[]): Promise<void> {
  if (priceIds.length === 0) return
  await sql`select set_config('statement_timeout', '0', true)`.execute(tenant.sql)
  const found = await sql<{ customer_id: string }>`
    select customer_id from subscriptions s
     where organization_id = ${tenant.organizationId}
       and exists (select from jsonb_array_elements(s.body -> 'items') as item
                    where item ->> 'priceId' = any(${priceIds}::text[]))
     union
    select customer_id from invoices
     where organization_id = ${tenant.organizationId} and customer_id is not null
       and price_ids && ${priceIds}::text[]`.execute(tenant.sql)
  await markRebuildDue(
    tenant,
    found.rows.map((row) => row.customer_id),
  )
}
