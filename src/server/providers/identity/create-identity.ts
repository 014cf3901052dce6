import type { Database } from '../../store/database.ts'
import { findMembership } from '../../store/organizations.ts'
import { pingDatabase } from '../../store/ping-database.ts'
import { setActiveOrganization } from '../../store/users.ts'
import type { IdentityPort, Role } from '../identity.ts'
import { createAuth, type IdentityOptions } from './create-auth.ts'

/** Sign-in, sessions and organizations on our own database; membership is looked up anew on each request. */
export function createIdentity(options: IdentityOptions): IdentityPort {
  const auth = createAuth(options)
  return {
    async findSession(headers) {
      const cookie = headers.get('cookie')
      if (cookie === null) return null
      const found = await auth.api
        .getSession({ headers: new Headers({ cookie }) })
        .catch((error: unknown) => rethrow(options.database, error))
      if (found === null) return null
      const { session, user } = found
      const userId = Number(user.id)
      const activeId = session.activeOrganizationId ? Number(session.activeOrganizationId) : null
      const active = activeId === null ? undefined : await findMembership(options.database, userId, activeId)
      return {
        sessionId: Number(session.id),
        user: {
          id: userId,
          name: user.name,
          email: user.email,
          emailVerified: user.emailVerified,
          imageUrl: user.image ?? null,
        },
        organization: active === undefined ? null : { ...active, role: strongestRole(active.role) },
      }
    },
    handle: (request) => auth.handler(request),
    setActiveOrganization: (sessionId, organizationId) =>
      setActiveOrganization(options.database, sessionId, organizationId),
  }
}

/** The library hides why it failed; where the database is away, that is what the caller must be told. */
async function rethrow(database: Database, error: unknown): Promise<never> {
  await pingDatabase(database)
  throw error
}

/** The library keeps several roles as a list with commas. */
function strongestRole(roles: string): Role {
  const held = roles.split(',').map((role) => role.trim())
  if (held.includes('owner')) return 'owner'
  return held.includes('admin') ? 'admin' : 'member'
}
