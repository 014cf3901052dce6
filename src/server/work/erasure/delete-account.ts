import { losesLastOwner } from '#domain/membership.ts'
import { Refusal } from '../../refusal.ts'
import { type Actor, recordAudit } from '../../store/accounts/audit.ts'
import { cancelInvitationsBy } from '../../store/accounts/invitations.ts'
import { listMembers, lockMembership, type Member, removeMember } from '../../store/accounts/members.ts'
import { listMemberships } from '../../store/accounts/organizations.ts'
import { deleteUserRow } from '../../store/erasure/deletions.ts'
import { type Database, inOrganization } from '../../store/postgres/database.ts'

/**
 * Deletes the caller's account. An organization always keeps an owner: its last owner must first transfer or delete
 * it, and until then nothing changes.
 */
export async function deleteAccount(database: Database, actor: Actor, typedEmail: string): Promise<void> {
  if (typedEmail.toLowerCase() !== actor.email.toLowerCase()) {
    throw new Refusal('invalid_request', 'email: is not the address of your account. Type it as it stands.')
  }
  const memberships = await listMemberships(database, actor.userId)
  const owned: string[] = []
  for (const { id, name } of memberships) {
    if (await ownsAlone(database, id, actor.userId)) owned.push(name)
  }
  if (owned.length > 0) {
    throw lastOwnerOf(owned.join(', '))
  }
  for (const { id, name } of memberships) await leave(database, id, name, actor.userId)
  await deleteUserRow(database, { id: actor.userId, email: actor.email })
}

function ownsAlone(database: Database, organizationId: number, userId: number): Promise<boolean> {
  return inOrganization(database, organizationId, async (tenant) =>
    isLastOwner(await listMembers(tenant), userId),
  )
}

/** Checks again under the lock, because another owner may have left since. */
function leave(database: Database, organizationId: number, name: string, userId: number): Promise<void> {
  return inOrganization(database, organizationId, async (tenant) => {
    await lockMembership(tenant)
    const members = await listMembers(tenant)
    if (isLastOwner(members, userId)) throw lastOwnerOf(name)
    const self = members.find((member) => member.userId === userId)
    if (!self) return
    await removeMember(tenant, self.id)
    await cancelInvitationsBy(tenant, userId)
    await recordAudit(tenant, null, { action: 'member_left', subject: 'a deleted account' })
  })
}

function isLastOwner(members: readonly Member[], userId: number): boolean {
  const self = members.find((member) => member.userId === userId)
  return self !== undefined && losesLastOwner(members, self, null)
}

function lastOwnerOf(names: string): Refusal {
  return new Refusal(
    'conflict',
    `You are the only owner of ${names}. Transfer the ownership or delete the organization first.`,
  )
}
