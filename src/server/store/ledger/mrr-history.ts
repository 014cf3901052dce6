import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** The MRR of one currency at the end of a UTC day ('YYYY-MM-DD') on which it changed. */
export type MrrLevel = { currency: string; day: string; mrrCents: number }

/** The MRR of a subscription or of all subscriptions of a customer, by currency and day. */
export async function listMrrHistory(
  tenant: Tenant,
  of: { subscriptionId: string } | { customerId: string },
): Promise<MrrLevel[]> {
  const isOf: RawBuilder<boolean> =
    'customerId' in of ? sql`customer_id = ${of.customerId}` : sql`subscription_id = ${of.subscriptionId}`
  const { rows } = await sql<MrrLevel>`
    select currency, day, (sum(change) over (partition by currency order by day))::bigint as "mrrCents"
      from (select currency, to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD') as day, sum(mrr_change_cents) as change
              from events where organization_id = ${tenant.organizationId} and ${isOf} group by currency, day) as days
     where change <> 0
     order by currency, day`.execute(tenant.sql)
  return rows
}
