import type { Deps } from '../deps.ts'
import type { Session } from '../providers/identity.ts'
import { acceptInvitation, listPendingInvitations } from '../store/invitations.ts'

/**
 * Looks for invitations to the verified address of the caller. A single one is accepted and becomes the active
 * organization; among several the person chooses.
 */
export async function joinInvitedOrganization(
  deps: Deps,
  session: Session,
): Promise<{ hasPendingInvitation: boolean; autoAccepted: boolean }> {
  if (!session.user.emailVerified) return { hasPendingInvitation: false, autoAccepted: false }
  const pending = await listPendingInvitations(deps.database, session.user.email)
  const [only] = pending
  if (only === undefined || pending.length > 1) {
    return { hasPendingInvitation: pending.length > 0, autoAccepted: false }
  }
  const autoAccepted = await acceptInvitation(deps.database, only.id, session.user.id)
  if (autoAccepted) await deps.identity.setActiveOrganization(session.sessionId, only.organizationId)
  return { hasPendingInvitation: true, autoAccepted }
}
