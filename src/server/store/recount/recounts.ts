import { type Selectable, sql } from 'kysely'
import { ruleBookVersion } from '#domain/mrr/receipts/rule-book-version.ts'
import { listCurrentMrr } from '../ledger/dashboard.ts'
import { deriveSnapshots } from '../ledger/snapshots.ts'
import { markAllRebuildDue } from '../payments/customers.ts'
import { findPaymentAccount } from '../payments/payment-account.ts'
import type { Tenant } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'
import { prepared } from '../postgres/prepared.ts'
import type { Recounts } from '../postgres/tables.ts'

export type RecountRow = Selectable<Recounts>

/** The organization's newest policy revision; 0 if it has none. */
const currentRevision = (organizationId: number) => sql<number>`
  (select coalesce(max(revision), 0) from mrr_policies where organization_id = ${organizationId})`

/**
 * Whether the whole ledger must be rebuilt: older rules or an older policy made it, or a recount has not
 * ended. Before the first complete import there is nothing to rebuild.
 */
export async function isRecountDue(tenant: Tenant): Promise<boolean> {
  const { organizationId } = tenant
  const { rows } = await sql<{ isDue: boolean }>`${prepared}
    select rule_book_version < ${ruleBookVersion} or policy_revision < ${currentRevision(organizationId)}
           or exists (select from recounts r where r.organization_id = m.organization_id and r.completed_at is null)
           as "isDue"
      from payment_mirrors m where organization_id = ${organizationId} and refreshed_at is not null`.execute(
    tenant.sql,
  )
  return rows[0]?.isDue === true
}

/** The open recount, where rebuilds note their changes. */
export async function findOpenRecount(tenant: Tenant): Promise<RecountRow | undefined> {
  const { rows } = await sql<RecountRow>`
    select * from recounts where organization_id = ${tenant.organizationId} and completed_at is null`.execute(
    tenant.sql,
  )
  return rows[0]
}

/**
 * Begins or continues a recount: keeps the months shown so far and marks every customer. If rules or policy
 * changed again, it starts over but compares with the same months. Before the first complete import, it only
 * marks customers.
 */
export async function beginRecount(tenant: Tenant, at: Date): Promise<void> {
  const { organizationId } = tenant
  // On large accounts this takes longer than the statement timeout allows.
  await sql`select set_config('statement_timeout', '0', true)`.execute(tenant.sql)
  const mirror = await findPaymentAccount(tenant)
  const { rows } = await sql<{ policy: number }>`select ${currentRevision(organizationId)} as policy`.execute(
    tenant.sql,
  )
  const to = { to_rules: ruleBookVersion, to_policy: rows[0]?.policy ?? 0 }
  if (!mirror?.refreshed_at) {
    await markAllRebuildDue(tenant)
    await noteLedgerCountedBy(tenant, to)
    return
  }
  const open = await findOpenRecount(tenant)
  const isBehind = mirror.rule_book_version < to.to_rules || mirror.policy_revision < to.to_policy
  if (!open && !isBehind) return
  if (open) {
    if (open.to_rules === to.to_rules && open.to_policy === to.to_policy) return
    await tenant.sql
      .updateTable('recounts')
      .set(to)
      .where('organization_id', '=', organizationId)
      .where('id', '=', open.id)
      .execute()
  } else {
    await deriveSnapshots(tenant, at, at)
    const { id } = await tenant.sql
      .insertInto('recounts')
      .values({
        organization_id: organizationId,
        from_rules: mirror.rule_book_version,
        from_policy: mirror.policy_revision,
        ...to,
        started_at: at,
        mrr_before: storableJson(await currentMrr(tenant)),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`
      insert into recount_months (organization_id, recount_id, month, currency, mrr_before_cents, subscriptions_before)
      select organization_id, ${id}, month, currency, mrr_cents, active_subscriptions
        from snapshots where organization_id = ${organizationId}`.execute(tenant.sql)
  }
  await markAllRebuildDue(tenant)
}

/** The number of customers that are due for a rebuild. */
export async function countRebuildDue(tenant: Tenant): Promise<number> {
  const counted = await tenant.sql
    .selectFrom('customers')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('organization_id', '=', tenant.organizationId)
    .where('is_rebuild_due', '=', true)
    .executeTakeFirstOrThrow()
  return counted.count
}

/** Saves the rules and policy by which the whole ledger was counted. */
export async function noteLedgerCountedBy(
  tenant: Tenant,
  by: { to_rules: number; to_policy: number },
): Promise<void> {
  await tenant.sql
    .updateTable('payment_mirrors')
    .set({ rule_book_version: by.to_rules, policy_revision: by.to_policy })
    .where('organization_id', '=', tenant.organizationId)
    .execute()
}

/** Current MRR by currency, in its minor units. */
export async function currentMrr(tenant: Tenant): Promise<Record<string, number>> {
  const totals = await listCurrentMrr(tenant)
  return Object.fromEntries(totals.map(({ currency, mrrCents }) => [currency, mrrCents]))
}
