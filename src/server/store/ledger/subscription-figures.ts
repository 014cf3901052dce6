import { sql } from 'kysely'
import type { Receipt } from '#domain/mrr/receipts/receipt.ts'
import { isFirstImport } from '../payments/payment-account.ts'
import { columnRows } from '../postgres/column-rows.ts'
import type { Tenant } from '../postgres/database.ts'
import { onceById, storableJsonOrNull } from '../postgres/json-rows.ts'
import { writeCounted } from '../totals/list-totals.ts'
import { isOtherReceipt, isRewordedReceipt } from './receipts.ts'

/** What the rebuild computes for a subscription. */
export type SubscriptionFigures = {
  id: string
  currentMrrCents: number
  /** Current MRR in minor units of the reporting currency; null without a rate. */
  reportingMrrCents: number | null
  /** The rate in words; null where none was used. */
  reportingRate: string | null
  quantity: number
  productName: string | null
  billingIntervalDays: number | null
  /** Unix seconds; null without items. */
  periodStart: number | null
  periodEnd: number | null
  /** 'YYYY-MM-DD'; null if it ends instead of renewing. */
  nextRenewalOn: string | null
  unsupportedReason: string | null
  receipt: Receipt | null
  /** Unix seconds: the last change that the account itself tells. */
  changedAt: number
}

const figureColumns = {
  id: 'text',
  currentMrrCents: 'bigint',
  reportingMrrCents: 'bigint',
  reportingRate: 'text',
  quantity: 'bigint',
  productName: 'text',
  billingIntervalDays: 'bigint',
  periodStart: 'bigint',
  periodEnd: 'bigint',
  nextRenewalOn: 'text',
  unsupportedReason: 'text',
  receipt: 'json',
  changedAt: 'bigint',
} as const

/**
 * Writes only changed figures, dated `at`, or in a first import by their last change in the account. Mode 'first' skips
 * subscriptions with figures. If only the receipt changes, a row this run updated keeps its time.
 */
export async function saveSubscriptionFigures(
  tenant: Tenant,
  figures: readonly SubscriptionFigures[],
  { at, runId, mode = 'again' }: { at: Date; runId: string; mode?: 'first' | 'again' },
): Promise<void> {
  if (figures.length === 0) return
  const rows = onceById(figures).map((one) => ({ ...one, receipt: storableJsonOrNull(one.receipt) }))
  const ids = rows.map(({ id }) => id)
  const run = sql`select created_at from runs where organization_id = ${tenant.organizationId} and id = ${runId}`
  // Restrict by id: while tables fill, the planner would otherwise read all subscriptions.
  const changed = sql`
    with given as materialized (
      select id, "currentMrrCents", "reportingMrrCents", "reportingRate", quantity, "productName", "billingIntervalDays",
             to_timestamp("periodStart") as "periodStart", to_timestamp("periodEnd") as "periodEnd",
             "nextRenewalOn"::date as "nextRenewalOn", "unsupportedReason", receipt,
             case when ${isFirstImport(tenant)} and id <> all (${linkedIds(tenant, ids)})
                  then least(to_timestamp("changedAt"), ${at}) end as "changedAt"
        from ${columnRows(rows, figureColumns)} as given)
    update subscriptions as known set
      current_mrr_cents = given."currentMrrCents", reporting_mrr_cents = given."reportingMrrCents",
      reporting_rate = given."reportingRate", quantity = given.quantity, product_name = given."productName",
      billing_interval_days = given."billingIntervalDays", current_period_start = given."periodStart",
      current_period_end = given."periodEnd", next_renewal_on = given."nextRenewalOn",
      unsupported_reason = given."unsupportedReason", receipt = given.receipt,
      updated_at = case when given."changedAt" is not null then given."changedAt"
                        when (${figuresKnown}) is not distinct from (${figuresGiven})
                         and (known.updated_at >= (${run}) or not ${isRewordedReceipt('known.receipt', 'given.receipt')})
                        then known.updated_at else ${at} end
      from given
     where known.organization_id = ${tenant.organizationId} and known.id = given.id
       and known.id = any(${ids}::text[]) and (known.quantity is null or ${mode === 'again'})
       and ((${figuresKnown}) is distinct from (${figuresGiven})
            or (known.reporting_mrr_cents, known.reporting_rate)
               is distinct from (given."reportingMrrCents", given."reportingRate")
            or ${isOtherReceipt('known.receipt', 'given.receipt')}
            or known.updated_at <> given."changedAt")`
  const which = sql<boolean>`known.id = any(${ids}::text[])`
  await writeCounted(tenant, 'subscriptions', { which, statement: changed, isFrequent: true })
}

/**
 * Those with a record in the CRM. With an earlier time than that of the write, an outdated record would look up to date.
 */
function linkedIds({ organizationId }: Tenant, ids: readonly string[]) {
  return sql`array(
    select source_id from crm_links
     where organization_id = ${organizationId} and kind = 'subscription' and source_id = any(${ids}::text[])
       and portal_id = any(array(select portal_id from crm_objects where organization_id = ${organizationId})))`
}

const figuresKnown =
  sql.raw(`known.current_mrr_cents, known.quantity, known.product_name, known.billing_interval_days,
                 known.current_period_start, known.current_period_end, known.next_renewal_on, known.unsupported_reason`)

const figuresGiven =
  sql.raw(`given."currentMrrCents", given.quantity, given."productName", given."billingIntervalDays",
                 given."periodStart", given."periodEnd", given."nextRenewalOn", given."unsupportedReason"`)
