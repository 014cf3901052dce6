import {
  acceptHubspotPortal,
  connectHubspotByKey,
  disconnectHubspot,
  getHubspotAuthUrl,
  getHubspotWays,
  hubspotCallback,
  verifyHubspot,
} from '#contract/connections.ts'
import type { Context } from '../../http/context.ts'
import { type Router, serve } from '../../http/serve.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import {
  acceptCrmPortal,
  authorizeCrm,
  completeCrmAuthorization,
  verifyCrm,
} from '../../work/connections/connect-crm.ts'
import { connectCrmByKey } from '../../work/connections/connect-crm-by-key.ts'
import { disconnectCrm } from '../../work/connections/disconnect-crm.ts'
import { crmStanding } from '../standing.ts'

/** Connecting HubSpot by consent or by a service key, and disconnecting it. */
export function serveHubspot(router: Router): void {
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

  serve(router, getHubspotWays, async ({ deps: { crm, config } }) => ({
    hasApp: crm.hasApp,
    appProblem: config.hubspot.redirectProblem?.text ?? null,
    keyPlace: crm.keyPlace,
    keyScopes: crm.keyScopes.map((scope) => ({ ...scope })),
  }))

  serve(
    router,
    connectHubspotByKey,
    async (context, { body }) => {
      const connected = await connectCrmByKey(context.deps, callerOf(context), body.serviceKey)
      return { connected: true, ...connected }
    },
    crmStanding,
  )

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
}

function callerOf({ organizationId, role, session }: Context) {
  return { organizationId, role, userId: session.user.id, sessionId: session.sessionId }
}
