import { canonicalEmail } from '../../email-address.ts'
import { Refusal } from '../../refusal.ts'
import { type Actor, recordAudit } from '../../store/accounts/audit.ts'
import {
  findInvitationTo,
  listInvitationsTo,
  listTakenInvitations,
  takeInvitation,
} from '../../store/accounts/invitations.ts'
import { addMember } from '../../store/accounts/members.ts'
import { type Database, inOrganization } from '../../store/postgres/database.ts'
import { claimableDomain } from '../addresses/mail-domain.ts'

/** A signed-in user, whose address counts only once it is verified. */
export type Joiner = Actor & { emailVerified: boolean }

/**
 * Accepts the only invitation to the caller's verified address if its organization has claimed the address's domain;
 * returns that organization. Otherwise the person must choose, because anybody can invite anyone, and a new member
 * may bring the company's keys.
 */
export async function joinInvitedOrganization(
  database: Database,
  joiner: Joiner,
): Promise<{ hasPendingInvitation: boolean; joinedId: number | null }> {
  const pending = await listInvitationsOf(database, joiner)
  const [only] = pending
  if (only === undefined || pending.length > 1 || !only.isFromOwnDomain) {
    return { hasPendingInvitation: pending.length > 0, joinedId: null }
  }
  const joined = await accept(database, joiner, only.token, only.organizationId)
  return { hasPendingInvitation: true, joinedId: joined ? only.organizationId : null }
}

/**
 * Accepts one invitation and returns its organization. Every invitation that the caller may not accept gets the same
 * answer.
 */
export async function acceptInvitation(database: Database, joiner: Joiner, token: string): Promise<number> {
  const email = verifiedEmail(joiner)
  const organizationId = email === null ? undefined : await findInvitationTo(database, token, email)
  if (organizationId === undefined || !(await accept(database, joiner, token, organizationId))) {
    throw new Refusal(
      'not_found',
      'There is no such invitation for you. It may have been used or withdrawn. Ask for a new one.',
    )
  }
  return organizationId
}

/** The open invitations to the caller's verified address. */
export async function listInvitationsOf(database: Database, joiner: Joiner) {
  const email = verifiedEmail(joiner)
  return email === null ? [] : listInvitationsTo(database, email, claimableDomain(email))
}

/** The invitations to the caller's verified address that made the caller a member. */
export async function listTakenBy(database: Database, joiner: Joiner) {
  const email = verifiedEmail(joiner)
  return email === null ? [] : listTakenInvitations(database, email, joiner.userId)
}

function accept(database: Database, joiner: Joiner, token: string, organizationId: number): Promise<boolean> {
  return inOrganization(database, organizationId, async (tenant) => {
    const email = verifiedEmail(joiner)
    const role = email === null ? undefined : await takeInvitation(tenant, token, email)
    if (role === undefined) return false
    await addMember(tenant.sql, { organizationId, userId: joiner.userId, role })
    await recordAudit(tenant, joiner, { action: 'invitation_accepted', subject: role })
    return true
  })
}

function verifiedEmail({ email, emailVerified }: Joiner): string | null {
  return emailVerified ? canonicalEmail(email) : null
}
