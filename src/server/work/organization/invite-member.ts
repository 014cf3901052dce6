import { randomBytes } from 'node:crypto'
import { canonicalEmail } from '../../email-address.ts'
import { Refusal } from '../../refusal.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { addInvitation, cancelInvitation, listOpenInvitations } from '../../store/accounts/invitations.ts'
import { listMembers, lockMembership, type Member } from '../../store/accounts/members.ts'
import { type Database, inOrganization } from '../../store/postgres/database.ts'
import type { ActingMember } from './change-members.ts'
import { spendInvitation } from './invitation-budgets.ts'

/** Open invitations per organization, because each one is mail to a stranger. */
const openMax = 100
const tokenBytes = 24

/**
 * Invites an address and replaces an earlier invitation to it. Returns the invitation's token and the address as
 * stored.
 */
export function inviteMember(
  database: Database,
  caller: ActingMember,
  wanted: { email: string; role: 'admin' | 'member' },
): Promise<{ id: number; token: string; email: string }> {
  const email = canonicalEmail(wanted.email)
  if (email === null) throw new Refusal('invalid_request', 'This is not an email address. Check it.')
  return inOrganization(database, caller.organizationId, async (tenant) => {
    await lockMembership(tenant)
    const members = await listMembers(tenant)
    requireManager(members, caller)
    if (members.some((member) => member.email === email)) {
      throw new Refusal(
        'conflict',
        'This person is a member already. Change their role in the list of members.',
      )
    }
    const open = await listOpenInvitations(tenant)
    const earlier = open.find((invitation) => invitation.email === email)
    if (open.length >= openMax && earlier === undefined) {
      throw new Refusal('conflict', `There are ${openMax} open invitations. Cancel some of them first.`)
    }
    const inviterId = caller.actor.userId
    await spendInvitation(tenant, { email, inviterId, isMailLost: earlier?.mail === 'failed' })
    const fresh = randomBytes(tokenBytes).toString('base64url')
    const { id, token } = await addInvitation(tenant, { token: fresh, email, role: wanted.role, inviterId })
    await recordAudit(tenant, caller.actor, {
      action: 'member_invited',
      subject: `${email} (${wanted.role})`,
    })
    return { id, token, email }
  })
}

/** Withdraws an open invitation. */
export function withdrawInvitation(database: Database, caller: ActingMember, token: string): Promise<void> {
  return inOrganization(database, caller.organizationId, async (tenant) => {
    await lockMembership(tenant)
    requireManager(await listMembers(tenant), caller)
    const email = await cancelInvitation(tenant, token)
    if (email === undefined)
      throw new Refusal('not_found', 'There is no such open invitation. Reload the list.')
    await recordAudit(tenant, caller.actor, { action: 'invitation_cancelled', subject: email })
  })
}

/** Checked under the lock, since a role may have changed after the request was accepted. */
function requireManager(members: Member[], { actor }: ActingMember): void {
  const self = members.find(({ userId }) => userId === actor.userId)
  if (self === undefined || self.role === 'member') {
    throw new Refusal('forbidden', 'This is for owners and admins of the organization. Ask one of them.')
  }
}
