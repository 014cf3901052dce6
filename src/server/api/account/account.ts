import { checkDomainUsers, checkPendingInvitations, getAbout, getCurrentUser } from '#contract/account.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { ServerDeps } from '../../deps.ts'
import { canonicalHost, emailHost } from '../../email-address.ts'
import { isOperator } from '../../http/context.ts'
import { outboxUrlOf } from '../../http/outbox-page.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import { isDomainClaimed } from '../../store/accounts/domain-claims.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { findUnreadRecount } from '../../store/recount/read-report.ts'
import { claimableDomain } from '../../work/addresses/mail-domain.ts'
import { listInviters } from '../../work/organization/inviters.ts'
import { joinInvitedOrganization } from '../../work/organization/join-organization.ts'
import { enterOrganization } from '../organization/organization.ts'
import { readSetupProgress } from '../setup/setup-progress.ts'

/** The newest report of a recount that no owner or admin has read yet; members get none. */
async function findAnnouncement(
  deps: ServerDeps,
  { id, role }: { id: number; role: string },
): Promise<ResponseOf<typeof getCurrentUser>['unreadRecount']> {
  if (role === 'member') return null
  const unread = await inOrganization(deps.database, id, findUnreadRecount)
  return unread
    ? {
        recountId: String(unread.id),
        monthCount: unread.month_count,
        customerCount: unread.customer_count,
        hubspotRecordCount: unread.crm_record_count,
      }
    : null
}

export function serveAccount(router: Router): void {
  serve(router, getAbout, async ({ deps: { config, identity } }) => ({
    isStripeSimulated: config.stripe.isSimulated,
    isHubspotSimulated: config.hubspot.isSimulated,
    simulatedStripeUrl: config.stripe.isSimulated ? config.stripe.dashboardUrl : null,
    simulatedHubspotUrl: config.hubspot.isSimulated ? config.hubspot.appUrl : null,
    hasDemo: await identity.hasDemo(),
    outboxUrl: outboxUrlOf(config),
    hostedIdentity: config.oidc === null ? null : new URL(config.oidc.issuer).hostname,
    demoStripeKey: config.stripe.demoKey,
  }))

  serve(router, getCurrentUser, async ({ deps, session }) => {
    const { organization, user } = session
    const progress = organization && (await inOrganization(deps.database, organization.id, readSetupProgress))
    return {
      ...user,
      emailAddresses: [user.email],
      isOperator: isOperator(deps, session),
      needsOrganization: organization === null,
      organization,
      setupComplete: progress?.setupComplete ?? false,
      setupProgress: progress,
      unreadRecount: organization && (await findAnnouncement(deps, organization)),
    }
  })

  serve(router, checkDomainUsers, async ({ deps, session }, { body }) => {
    const { email, emailVerified } = session.user
    // For other domains the answer says nothing; otherwise anybody could ask which companies are our customers.
    if (!emailVerified || canonicalHost(body.emailDomain) !== emailHost(email)) {
      throw new Refusal('forbidden', 'Only the domain of your own verified address can be asked for.')
    }
    const domain = claimableDomain(email)
    if (domain === null || !(await isDomainClaimed(deps.database, domain)))
      return { isFirstUser: true, inviters: [] }
    return { isFirstUser: false, inviters: await listInviters(deps.database, domain) }
  })

  serve(router, checkPendingInvitations, async (context) => {
    const { deps, session, actor } = context
    const joiner = { ...actor, emailVerified: session.user.emailVerified }
    const { hasPendingInvitation, joinedId } = await joinInvitedOrganization(deps.database, joiner)
    if (joinedId !== null) await enterOrganization(context, joinedId)
    return { hasPendingInvitation, autoAccepted: joinedId !== null }
  })
}
