import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/**
 * Days are 'YYYY-MM-DD' in UTC, both included, of some currencies or of all; the others are attributes of the subscription,
 * none of them empty.
 */
export type KeptPart =
  | { days: { from?: string | undefined; to?: string | undefined }; currencies: readonly string[] }
  | KeptValues
type KeptValues = { dimension: 'product' | 'plan' | 'size' | 'interval'; values: readonly string[] }

/**
 * What the events of some days, or of some values of one attribute, come to, from the kept totals of movements: a row a
 * day. Planned cancellations are no movements. Null until the totals were counted.
 */
export async function keptEventSums(
  tenant: Tenant,
  part: KeptPart,
  statuses: readonly string[],
): Promise<RawBuilder<unknown> | null> {
  const { organizationId } = tenant
  const counted = await sql`
    select from payment_mirrors
     where organization_id = ${organizationId} and movements_counted_at is not null`.execute(tenant.sql)
  if (counted.rows.length === 0) return null
  const ofStatuses = statuses.length === 0 ? sql`` : sql`and movement = any(${statuses}::text[])`
  return sql`
    select currency, movement as mrr_status, sum(event_count) as count, sum(reporting_cents) as reporting,
           sum(unconverted_count) as apart_count, sum(unconverted_cents) as apart
      from movement_totals
     where organization_id = ${organizationId} and ${isOf(part)} ${ofStatuses}
     group by currency, movement`
}

function isOf(part: KeptPart): RawBuilder<unknown> {
  if ('values' in part) return sql`dimension = ${part.dimension} and value = any(${part.values}::text[])`
  const {
    days: { from, to },
    currencies,
  } = part
  const since = from === undefined ? sql`` : sql`and value >= ${from}`
  const until = to === undefined ? sql`` : sql`and value <= ${to}`
  const ofCurrencies = currencies.length === 0 ? sql`` : sql`and currency = any(${currencies}::text[])`
  return sql`dimension = 'day' ${since} ${until} ${ofCurrencies}`
}
