import { isManager, type Role } from '#domain/membership.ts'
import { Refusal } from '../../refusal.ts'

/**
 * Refuses members who are not owners or admins, where only part of a call needs that role; `deed` completes "can …".
 */
export function requireManager(role: Role, deed: string): void {
  if (!isManager(role)) throw new Refusal('forbidden', `Only owners and admins can ${deed}. Ask one of them.`)
}
