import { type RawBuilder, type Selectable, sql } from 'kysely'
import { ruleBookVersion } from '#domain/mrr/receipts/rule-book-version.ts'
import type { Tenant } from '../postgres/database.ts'
import type { PaymentMirrors } from '../postgres/tables.ts'
import { recountTotals } from '../totals/list-totals.ts'

export type PaymentAccount = Selectable<PaymentMirrors>

/** The account of the stored payment objects; undefined before the first import. */
export function findPaymentAccount(tenant: Tenant): Promise<PaymentAccount | undefined> {
  return tenant.sql
    .selectFrom('payment_mirrors')
    .selectAll()
    .where('organization_id', '=', tenant.organizationId)
    .executeTakeFirst()
}

/** Whether the first import of the stored account has begun and not yet completed. */
export function isFirstImport({ organizationId }: Tenant): RawBuilder<boolean> {
  return sql`exists (select from payment_mirrors
                      where organization_id = ${organizationId} and refreshed_at is null)`
}

/**
 * Records the account from which an import is about to fill the tables; keeps the progress if it is the same account.
 * The first objects are counted by the current rules and policy.
 */
export async function namePaymentAccount(
  tenant: Tenant,
  account: { accountId: string | null; isLive: boolean },
): Promise<void> {
  const values = { account_id: account.accountId, is_live: account.isLive }
  await tenant.sql
    .insertInto('payment_mirrors')
    .values({
      ...values,
      organization_id: tenant.organizationId,
      rule_book_version: ruleBookVersion,
      policy_revision: sql<number>`
        (select coalesce(max(revision), 0) from mrr_policies where organization_id = ${tenant.organizationId})`,
    })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
    .execute()
}

/**
 * Records that the tables contain everything up to these times. Imports by a worker of an older release used its
 * rules, so a newer worker counts them again.
 */
export async function markRefreshed(
  tenant: Tenant,
  mark: { refreshedAt: Date; eventsUntil: Date | null; areCustomersRead: boolean },
): Promise<void> {
  await tenant.sql
    .updateTable('payment_mirrors')
    .set({
      refreshed_at: mark.refreshedAt,
      events_until: mark.eventsUntil,
      rule_book_version: sql<number>`least(rule_book_version, ${ruleBookVersion}::integer)`,
      ...(mark.areCustomersRead && { customers_read_at: mark.refreshedAt }),
    })
    .where('organization_id', '=', tenant.organizationId)
    .execute()
}

const mirrored = [
  'billing_v2_totals',
  'snapshots',
  'events',
  'invoice_payments',
  'invoices',
  'subscriptions',
  'customers',
  'customer_texts',
  'coupons',
  'prices',
  'products',
  'payment_changes',
  'freshness',
  'unlisted_objects',
  // An account that is replaced takes along what its runs changed.
  'run_records',
  'payment_mirrors',
] as const

/**
 * Deletes everything read from an account or derived from it, so that two accounts never mix; the next account decides
 * again in which currency totals are. Reports of recounts stay; a running recount has nothing left to compare.
 */
export async function clearPaymentAccount(tenant: Tenant): Promise<void> {
  // A large account needs more time than a request may take.
  await sql`select set_config('statement_timeout', '0', true)`.execute(tenant.sql)
  await tenant.sql
    .updateTable('organization_settings')
    .set({ reporting_currency: null, is_reporting_decided: false })
    .where('organization_id', '=', tenant.organizationId)
    .execute()
  // The links stay, so that no record is created twice, but nothing that the account said.
  await sql`update crm_links set told = null
             where organization_id = ${tenant.organizationId} and told is not null`.execute(tenant.sql)
  for (const table of mirrored) {
    await tenant.sql.deleteFrom(table).where('organization_id', '=', tenant.organizationId).execute()
  }
  await tenant.sql
    .deleteFrom('recounts')
    .where('organization_id', '=', tenant.organizationId)
    .where('completed_at', 'is', null)
    .execute()
  await recountTotals(tenant)
}
