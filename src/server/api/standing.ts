import type { Context } from '../http/context.ts'
import { findConnection } from '../store/connections/connections.ts'
import { findPaymentWebhook } from '../store/connections/payment-webhooks.ts'
import { findCurrentPortal } from '../store/crm/current-portal.ts'
import { listRules } from '../store/matches/match-rules.ts'
import { countPendingMatches, findMatch } from '../store/matches/matches.ts'
import type { Tenant } from '../store/postgres/database.ts'
import { findRunInProgress } from '../store/runs/runs.ts'
import { getSettings } from '../store/setup/settings.ts'
import { getRunFacts } from '../store/setup/setup-facts.ts'
import { paymentsSealPlace, webhookSealPlace } from '../work/connections/payments-connection.ts'

// What calls change, as it stands. A call that leaves it as it was has no line in the activity log.

/** Everything that an organization has chosen. */
export const settingsStanding = (tenant: Tenant) => getSettings(tenant)

/** Where the wizard stands. */
export const setupStanding = async (tenant: Tenant) => [await getSettings(tenant), await getRunFacts(tenant)]

/** Which key of which Stripe account is kept; a new sealing of the same key is no other key. */
export async function paymentsStanding(tenant: Tenant, { deps, organizationId }: Context) {
  const kept = await findConnection(tenant, 'payments')
  if (!kept) return null
  const { account_id, is_live, warning, sealed_secret } = kept
  const key = opened(() => deps.seal.open(paymentsSealPlace(organizationId), sealed_secret))
  return { account_id, is_live, warning, key }
}

/** Which secret deliveries are signed with. */
export async function webhookStanding(tenant: Tenant, { deps, organizationId }: Context) {
  const kept = await findPaymentWebhook(tenant)
  return kept && opened(() => deps.seal.open(webhookSealPlace(organizationId), kept.sealed_secret))
}

/** Which HubSpot account is connected, and whether one before it still waits for an answer. */
export async function crmStanding(tenant: Tenant) {
  const kept = await findConnection(tenant, 'crm')
  return kept && [kept.account_id, kept.earlier_account_id]
}

/** Which run is under way. */
export const runStanding = async (tenant: Tenant) => (await findRunInProgress(tenant))?.id

/** The rules for domains, and how many customers wait for a decision. */
export async function rulesStanding(tenant: Tenant) {
  const portalId = await findCurrentPortal(tenant)
  const rules = portalId === null ? [] : await listRules(tenant, portalId)
  return [rules.map(({ createdAt: _, ...rule }) => rule), await countPendingMatches(tenant)]
}

/** The match of a customer, and the rules. */
export async function matchStanding(tenant: Tenant, _: Context, { customerId }: { customerId: string }) {
  const portalId = await findCurrentPortal(tenant)
  const match = portalId === null ? undefined : await findMatch(tenant, portalId, customerId)
  return [match, await rulesStanding(tenant)]
}

/** A secret that cannot be opened is like no other, itself included. */
function opened(open: () => string): unknown {
  try {
    return open()
  } catch {
    return Symbol('unreadable')
  }
}
