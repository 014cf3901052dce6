import type { IdentityPort, Session } from '../providers/identity.ts'
import type { Caller, CallLimit } from './call-limit.ts'
import { createSessionTurns } from './turns.ts'

/** Cookies whose last owner is remembered; whoever is forgotten is looked up as one who comes for the first time. */
const rememberedMax = 10_000

/** Finds the session of a request; `network` is where it comes from. Throws the refusal of whoever asks too fast. */
export type Door = (request: Request, network: string) => Promise<Session | null>

/**
 * Finds out who calls, in turn: the database has to be asked each time, and whoever asks a lot would keep all others waiting
 * there already. By the owner that a cookie had last a call is counted and waits in line before that; who may do what
 * only the session says that is found then.
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
