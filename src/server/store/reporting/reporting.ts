import { sql } from 'kysely'
import type { ConversionMethod } from '#domain/reporting/conversion.ts'
import { type RateSource, rateSources } from '#domain/reporting/rate.ts'
import type { Tenant } from '../postgres/database.ts'
import { prepared } from '../postgres/prepared.ts'

/** In which currency the organization's totals are, null before an import has brought a subscription, and how they get there. */
export type Reporting = {
  currency: string | null
  isDecided: boolean
  method: ConversionMethod
  source: RateSource
}

/** The currency of totals that are zero because nothing was imported yet. */
export const currencyOfNothing = 'usd'

/**
 * The organization's reporting currency and how amounts are converted to it; the currency is null until a first
 * import decides it.
 */
export async function getReporting(tenant: Tenant): Promise<Reporting> {
  const row = await tenant.sql
    .selectFrom('organization_settings')
    .select(['reporting_currency as currency', 'is_reporting_decided as isDecided'])
    .select(['conversion_method as method', 'rates_source as source'])
    .where('organization_id', '=', tenant.organizationId)
    .executeTakeFirst()
  return {
    currency: row?.currency ?? null,
    isDecided: row?.isDecided ?? false,
    method: row?.method === 'revalued' ? 'revalued' : 'booked',
    source: rateSources.find((source) => source === row?.source) ?? 'ecb',
  }
}

/** The currency of the organization's totals. */
export async function getReportingCurrency(tenant: Tenant): Promise<string> {
  return (await getReporting(tenant)).currency ?? currencyOfNothing
}

// Separates this lock from every other lock in the database.
const lockClass = 0x72706f

/**
 * Returns the reporting currency and keeps it in force until the transaction ends. Before an import has decided, takes
 * the currency of most subscriptions so far, so that the first import rarely has to convert anything twice.
 */
export async function holdReporting(tenant: Tenant): Promise<Reporting> {
  const { organizationId } = tenant
  await sql`${prepared} select pg_advisory_xact_lock_shared(${lockClass}::integer, ${organizationId}::integer)`.execute(
    tenant.sql,
  )
  const reporting = await getReporting(tenant)
  if (reporting.currency !== null) return reporting
  const { rows } = await sql<{ currency: string }>`
    insert into organization_settings as known (organization_id, reporting_currency)
    select ${organizationId}, currency from subscriptions
     where organization_id = ${organizationId} and currency <> ''
     group by currency order by count(*) filter (where status <> 'canceled') desc, count(*) desc, currency limit 1
    on conflict (organization_id) do update set
      reporting_currency = coalesce(known.reporting_currency, excluded.reporting_currency)
    returning reporting_currency as currency`.execute(tenant.sql)
  return { ...reporting, currency: rows[0]?.currency ?? null }
}

/** Sets the reporting currency, and how amounts get there. Waits for batches that hold what is in force. */
export async function setReporting(
  tenant: Tenant,
  { currency, method, source }: { currency: string; method?: ConversionMethod; source?: RateSource },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockClass}::integer, ${tenant.organizationId}::integer)`.execute(
    tenant.sql,
  )
  const set = {
    reporting_currency: currency,
    is_reporting_decided: true,
    ...(method && { conversion_method: method }),
    ...(source && { rates_source: source }),
  }
  await tenant.sql
    .insertInto('organization_settings')
    .values({ organization_id: tenant.organizationId, ...set })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(set))
    .execute()
}
