import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { customerContains, type Found, nameContains } from './find-text.ts'
import { type SubscriptionFilter, subscriptionsOfFilter } from './list-filters.ts'
import { type SearchedRows, theseAlone } from './search-page.ts'
import { type SubscriptionOrder, subscriptionsWhere } from './subscription-order.ts'

/** The subscriptions that contain the text: by customer, product and the start of the id. */
export function subscriptionsFound(
  tenant: Tenant,
  query: SubscriptionOrder & SubscriptionFilter,
  found: Found,
): SearchedRows {
  const isListed = subscriptionsOfFilter(tenant, query)
  const among = (condition: RawBuilder<unknown>) =>
    sql`select s.id from subscriptions s where ${isListed} and ${condition}`
  const whole = () =>
    subscriptionsWhere(tenant, query, {
      holds: sql`${isListed} and ${contains(found)}`,
      needsCustomer: found.isPartial,
    })
  return {
    parts: [
      among(sql`s.id ^@ ${found.text}`),
      among(sql`s.customer_id = any(${found.customerIds}::text[])`),
      among(sql`s.product_name = any(${found.productNames}::text[])`),
    ],
    few: (ids) =>
      subscriptionsWhere(tenant, query, {
        from: theseAlone(tenant, 'subscriptions', ids, 's'),
        holds: isListed,
      }),
    many: whole,
    whole,
  }
}

/** The same subscriptions as the parts find, as a condition on `s` and, where needed, its customer `c`. */
function contains({ text, customerIds, productNames, isPartial }: Found): RawBuilder<boolean> {
  if (!isPartial)
    return sql<boolean>`(s.customer_id = any(${customerIds}::text[])
      or s.product_name = any(${productNames}::text[]) or s.id ^@ ${text})`
  return sql<boolean>`(${customerContains(text)} or ${nameContains(sql`s.product_name`, text)}
    or s.id ^@ ${text} or s.customer_id ^@ ${text})`
}
