import type { IdentityPort, Session } from '../providers/identity.ts'
import type { Caller, CallLimit } from './call-limit.ts'
import { createSessionTurns } from './turns.ts'

/**
 * For this many cookies the last owner is remembered. The owner of any other cookie is looked up as on a first
 * visit.
 */
const rememberedMax = 10_000

/** Finds the session of a request that comes from `network`. Throws a refusal when the caller is too fast. */
export type Door = (request: Request, network: string) => Promise<Session | null>

/**
 * A session costs a query, so callers wait for their turn before it. Calls are counted and queued under
 * the last known owner of the cookie, so a busy caller delays nobody. Only the session found then grants
 * access.
 */
export function createDoor(
  identity: Pick<IdentityPort, 'findSession' | 'sessionCookie'>,
  limitCalls: CallLimit,
  inTurn = createSessionTurns(),
): Door {
  const remembered = new Map<string, Caller>()
  return async ({ headers, method, signal }, network) => {
    const cookie = identity.sessionCookie(headers)
    if (cookie === undefined) return null
    const known = remembered.get(cookie)
    if (known) limitCalls(known)
    const find = () => identity.findSession(headers)
    const session = await inTurn(lineOf(known, network), find, method === 'GET' ? signal : undefined)
    remembered.delete(cookie)
    if (session === null) return null
    const caller = { userId: session.user.id, organizationId: session.organization?.id ?? null }
    if (!known) limitCalls(caller)
    remembered.set(cookie, caller)
    for (const oldest of remembered.keys()) {
      if (remembered.size <= rememberedMax) break
      remembered.delete(oldest)
    }
    return session
  }
}

function lineOf(known: Caller | undefined, network: string): string {
  if (known === undefined) return `network ${network}`
  return known.organizationId === null ? `user ${known.userId}` : `organization ${known.organizationId}`
}
