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

/** What a handler is given. The organization comes from the session alone. */
export type Context = {
  readonly deps: ServerDeps
  readonly request: Request
  /** Who calls. Not there on a public endpoint, which asks `findSession`. */
  readonly session: Session
  readonly organizationId: number
  /** What the caller is in it, as of this request. */
  readonly role: Role
  /** Who calls, as the activity log names them. */
  readonly actor: Actor
  /** The network address of the caller, null where it is not known. */
  callerAddress(): string | null
  /** Cookies to send with the answer. */
  readonly cookies: string[]
  /** Runs `work` in one transaction of the caller's organization. */
  inOrganization<T>(work: (tenant: Tenant) => Promise<T>): Promise<T>
  findSession(): Promise<Session | null>
}

type Limits = { deps: ServerDeps; enter: Door; limitStrangers: StrangerLimit }

/** Resolves who calls and lets through whom the access and the limit on calls allow; throws the refusal otherwise. */
export async function openContext(
  { deps, enter, limitStrangers }: Limits,
  access: Access,
  request: Request,
  remoteAddress: string | undefined,
): Promise<Context> {
  const address = clientAddressOf(deps.config)(request.headers, remoteAddress)
  const session = access === 'public' ? null : await enter(request, networkOf(address ?? ''))
  if (session === null && (request.method === 'GET' || access !== 'public')) {
    // Not what a provider delivers: it comes from few addresses, for all organizations.
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

/** Nobody waits for the answer of a read that was given up; a change goes on to its end, and so does its line in the log. */
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

/** Whether the verified address of the caller is named in OPERATOR_EMAILS. */
export function isOperator(deps: ServerDeps, session: Session): boolean {
  const { email, emailVerified } = session.user
  return emailVerified && deps.config.operatorEmails.includes(email.toLowerCase())
}
