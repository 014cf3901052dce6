import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from './database.ts'
import { countedMax, customerContains, type Found } from './list-search.ts'
import { subscriptionsWithCustomers } from './subscription-order.ts'

/** Condition on the subscription `s` but for a search. */
export function isOfStatus(tenant: Tenant, status: string | undefined): RawBuilder<boolean> {
  const ofStatus = status === undefined ? sql`` : sql` and s.status = ${status}`
  return sql<boolean>`s.organization_id = ${tenant.organizationId}${ofStatus}`
}

/** Condition on `s` where little was found: by customer and product, and by the beginning of both ids. */
export function isAmongFound(tenant: Tenant, found: Found): RawBuilder<boolean> {
  const ofOrganization = sql`select id from subscriptions where organization_id = ${tenant.organizationId}`
  return sql<boolean>`s.id in (
    ${ofOrganization} and customer_id = any(${found.customerIds}::text[])
    union ${ofOrganization} and product_name = any(${found.productNames}::text[])
    union ${ofOrganization} and id ^@ ${found.text}
    union ${ofOrganization} and customer_id ^@ ${found.text})`
}

/** The same row by row, of `s` and its customer `c`. */
export function subscriptionContains({ text, productNames }: Found): RawBuilder<boolean> {
  return sql<boolean>`(${customerContains(text)} or s.product_name = any(${productNames}::text[])
    or s.id ^@ ${text} or s.customer_id ^@ ${text})`
}

/** How many subscriptions there are; of a search, counted up to `countedMax`. */
export async function countSubscriptions(
  tenant: Tenant,
  status: string | undefined,
  found: Found | null,
): Promise<number> {
  const count = async (rows: RawBuilder<unknown>) => {
    const answer = await sql<{ count: number }>`select count(*) as count from (${rows}) as rows`.execute(
      tenant.sql,
    )
    return answer.rows[0]?.count ?? 0
  }
  const all = sql`select from subscriptions s where ${isOfStatus(tenant, status)}`
  if (found === null) return count(all)
  const most = sql`limit ${countedMax}`
  if (found.isFew) return count(sql`${all} and ${isAmongFound(tenant, found)} ${most}`)
  const ofProducts = await count(sql`${all} and s.product_name = any(${found.productNames}::text[]) ${most}`)
  if (ofProducts === countedMax) return countedMax
  return count(sql`
    select from ${subscriptionsWithCustomers}
     where ${isOfStatus(tenant, status)} and ${subscriptionContains(found)} ${most}`)
}
