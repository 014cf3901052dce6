import type { RecordFreshness } from '#contract/subscriptions.ts'
import { nextHourlyTurn, promisedSeconds } from '#domain/freshness.ts'
import { findConnection } from '../store/connections/connections.ts'
import { findPaymentWebhook } from '../store/connections/payment-webhooks.ts'
import type { Tenant } from '../store/postgres/database.ts'
import type { Arrival, Freshness } from '../store/runs/freshness.ts'
import { getSettings } from '../store/setup/settings.ts'
import { readDetails } from '../work/connections/payments-connection.ts'

/** What is promised to an organization: where its changes arrive by themselves, and within how many seconds. */
export async function readPromise(
  tenant: Tenant,
): Promise<{ to: Arrival; seconds: number; readsChanges: boolean }> {
  const { autoSyncEnabled } = await getSettings(tenant)
  const payments = await findConnection(tenant, 'payments')
  const readsChanges = payments === undefined || readDetails(payments.details).mayReadChanges
  const isPushed = autoSyncEnabled && (await findConnection(tenant, 'crm')) !== undefined
  const hasWebhook = (await findPaymentWebhook(tenant)) !== undefined
  return {
    to: isPushed ? 'crm' : 'ledger',
    seconds: promisedSeconds({ hasWebhook, readsChanges }),
    readsChanges,
  }
}

/** What changed before then should be in the CRM by now; null where nothing is pushed by itself. */
export async function promisedSince(tenant: Tenant, now: Date): Promise<Date | null> {
  const { to, seconds } = await readPromise(tenant)
  return to === 'crm' ? new Date(now.getTime() - seconds * 1_000) : null
}

/** When the next automatic run begins; undefined where none does, and where a refused connection would end it at once. */
export async function findNextRunAt(tenant: Tenant, now: Date): Promise<Date | undefined> {
  const { autoSyncEnabled, setupComplete } = await getSettings(tenant)
  const crm = await findConnection(tenant, 'crm')
  const payments = await findConnection(tenant, 'payments')
  const areUsable = [crm, payments].every((connection) => connection?.warning === null)
  return autoSyncEnabled && setupComplete && areUsable
    ? nextHourlyTurn(tenant.organizationId, now)
    : undefined
}

/** Converts what is known of a record's last change to its wire form, and says whether it was or is late. */
export async function toRecordFreshness(
  tenant: Tenant,
  known: Freshness | undefined,
  now: Date,
): Promise<RecordFreshness | null> {
  if (known === undefined) return null
  const { changedAt, ledgerAt, crmAt } = known
  const { to, seconds } = await readPromise(tenant)
  const arrivedAt = to === 'crm' ? (crmAt ?? now) : ledgerAt
  return {
    changedAt: changedAt.toISOString(),
    ledgerAt: ledgerAt.toISOString(),
    hubspotAt: crmAt?.toISOString() ?? null,
    promisedSeconds: seconds,
    isLate: arrivedAt.getTime() - changedAt.getTime() > seconds * 1_000,
  }
}
