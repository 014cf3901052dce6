import type { Access } from '#contract/endpoint.ts'
import { isManager, type Role } from '#domain/membership.ts'
import type { ServerDeps } from '../deps.ts'
import { networkOf } from '../providers/identity/network.ts'
import type { Session } from '../providers/identity.ts'
import { Refusal } from '../refusal.ts'
import type { Actor } from '../store/accounts/audit.ts'
import { inOrganization, type Tenant } from '../store/postgres/database.ts'
import type { StrangerLimit } from './call-limit.ts'
import { clientAddressOf } from './client-address.ts'
import type { Door } from './door.ts'

/** What a handler receives. The organization always comes from the session. */
export type Context = {
  readonly deps: ServerDeps
  readonly request: Request
  /** The caller's identity. Absent on public endpoints, which call `findSession` themselves. */
  readonly session: Session
  readonly organizationId: number
  /** The caller's role in the organization at the time of this request. */
  readonly role: Role
  /** The caller's name in the activity log. */
  readonly actor: Actor
  /** The caller's network address; null when it is not known. */
  callerAddress(): string | null
  /** Cookies to send with the answer. */
  readonly cookies: string[]
  /** Runs `work` in one transaction of the caller's organization. */
  inOrganization<T>(work: (tenant: Tenant) => Promise<T>): Promise<T>
  findSession(): Promise<Session | null>
}

type Limits = { deps: ServerDeps; enter: Door; limitStrangers: StrangerLimit }

/** Finds the caller and checks access and the limit on calls; throws a refusal otherwise. */
export async function openContext(
  { deps, enter, limitStrangers }: Limits,
  access: Access,
  request: Request,
  remoteAddress: string | undefined,
): Promise<Context> {
  const address = clientAddressOf(deps.config)(request.headers, remoteAddress)
  const session = access === 'public' ? null : await enter(request, networkOf(address ?? ''))
  if (session === null && (request.method !== 'POST' || access !== 'public')) {
    // Deliveries of a provider are not counted here: few addresses send them for all organizations.
    limitStrangers(address)
  }
  if (access !== 'public') requireAccess(deps, access, session)
  const context: Context = {
    deps,
    request,
    callerAddress: () => address ?? null,
    cookies: [...(session?.cookies ?? [])],
    get actor() {
      const { id, email } = context.session.user
      return { userId: id, email, address: context.callerAddress() }
    },
    get session() {
      if (session === null) throw new Error('A public endpoint has no session of its own.')
      return session
    },
    get organizationId() {
      const id = session?.organization?.id
      if (id === undefined) throw new Error('This endpoint has no organization.')
      return id
    },
    get role() {
      const role = session?.organization?.role
      if (role === undefined) throw new Error('This endpoint has no organization.')
      return role
    },
    inOrganization(work) {
      return inOrganization(deps.database, context.organizationId, work, { signal: waitingEndsWith(request) })
    },
    findSession: () => deps.identity.findSession(request.headers),
  }
  return context
}

/**
 * A read stops when the caller gives up, because nobody waits for its answer. A change and its line in the log
 * continue to their end.
 */
function waitingEndsWith({ method, signal }: Request): AbortSignal | undefined {
  return method === 'GET' ? signal : undefined
}

function requireAccess(deps: ServerDeps, access: Exclude<Access, 'public'>, session: Session | null): void {
  if (session === null) throw new Refusal('unauthenticated', 'Sign in first.')
  if (access === 'user') return
  if (access === 'operator') {
    if (!isOperator(deps, session))
      throw new Refusal('forbidden', 'This is for operators only. Ask whoever runs this service.')
    return
  }
  if (session.organization === null) {
    throw new Refusal('needs_organization', 'Choose or create an organization first.')
  }
  if (access === 'admin' && !isManager(session.organization.role)) {
    throw new Refusal('forbidden', 'This is for owners and admins of the organization. Ask one of them.')
  }
}

/** Whether OPERATOR_EMAILS contains the caller's verified address. */
export function isOperator(deps: ServerDeps, session: Session): boolean {
  const { email, emailVerified } = session.user
  return emailVerified && deps.config.operatorEmails.includes(email.toLowerCase())
}
