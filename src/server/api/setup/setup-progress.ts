import type { ResponseOf } from '#contract/endpoint.ts'
import { type getSetupProgress, spellStep } from '#contract/setup.ts'
import { findConnections } from '../../store/connections/connections.ts'
import { countSynced } from '../../store/crm/crm-links.ts'
import { areObjectsMissing } from '../../store/crm/crm-objects.ts'
import { countPendingMatches } from '../../store/matches/matches.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getSettings } from '../../store/setup/settings.ts'
import { countRows, getRunFacts } from '../../store/setup/setup-facts.ts'

export type SetupProgress = ResponseOf<typeof getSetupProgress>

/**
 * How far the setup has come. Only the current step and the end of the wizard are stored; every other flag is
 * calculated.
 */
export async function readSetupProgress(tenant: Tenant): Promise<SetupProgress> {
  const settings = await getSettings(tenant)
  const { payments, crm } = await findConnections(tenant)
  const facts = await getRunFacts(tenant)
  const synced = await readSynced(tenant, crm?.account_id ?? null)
  const isImported = facts.import === 'done'
  const isPushed = facts.push === 'done'
  // After a reset, records in the CRM count only once a run has completed again.
  const isCounted = isImported || isPushed
  return {
    currentStep: spellStep(settings.currentStep),
    // Without both connections the setup is incomplete, even if it was finished before.
    setupComplete: settings.setupComplete && crm !== undefined && payments !== undefined,
    hubspotConnected: crm !== undefined,
    hubspotUndecided: crm !== undefined && crm.earlier_account_id !== null,
    hubspotRefused: crm !== undefined && crm.warning !== null,
    hubspotObjectsMissing: crm?.account_id ? await areObjectsMissing(tenant, crm.account_id) : false,
    stripeConnected: payments !== undefined,
    dataImported: isImported,
    hasRecords: synced.total.subscriptions + synced.total.events > 0,
    dataSynced: crm !== undefined && (isPushed || (isImported && synced.isAll)),
    syncedSubscriptions: isCounted ? synced.subscriptions : 0,
    syncedTransactions: isCounted ? synced.events : 0,
    pendingMatchCount: await countPendingMatches(tenant),
  }
}

/** Counts all records, and those that the connected portal has confirmed in their current form. */
export async function readSynced(tenant: Tenant, portalId: string | null) {
  const total = await countRows(tenant)
  const synced = portalId === null ? { subscriptions: 0, events: 0 } : await countSynced(tenant, portalId)
  const hasRecords = total.subscriptions + total.events > 0
  const isAll = synced.subscriptions >= total.subscriptions && synced.events >= total.events
  return { ...synced, total, isAll: hasRecords && isAll }
}
