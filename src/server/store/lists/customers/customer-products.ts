import { sql } from 'kysely'
import type { Tenant } from '../../postgres/database.ts'

/** What a customer's subscriptions are. */
export type Subscribed = {
  /** Those that are listed, whatever their status. */
  subscriptionCount: number
  /** The first products of those with MRR, that of the highest MRR first, and the number of all. */
  productNames: string[]
  productCount: number
}

export const nothingSubscribed: Subscribed = { subscriptionCount: 0, productNames: [], productCount: 0 }

const namesMax = 50

/** What these customers are subscribed to. */
export async function listSubscribed(
  tenant: Tenant,
  customerIds: readonly string[],
): Promise<Map<string, Subscribed>> {
  const { rows } = await sql<Subscribed & { customerId: string }>`
    select customer_id as "customerId", sum(listed)::bigint as "subscriptionCount",
           coalesce((array_agg(product_name order by reporting desc nulls last, product_name)
             filter (where is_paying and product_name is not null))[:${sql.lit(namesMax)}], '{}') as "productNames",
           count(*) filter (where is_paying and product_name is not null) as "productCount"
      from (select customer_id, product_name, count(quantity) as listed, bool_or(current_mrr_cents > 0) as is_paying,
                   sum(reporting_mrr_cents) as reporting
              from subscriptions
             where organization_id = ${tenant.organizationId} and customer_id = any(${customerIds}::text[])
             group by customer_id, product_name) as by_product
     group by customer_id`.execute(tenant.sql)
  return new Map(rows.map(({ customerId, ...subscribed }) => [customerId, subscribed]))
}
