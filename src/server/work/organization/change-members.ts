import { isManager, losesLastOwner, mayChangeRole, mayRemove, type Role } from '#domain/membership.ts'
import { Refusal } from '../../refusal.ts'
import { type Actor, recordAudit } from '../../store/accounts/audit.ts'
import { cancelInvitationsBy } from '../../store/accounts/invitations.ts'
import {
  listMembers,
  lockMembership,
  type Member,
  removeMember,
  setRole,
} from '../../store/accounts/members.ts'
import { forgetOauthStates } from '../../store/connections/oauth-states.ts'
import { type Database, inOrganization, type Tenant } from '../../store/postgres/database.ts'

/** The member who makes a change, and the organization. */
export type ActingMember = { organizationId: number; actor: Actor }

const lastOwner = 'The organization needs an owner. Transfer the ownership first.'

/** Gives a member another role. */
export function changeRole(
  database: Database,
  caller: ActingMember,
  memberId: number,
  role: Role,
): Promise<void> {
  return amongMembers(database, caller, async (tenant, members, self) => {
    const target = memberOf(members, memberId)
    if (!mayChangeRole(self, target, role)) {
      throw new Refusal('forbidden', 'Only an owner may change who is an owner. Ask an owner to do it.')
    }
    if (losesLastOwner(members, target, role)) throw new Refusal('conflict', lastOwner)
    if (target.role === role) return
    await setRole(tenant, target.id, role)
    if (!isManager(role)) await endBegun(tenant, target.userId)
    await recordAudit(tenant, caller.actor, { action: 'role_changed', subject: `${target.email} (${role})` })
  })
}

/** Makes another member the owner in place of the caller, who becomes an admin. */
export function transferOwnership(database: Database, caller: ActingMember, memberId: number): Promise<void> {
  return amongMembers(database, caller, async (tenant, members, self) => {
    if (self.role !== 'owner')
      throw new Refusal('forbidden', 'Only an owner can transfer the ownership. Ask an owner to do it.')
    const target = memberOf(members, memberId)
    if (target.id === self.id)
      throw new Refusal('conflict', 'You are the owner already. Choose another member.')
    await setRole(tenant, target.id, 'owner')
    await setRole(tenant, self.id, 'admin')
    await recordAudit(tenant, caller.actor, { action: 'ownership_transferred', subject: target.email })
  })
}

/** Ends a membership. The person's open pages are refused from the next request on. */
export function endMembership(database: Database, caller: ActingMember, memberId: number): Promise<void> {
  return amongMembers(database, caller, async (tenant, members, self) => {
    const target = memberOf(members, memberId)
    if (!mayRemove(self, target))
      throw new Refusal('forbidden', 'Only an owner may remove an owner. Ask an owner to do it.')
    if (losesLastOwner(members, target, null)) throw new Refusal('conflict', lastOwner)
    await removeMember(tenant, target.id)
    await endBegun(tenant, target.userId)
    const action = target.id === self.id ? 'member_left' : 'member_removed'
    await recordAudit(tenant, caller.actor, { action, subject: target.email })
  })
}

/** Ends the caller's own membership. */
export function leaveOrganization(database: Database, caller: ActingMember): Promise<void> {
  return amongMembers(database, caller, async (tenant, members, self) => {
    if (losesLastOwner(members, self, null)) throw new Refusal('conflict', lastOwner)
    await removeMember(tenant, self.id)
    await endBegun(tenant, self.userId)
    await recordAudit(tenant, caller.actor, { action: 'member_left', subject: self.email })
  })
}

/**
 * Ends what somebody began as an owner or admin: consents at the CRM, and invitations, which could bring them back
 * under another address.
 */
async function endBegun(tenant: Tenant, userId: number): Promise<void> {
  await forgetOauthStates(tenant, userId)
  await cancelInvitationsBy(tenant, userId)
}

/** Handles one change per organization at a time, each based on the members at that moment. */
function amongMembers(
  database: Database,
  { organizationId, actor }: ActingMember,
  change: (tenant: Tenant, members: Member[], self: Member) => Promise<void>,
): Promise<void> {
  return inOrganization(database, organizationId, async (tenant) => {
    await lockMembership(tenant)
    const members = await listMembers(tenant)
    const self = members.find(({ userId }) => userId === actor.userId)
    if (self === undefined)
      throw new Refusal(
        'needs_organization',
        'You are no member of this organization. Ask for an invitation.',
      )
    await change(tenant, members, self)
  })
}

function memberOf(members: Member[], memberId: number): Member {
  const target = members.find(({ id }) => id === memberId)
  if (target === undefined) throw new Refusal('not_found', 'There is no such member. Reload the list.')
  return target
}
