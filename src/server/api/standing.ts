import type { Context } from '../http/context.ts'
import { findConnection } from '../store/connections/connections.ts'
import { findPaymentWebhook } from '../store/connections/payment-webhooks.ts'
import { findCurrentPortal } from '../store/crm/current-portal.ts'
import { listRules } from '../store/matches/match-rules.ts'
import { countPendingMatches, findMatch } from '../store/matches/matches.ts'
import type { Tenant } from '../store/postgres/database.ts'
import { countOwnRates } from '../store/reporting/rates.ts'
import { getReporting } from '../store/reporting/reporting.ts'
import { findRunInProgress } from '../store/runs/runs.ts'
import { getSettings } from '../store/setup/settings.ts'
import { getRunFacts } from '../store/setup/setup-facts.ts'
import { paymentsSealPlace, webhookSealPlace } from '../work/connections/payments-connection.ts'
import { openTokens, usesServiceKey } from '../work/crm/sealed-tokens.ts'

// The state that each call changes. A call that leaves it unchanged gets no line in the activity log.

/** All settings of an organization. */
export const settingsStanding = (tenant: Tenant) => getSettings(tenant)

/** The currency of totals and how amounts get there. */
export const reportingStanding = (tenant: Tenant) => getReporting(tenant)

/** How many rates were uploaded, and whether they are in use. */
export const ratesStanding = async (tenant: Tenant) => [
  await getReporting(tenant),
  await countOwnRates(tenant),
]

/** The current step of the wizard. */
export const setupStanding = async (tenant: Tenant) => [await getSettings(tenant), await getRunFacts(tenant)]

/** Which key of which Stripe account is stored. Sealing the same key again does not change it. */
export async function paymentsStanding(tenant: Tenant, { deps, organizationId }: Context) {
  const kept = await findConnection(tenant, 'payments')
  if (!kept) return null
  const { account_id, is_live, warning, sealed_secret } = kept
  const key = opened(() => deps.seal.open(paymentsSealPlace(organizationId), sealed_secret))
  return { account_id, is_live, warning, key }
}

/** The secret that signs deliveries. */
export async function webhookStanding(tenant: Tenant, { deps, organizationId }: Context) {
  const kept = await findPaymentWebhook(tenant)
  return kept && opened(() => deps.seal.open(webhookSealPlace(organizationId), kept.sealed_secret))
}

/**
 * The connected HubSpot account, whether an earlier one still waits for a decision, and which service key connects it.
 * Tokens are left out, because they are renewed by themselves.
 */
export async function crmStanding(tenant: Tenant, { deps, organizationId }: Context) {
  const kept = await findConnection(tenant, 'crm')
  if (!kept) return kept
  const key = usesServiceKey(kept) && opened(() => openTokens(deps, organizationId, kept).accessToken)
  return [kept.account_id, kept.earlier_account_id, kept.warning, key]
}

/** Which run is under way. */
export const runStanding = async (tenant: Tenant) => (await findRunInProgress(tenant))?.id

/** The rules for domains, and how many customers wait for a decision. */
export async function rulesStanding(tenant: Tenant) {
  const portalId = await findCurrentPortal(tenant)
  const rules = portalId === null ? [] : await listRules(tenant, portalId)
  return [rules.map(({ createdAt: _, createdBy: __, ...rule }) => rule), await countPendingMatches(tenant)]
}

/** The match of a customer, and the rules. */
export async function matchStanding(tenant: Tenant, _: Context, { customerId }: { customerId: string }) {
  const portalId = await findCurrentPortal(tenant)
  const match = portalId === null ? undefined : await findMatch(tenant, portalId, customerId)
  return [match, await rulesStanding(tenant)]
}

/** A secret that cannot be opened equals no other secret, not even itself. */
function opened(open: () => string): unknown {
  try {
    return open()
  } catch {
    return Symbol('unreadable')
  }
}
