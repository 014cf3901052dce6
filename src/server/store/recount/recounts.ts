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

/** Which of its choices of policy the organization has made last; 0 where it has made none. */
const currentRevision = (organizationId: number) => sql<number>`
  (select coalesce(max(revision), 0) from mrr_policies where organization_id = ${organizationId})`

/**
 * Whether the whole ledger is to be rebuilt: it was rebuilt last by older rules or an older policy than are in force, or such
 * a rebuild was begun and has not come to its end. Before the first import is complete there is nothing to rebuild.
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

/** The recount that is under way; what is rebuilt meanwhile is noted there. */
export async function findOpenRecount(tenant: Tenant): Promise<RecountRow | undefined> {
  const { rows } = await sql<RecountRow>`
    select * from recounts where organization_id = ${tenant.organizationId} and completed_at is null`.execute(
    tenant.sql,
  )
  return rows[0]
}

/**
 * Begins the rebuild of the whole ledger, or goes on with the one that was begun: keeps the months as they are shown until
 * now, and marks every customer. One that was begun under other rules or another policy than are in force begins to be
 * counted anew; what was shown before it stays what is compared with. Where none is due it does nothing, and before the
 * first import is complete it only marks.
 */
export async function beginRecount(tenant: Tenant, at: Date): Promise<void> {
  const { organizationId } = tenant
  // Large accounts take longer than a request may.
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

/** How many customers wait for their rebuild. */
export async function countRebuildDue(tenant: Tenant): Promise<number> {
  const counted = await tenant.sql
    .selectFrom('customers')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('organization_id', '=', tenant.organizationId)
    .where('is_rebuild_due', '=', true)
    .executeTakeFirstOrThrow()
  return counted.count
}

/** Notes by which rules and policy the whole ledger stands. */
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
