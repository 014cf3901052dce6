import { isManager, type Role } from '#domain/membership.ts'
import { Refusal } from '../../refusal.ts'

/** Lets owners and admins through where only a part of a call is theirs; `deed` says which, after "can". */
export function requireManager(role: Role, deed: string): void {
  if (!isManager(role)) throw new Refusal('forbidden', `Only owners and admins can ${deed}. Ask one of them.`)
}
