import {
  connectStripe,
  disconnectStripe,
  getConnectionStatus,
  getStripeKeyGuide,
  verifyStripe,
} from '#contract/connections.ts'
import { type Router, serve } from '../../http/serve.ts'
import { findConnection, type ProviderConnection } from '../../store/connections/connections.ts'
import { countRefused } from '../../store/crm/refusals.ts'
import { connectPayments, verifyPayments } from '../../work/connections/connect-payments.ts'
import { disconnectPayments } from '../../work/connections/disconnect-payments.ts'
import { readDetails } from '../../work/connections/payments-connection.ts'
import { paymentsStanding } from '../standing.ts'
import { serveHubspot } from './hubspot.ts'
import { serveHubspotObjects } from './hubspot-objects.ts'

export function serveConnections(router: Router): void {
  serveStripe(router)
  serveHubspot(router)
  serveHubspotObjects(router)

  serve(router, getConnectionStatus, ({ deps, inOrganization }) =>
    inOrganization(async (tenant) => {
      const payments = await findConnection(tenant, 'payments')
      const crm = await findConnection(tenant, 'crm')
      const portalId = crm?.account_id ?? null
      const details = payments && readDetails(payments.details)
      const errors = portalId === null ? 0 : await countRefused(tenant, portalId)
      return {
        hubspot: {
          ...stateOf(crm, deps.now()),
          warning: crm?.warning ?? null,
          portalId,
          portalDomain: portalDomainOf(crm?.details),
          earlierPortalId: crm?.earlier_account_id ?? null,
          maskedKey: crm?.secret_hint ?? null,
        },
        stripe: {
          ...stateOf(payments, deps.now()),
          accountId: payments?.account_id ?? null,
          apiKeyFirstChars: firstCharacters(payments?.secret_hint ?? null),
          warning: payments?.warning ?? details?.unread ?? null,
          missingOptionalPermissions: details?.missingOptionalPermissions ?? [],
        },
        syncErrorCount: errors,
      }
    }),
  )
}

/**
 * The result of the last call to the provider; null when a token has expired since then, because the state is then
 * unknown.
 */
function stateOf(connection: ProviderConnection | undefined, now: Date) {
  if (connection === undefined) return { dbConnected: false, apiConnected: false }
  const isStale = connection.expires_at !== null && connection.expires_at < now
  return { dbConnected: true, apiConnected: connection.warning !== null ? false : isStale ? null : true }
}

/** Connections of an earlier version have no domain in their details. */
function portalDomainOf(details: unknown): string | null {
  if (typeof details !== 'object' || details === null || !('domain' in details)) return null
  return typeof details.domain === 'string' ? details.domain : null
}

/** The beginning of a hint such as 'sk_test_…4242'. */
function firstCharacters(hint: string | null): string | null {
  return hint?.split(/[^A-Za-z0-9_]/)[0] ?? null
}

function serveStripe(router: Router): void {
  serve(
    router,
    connectStripe,
    async ({ deps, organizationId, session }, { body }) => {
      const { apiKey, account, resetData = false } = body
      const { message } = await connectPayments(deps, organizationId, apiKey, {
        account,
        resetData,
        byUserId: session.user.id,
      })
      return { connected: true, message }
    },
    paymentsStanding,
  )

  serve(router, getStripeKeyGuide, ({ deps }) => {
    const { keyPages, permissions } = deps.payments.guide
    return { pages: keyPages, permissions }
  })

  serve(router, verifyStripe, ({ deps, organizationId }) => verifyPayments(deps, organizationId))

  serve(
    router,
    disconnectStripe,
    async ({ deps, organizationId, session }) => {
      await disconnectPayments(deps, organizationId, session.user.id)
      return { success: true as const, message: 'Disconnected from Stripe' }
    },
    paymentsStanding,
  )
}
