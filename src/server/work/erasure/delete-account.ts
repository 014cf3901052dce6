import { Refusal } from '../../refusal.ts'
import type { Actor } from '../../store/audit.ts'
import { type Database, inOrganization } from '../../store/database.ts'
import { deleteUserRow } from '../../store/erasure/deletions.ts'
import { listMembers, lockMembership, removeMember } from '../../store/members.ts'
import { listMemberships } from '../../store/organizations.ts'

/**
 * Deletes the account of the person who asks. An organization is never left without an owner: whoever is its last one
 * hands it over or deletes it first, and nothing is changed until then.
 */
export async function deleteAccount(database: Database, actor: Actor, typedEmail: string): Promise<void> {
  if (typedEmail.toLowerCase() !== actor.email.toLowerCase()) {
    throw new Refusal('invalid_request', 'email: is not the address of your account. Type it as it stands.')
  }
  const memberships = await listMemberships(database, actor.userId)
  const owned: string[] = []
  for (const { id, name } of memberships) {
    if (await isLastOwner(database, id, actor.userId)) owned.push(name)
  }
  if (owned.length > 0) {
    throw lastOwnerOf(owned.join(', '))
  }
  for (const { id, name } of memberships) await leave(database, id, name, actor.userId)
  await deleteUserRow(database, { id: actor.userId, email: actor.email })
}

function isLastOwner(database: Database, organizationId: number, userId: number): Promise<boolean> {
  return inOrganization(database, organizationId, async (tenant) => {
    const owners = (await listMembers(tenant)).filter(({ role }) => role === 'owner')
    return owners.length === 1 && owners[0]?.userId === userId
  })
}

/** Looks once more under the lock: another owner may have left since. */
function leave(database: Database, organizationId: number, name: string, userId: number): Promise<void> {
  return inOrganization(database, organizationId, async (tenant) => {
    await lockMembership(tenant)
    const members = await listMembers(tenant)
    const self = members.find((member) => member.userId === userId)
    if (!self) return
    const owners = members.filter(({ role }) => role === 'owner')
    if (self.role === 'owner' && owners.length === 1) {
      throw lastOwnerOf(name)
    }
    await removeMember(tenant, self.id)
  })
}

function lastOwnerOf(names: string): Refusal {
  return new Refusal(
    'conflict',
    `You are the only owner of ${names}. Transfer the ownership or delete the organization first.`,
  )
}
