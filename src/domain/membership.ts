/** What a member may do: owners everything, admins all but what concerns owners, members the daily work. */
export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

/** One person of an organization, as far as the rules of membership look. */
export type Membership = { userId: number; role: Role }

/**
 * Whether the role decides what the organization is connected to and how it works: connections, keys, settings, setup,
 * beginning anew, deletion. A member sees everything, matches, imports and pushes.
 */
export function isManager(role: Role): boolean {
  return role !== 'member'
}

/** Whether `actor` may give `target` the role; an owner may be made and unmade by owners alone. */
export function mayChangeRole(actor: { role: Role }, target: { role: Role }, role: Role): boolean {
  if (actor.role === 'owner') return true
  return actor.role === 'admin' && target.role !== 'owner' && role !== 'owner'
}

/** Whether `actor` may end the membership of `target`. Everyone may end their own. */
export function mayRemove(actor: Membership, target: Membership): boolean {
  if (actor.userId === target.userId || actor.role === 'owner') return true
  return actor.role === 'admin' && target.role !== 'owner'
}

/** Whether the organization would be left without an owner, were `target` to have `role` or, with null, to be gone. */
export function losesLastOwner(
  members: readonly Membership[],
  target: Membership,
  role: Role | null,
): boolean {
  if (target.role !== 'owner' || role === 'owner') return false
  return !members.some((member) => member.role === 'owner' && member.userId !== target.userId)
}
