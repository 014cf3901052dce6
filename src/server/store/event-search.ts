import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from './database.ts'
import { countedMax, customerContains, type Found } from './list-search.ts'

/** What events are narrowed to. */
export type EventFilter = { mrrStatus: string | undefined; subscriptionId: string | undefined }

/** Conditions on the event `e` but for a search. */
export function isOfEventFilter(tenant: Tenant, filter: EventFilter): RawBuilder<boolean> {
  const ofStatus = filter.mrrStatus === undefined ? sql`` : sql` and e.mrr_status = ${filter.mrrStatus}`
  const ofSubscription =
    filter.subscriptionId === undefined ? sql`` : sql` and e.subscription_id = ${filter.subscriptionId}`
  return sql<boolean>`e.organization_id = ${tenant.organizationId}${ofStatus}${ofSubscription}`
}

/**
 * Ids of the events in which the text is found, each once: by customer and product, and by the beginning of their own
 * id and of those of subscription, customer and invoice. Every part is read off an index.
 */
export function foundEventIds(tenant: Tenant, found: Found): RawBuilder<unknown> {
  const { organizationId } = tenant
  const ofOrganization = sql`select id from events where organization_id = ${organizationId}`
  return sql`
    ${ofOrganization} and customer_id = any(${found.customerIds}::text[])
    union ${ofOrganization} and product_name = any(${found.productNames}::text[])
    union ${ofOrganization} and id ^@ ${found.text}
    union ${ofOrganization} and subscription_id ^@ ${found.text}
    union ${ofOrganization} and customer_id ^@ ${found.text}
    union select e.id from invoices i
            join events e on e.organization_id = i.organization_id and e.customer_id = i.customer_id
                         and e.invoice_id = i.id
           where i.organization_id = ${organizationId} and i.id ^@ ${found.text}`
}

/** Whether the text is found in the event `e` or its customer `c`: the same as `foundEventIds`, row by row. */
export function eventContains({ text, productNames }: Found): RawBuilder<boolean> {
  return sql<boolean>`(${customerContains(text)} or e.product_name = any(${productNames}::text[])
    or e.id ^@ ${text} or e.subscription_id ^@ ${text} or e.customer_id ^@ ${text} or e.invoice_id ^@ ${text})`
}

/** How many events a search finds, counted up to `countedMax`. */
export async function countFoundEvents(tenant: Tenant, filter: EventFilter, found: Found): Promise<number> {
  const count = async (rows: RawBuilder<unknown>) => {
    const answer = await sql<{ count: number }>`
      select count(*) as count from (${rows} limit ${countedMax}) as rows`.execute(tenant.sql)
    return answer.rows[0]?.count ?? 0
  }
  const all = sql`select from events e where ${isOfEventFilter(tenant, filter)}`
  if (found.isFew) return count(sql`${all} and e.id in (${foundEventIds(tenant, found)})`)
  // Mostly one of these alone comes to as many as are counted; only otherwise all have to be looked through.
  const ofProducts = await count(sql`${all} and e.product_name = any(${found.productNames}::text[])`)
  if (ofProducts === countedMax) return countedMax
  const ofCustomers = await count(sql`${all} and e.customer_id = any(${found.customerIds}::text[])`)
  if (ofCustomers === countedMax) return countedMax
  return count(sql`
    select from events e
      left join customers c on c.organization_id = e.organization_id and c.id = e.customer_id
     where ${isOfEventFilter(tenant, filter)} and ${eventContains(found)}`)
}
