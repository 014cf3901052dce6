import { type Selectable, sql } from 'kysely'
import { ruleBookVersion } from '#domain/mrr/receipts/rule-book-version.ts'
import type { Tenant } from '../postgres/database.ts'
import type { PaymentMirrors } from '../postgres/tables.ts'

export type PaymentAccount = Selectable<PaymentMirrors>

/** Which account the kept payment objects came from; undefined before the first import. */
export function findPaymentAccount(tenant: Tenant): Promise<PaymentAccount | undefined> {
  return tenant.sql
    .selectFrom('payment_mirrors')
    .selectAll()
    .where('organization_id', '=', tenant.organizationId)
    .executeTakeFirst()
}

/**
 * Names the account from which the tables are about to be filled; keeps how far they are when it is named again. What comes
 * first is counted by the rules and the policy of now.
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
 * Notes that everything up to these instants is in the tables. What a worker of an older release has imported was counted
 * by its rules, so that a newer one counts it again.
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
  'customer_text_grams',
  'customer_texts',
  'coupons',
  'prices',
  'products',
  'payment_changes',
  'unlisted_objects',
  'payment_mirrors',
] as const

/**
 * Empties everything that was read from an account and made of it, so that two accounts never mix. Reports of recounts stay;
 * one that is under way has nothing left to compare with.
 */
export async function clearPaymentAccount(tenant: Tenant): Promise<void> {
  // A large account takes longer than a request may.
  await sql`select set_config('statement_timeout', '0', true)`.execute(tenant.sql)
  for (const table of mirrored) {
    await tenant.sql.deleteFrom(table).where('organization_id', '=', tenant.organizationId).execute()
  }
  await tenant.sql
    .deleteFrom('recounts')
    .where('organization_id', '=', tenant.organizationId)
    .where('completed_at', 'is', null)
    .execute()
}
