import { sql } from 'kysely'
import type { Instant } from '#domain/instant.ts'
import type { PaymentCoupon, PaymentPrice, PaymentProduct } from '#domain/payments.ts'
import { markRebuildDue } from './customers.ts'
import type { Tenant } from './database.ts'
import { jsonRows } from './json-rows.ts'

/** Takes products over; customers of one whose name changed are marked for the rebuild. */
export async function saveProducts(tenant: Tenant, products: readonly PaymentProduct[]): Promise<void> {
  if (products.length === 0) return
  const { rows } = await sql<{ id: string; is_new: boolean }>`
    insert into products as known (organization_id, id, name, is_active, created_at)
    select ${tenant.organizationId}, id, name, "isActive", to_timestamp("createdAt")
      from jsonb_to_recordset(${jsonRows(products)}::jsonb) as given (
        id text, name text, "isActive" boolean, "createdAt" bigint)
    on conflict (organization_id, id) do update set
      name = excluded.name, is_active = excluded.is_active, created_at = excluded.created_at
    where (known.name, known.is_active, known.created_at)
      is distinct from (excluded.name, excluded.is_active, excluded.created_at)
    returning id, xmax = 0 as is_new`.execute(tenant.sql)
  await markCustomersOf(tenant, 'productId', rows)
}

/** Takes prices over as listed, with their tiers; customers of one that changed are marked for the rebuild. */
export async function savePrices(tenant: Tenant, prices: readonly PaymentPrice[]): Promise<void> {
  if (prices.length === 0) return
  const { rows } = await sql<{ id: string; is_new: boolean }>`
    insert into prices as known (organization_id, id, product_id, body)
    select ${tenant.organizationId}, given ->> 'id', given ->> 'productId', given
      from jsonb_array_elements(${jsonRows(prices)}::jsonb) as given
    on conflict (organization_id, id) do update set product_id = excluded.product_id, body = excluded.body
    where known.body is distinct from excluded.body
    returning id, xmax = 0 as is_new`.execute(tenant.sql)
  await markCustomersOf(tenant, 'id', rows)
}

/** Keeps prices that came embedded in a subscription and stand in no list; one that is known stays as it is. */
export async function addEmbeddedPrices(tenant: Tenant, prices: readonly PaymentPrice[]): Promise<void> {
  // Tiers come only with the price itself, so that a tiered one has to be fetched.
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

/** Prices that objects of customers due for the rebuild name and that are not kept yet, ascending by id. */
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
 * Products that customers due for the rebuild have on a subscription, and coupons that they have had since then, which are not
 * kept, as when they were made after their list was read. A coupon that is older was deleted; a product with prices cannot be.
 */
export async function listMissingCatalogIds(
  tenant: Tenant,
  since: Instant,
): Promise<{ products: string[]; coupons: string[] }> {
  const { organizationId } = tenant
  const { rows } = await sql<{ kind: 'products' | 'coupons'; id: string }>`
    with due as (
      select c.discounts as of_customer, s.body -> 'discounts' as discounts, s.body -> 'items' as items
        from subscriptions s join customers c on c.organization_id = s.organization_id and c.id = s.customer_id
       where s.organization_id = ${organizationId} and c.is_rebuild_due),
    items as (select item from due cross join jsonb_array_elements(items) as item),
    discounts as (
      select jsonb_array_elements(discounts || coalesce(of_customer, '[]')) as discount from due
       union all
      select jsonb_array_elements(item -> 'discounts') from items),
    named as (
      select 'products' as kind, item -> 'price' ->> 'productId' as id from items
       union
      select 'coupons', discount ->> 'couponId' from discounts where (discount ->> 'startedAt')::bigint >= ${since})
    select kind, id from named
     where id is not null
       and not exists (select from products p where kind = 'products'
                          and p.organization_id = ${organizationId} and p.id = named.id)
       and not exists (select from coupons c where kind = 'coupons'
                          and c.organization_id = ${organizationId} and c.id = named.id)
     order by kind, id`.execute(tenant.sql)
  const idsOf = (kind: string) => rows.flatMap((row) => (row.kind === kind ? row.id : []))
  return { products: idsOf('products'), coupons: idsOf('coupons') }
}

/** Only rows that were there before can stand in somebody's figures; new ones are met by new objects. */
async function markCustomersOf(
  tenant: Tenant,
  field: 'id' | 'productId',
  rows: readonly { id: string; is_new: boolean }[],
): Promise<void> {
  const changed = rows.filter((row) => !row.is_new).map((row) => row.id)
  if (changed.length === 0) return
  const isOnLine =
    field === 'id'
      ? sql`i.price_ids && ${changed}::text[]`
      : sql`exists (select from json_array_elements(i.lines) as line
                     where line ->> 'productId' = any(${changed}::text[]))`
  const found = await sql<{ customer_id: string }>`
    select customer_id from subscriptions s
     where organization_id = ${tenant.organizationId}
       and exists (select from jsonb_array_elements(s.body -> 'items') as item
                    where item -> 'price' ->> ${field} = any(${changed}::text[]))
     union
    select customer_id from invoices i
     where organization_id = ${tenant.organizationId} and customer_id is not null
       and ${isOnLine}`.execute(tenant.sql)
  await markRebuildDue(
    tenant,
    found.rows.map((row) => row.customer_id),
  )
}
