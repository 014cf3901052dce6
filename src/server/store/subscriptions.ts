import { sql } from 'kysely'
import type { PaymentSubscription } from '#domain/payments.ts'
import { markRebuildDue } from './customers.ts'
import type { Tenant } from './database.ts'
import { jsonRows } from './json-rows.ts'

/** Takes subscriptions over whole; customers of those that changed are marked for the rebuild. */
export async function saveSubscriptions(
  tenant: Tenant,
  subscriptions: readonly PaymentSubscription[],
  at: Date,
): Promise<void> {
  if (subscriptions.length === 0) return
  const { rows } = await sql<{ customer_id: string }>`
    insert into subscriptions as known
      (organization_id, id, customer_id, status, body, created_at, currency, updated_at)
    select ${tenant.organizationId}, given ->> 'id', given ->> 'customerId', given ->> 'status', given,
           to_timestamp((given ->> 'createdAt')::bigint), given ->> 'currency', ${at}
      from jsonb_array_elements(${jsonRows(subscriptions)}::jsonb) as given
    on conflict (organization_id, id) do update set
      customer_id = excluded.customer_id, status = excluded.status, body = excluded.body,
      created_at = excluded.created_at, currency = excluded.currency, updated_at = excluded.updated_at
    where known.body is distinct from excluded.body
    returning customer_id`.execute(tenant.sql)
  await markRebuildDue(
    tenant,
    rows.map((row) => row.customer_id),
  )
}

/** Marks customers whose revenue may end by the passing of time alone, as a cut-off for unpaid invoices lets it. */
export async function markPastDueRebuildDue(tenant: Tenant): Promise<void> {
  const rows = await tenant.sql
    .selectFrom('subscriptions')
    .select('customer_id')
    .distinct()
    .where('organization_id', '=', tenant.organizationId)
    .where('status', '=', 'past_due')
    .execute()
  await markRebuildDue(
    tenant,
    rows.map((row) => row.customer_id),
  )
}

/** Subscriptions that name no customer belong to no rebuild; they are marked, so that none is left out in silence. */
export async function markWithoutCustomer(tenant: Tenant): Promise<void> {
  await tenant.sql
    .updateTable('subscriptions')
    .set({ unsupported_reason: 'The subscription names no customer' })
    .where('organization_id', '=', tenant.organizationId)
    .where('customer_id', '=', '')
    .where('unsupported_reason', 'is', null)
    .execute()
}

/** What the rebuild makes of a subscription. */
export type SubscriptionFigures = {
  id: string
  currentMrrCents: number
  quantity: number
  productName: string | null
  billingIntervalDays: number | null
  /** Unix seconds; null without items. */
  periodStart: number | null
  periodEnd: number | null
  /** 'YYYY-MM-DD'; null when it ends instead of renewing. */
  nextRenewalOn: string | null
  unsupportedReason: string | null
  receipt: object | null
}

/** Writes the figures that changed, and only those: the time of the last update is shown to people. */
export async function saveSubscriptionFigures(
  tenant: Tenant,
  figures: readonly SubscriptionFigures[],
  at: Date,
): Promise<void> {
  if (figures.length === 0) return
  await sql`
    update subscriptions as known set
      current_mrr_cents = given."currentMrrCents", quantity = given.quantity, product_name = given."productName",
      billing_interval_days = given."billingIntervalDays",
      current_period_start = to_timestamp(given."periodStart"), current_period_end = to_timestamp(given."periodEnd"),
      next_renewal_on = given."nextRenewalOn", unsupported_reason = given."unsupportedReason",
      receipt = given.receipt, updated_at = ${at}
      from jsonb_to_recordset(${jsonRows(figures)}::jsonb) as given (
        id text, "currentMrrCents" bigint, quantity integer, "productName" text, "billingIntervalDays" integer,
        "periodStart" bigint, "periodEnd" bigint, "nextRenewalOn" date, "unsupportedReason" text, receipt jsonb)
     where known.organization_id = ${tenant.organizationId} and known.id = given.id
       and (known.current_mrr_cents, known.quantity, known.product_name, known.billing_interval_days,
            known.current_period_start, known.current_period_end, known.next_renewal_on,
            known.unsupported_reason, known.receipt)
           is distinct from
           (given."currentMrrCents", given.quantity, given."productName", given."billingIntervalDays",
            to_timestamp(given."periodStart"), to_timestamp(given."periodEnd"), given."nextRenewalOn",
            given."unsupportedReason", given.receipt)`.execute(tenant.sql)
}
