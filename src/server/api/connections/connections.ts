import {
  acceptHubspotPortal,
  connectStripe,
  createHubspotObjects,
  disconnectHubspot,
  disconnectStripe,
  getConnectionStatus,
  getHubspotAuthUrl,
  getHubspotObjects,
  hubspotCallback,
  verifyHubspot,
  verifyStripe,
} from '#contract/connections.ts'
import type { Context } from '../../http/context.ts'
import { type Router, serve } from '../../http/serve.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { findConnection, type ProviderConnection } from '../../store/connections/connections.ts'
import { countSynced } from '../../store/crm/crm-links.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import {
  acceptCrmPortal,
  authorizeCrm,
  completeCrmAuthorization,
  verifyCrm,
} from '../../work/connections/connect-crm.ts'
import { connectPayments, verifyPayments } from '../../work/connections/connect-payments.ts'
import { disconnectCrm } from '../../work/connections/disconnect-crm.ts'
import { disconnectPayments } from '../../work/connections/disconnect-payments.ts'
import { readDetails } from '../../work/connections/payments-connection.ts'
import { ensureCrmObjects, getCrmObjects } from '../../work/crm/ensure-crm-objects.ts'
import { crmStanding, paymentsStanding } from '../standing.ts'

export function serveConnections(router: Router): void {
  serveStripe(router)
  serveHubspot(router)

  serve(router, getConnectionStatus, ({ deps, inOrganization }) =>
    inOrganization(async (tenant) => {
      const payments = await findConnection(tenant, 'payments')
      const crm = await findConnection(tenant, 'crm')
      const portalId = crm?.account_id ?? null
      const details = payments && readDetails(payments.details)
      const errors = portalId === null ? 0 : (await countSynced(tenant, portalId)).errors
      return {
        hubspot: {
          ...stateOf(crm, deps.now()),
          warning: crm?.warning ?? null,
          portalId,
          earlierPortalId: crm?.earlier_account_id ?? null,
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

/** The beginning of a hint such as 'sk_test_…4242'. */
function firstCharacters(hint: string | null): string | null {
  return hint?.split(/[^A-Za-z0-9_]/)[0] ?? null
}

function serveStripe(router: Router): void {
  serve(
    router,
    connectStripe,
    async ({ deps, organizationId, session }, { body }) => {
      const { apiKey, resetData = false } = body
      const { message } = await connectPayments(deps, organizationId, apiKey, {
        resetData,
        byUserId: session.user.id,
      })
      return { connected: true, message }
    },
    paymentsStanding,
  )

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

function serveHubspot(router: Router): void {
  serve(router, getHubspotAuthUrl, async (context, { query }) => ({
    authUrl: await authorizeCrm(context.deps, callerOf(context), query.returnTo),
  }))

  serve(router, hubspotCallback, async ({ deps, request, findSession, callerAddress }) => {
    const session = await findSession()
    const caller =
      session === null || session.organization === null
        ? null
        : {
            organizationId: session.organization.id,
            userId: session.user.id,
            sessionId: session.sessionId,
            role: session.organization.role,
          }
    const { outcome, returnTo } = await completeCrmAuthorization(
      deps,
      caller,
      new URL(request.url).searchParams,
    )
    if (outcome === 'connected' && session !== null && caller !== null) {
      await inOrganization(deps.database, caller.organizationId, (tenant) =>
        recordAudit(
          tenant,
          { userId: caller.userId, email: session.user.email, address: callerAddress() },
          { action: 'hubspot_connected' },
        ),
      )
    }
    const path =
      returnTo === 'data-sync' ? `/data-sync?hubspot=${outcome}` : `/hubspot-connected?outcome=${outcome}`
    // Uses our own address only, so that nothing in the query decides where the browser goes.
    return new Response(null, { status: 302, headers: { location: `${deps.config.publicUrl}${path}` } })
  })

  serve(
    router,
    acceptHubspotPortal,
    async ({ deps, organizationId }, { body }) => {
      await acceptCrmPortal(deps, organizationId, body.portalId)
      return { success: true as const, message: `Using HubSpot account ${body.portalId}` }
    },
    crmStanding,
  )

  serve(router, verifyHubspot, ({ deps, organizationId }) => verifyCrm(deps, organizationId))

  serve(
    router,
    disconnectHubspot,
    async ({ deps, organizationId, session }) => {
      await disconnectCrm(deps, organizationId, session.user.id)
      return { success: true as const, message: 'Disconnected from HubSpot' }
    },
    crmStanding,
  )

  serve(router, getHubspotObjects, ({ deps, organizationId }) => getCrmObjects(deps, organizationId))
  serve(router, createHubspotObjects, ({ deps, organizationId }) => ensureCrmObjects(deps, organizationId))
}

function callerOf({ organizationId, role, session }: Context) {
  return { organizationId, role, userId: session.user.id, sessionId: session.sessionId }
}
