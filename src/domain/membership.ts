/** Owners may do everything, admins everything that does not concern owners, members the daily work. */
export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

/** One person of an organization, with the fields that the membership rules read. */
export type Membership = { userId: number; role: Role }

/**
 * Whether the role may change connections, keys, settings and setup, erase people, and manage members. A member may see
 * figures and records, review matches, import and push.
 */
export function isManager(role: Role): boolean {
  return role !== 'member'
}

/** Whether `actor` may give `target` the role; only owners may add or remove an owner. */
export function mayChangeRole(actor: { role: Role }, target: { role: Role }, role: Role): boolean {
  if (actor.role === 'owner') return true
  return actor.role === 'admin' && target.role !== 'owner' && role !== 'owner'
}

/** Whether `actor` may end the membership of `target`. Everyone may end their own. */
export function mayRemove(actor: Membership, target: Membership): boolean {
  if (actor.userId === target.userId || actor.role === 'owner') return true
  return actor.role === 'admin' && target.role !== 'owner'
}

/** Whether the organization would have no owner left if `target` got `role`, or left (null). */
export function losesLastOwner(
  members: readonly Membership[],
  target: Membership,
  role: Role | null,
): boolean {
  if (target.role !== 'owner' || role === 'owner') return false
  return !members.some((member) => member.role === 'owner' && member.userId !== target.userId)
}
