import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { prepared } from '../postgres/prepared.ts'

/** In which currency the organization's totals are; null before the first import has brought a subscription. */
export type Reporting = { currency: string | null; isDecided: boolean }

/** The currency of totals that are zero because nothing was imported yet. */
export const currencyOfNothing = 'usd'

export async function getReporting(tenant: Tenant): Promise<Reporting> {
  const row = await tenant.sql
    .selectFrom('organization_settings')
    .select(['reporting_currency as currency', 'is_reporting_decided as isDecided'])
    .where('organization_id', '=', tenant.organizationId)
    .executeTakeFirst()
  return row ?? { currency: null, isDecided: false }
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
  return { currency: rows[0]?.currency ?? null, isDecided: false }
}

/** Decides the reporting currency for good. Waits for batches that hold the former one. */
export async function setReportingCurrency(tenant: Tenant, currency: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockClass}::integer, ${tenant.organizationId}::integer)`.execute(
    tenant.sql,
  )
  const set = { reporting_currency: currency, is_reporting_decided: true }
  await tenant.sql
    .insertInto('organization_settings')
    .values({ organization_id: tenant.organizationId, ...set })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(set))
    .execute()
}
