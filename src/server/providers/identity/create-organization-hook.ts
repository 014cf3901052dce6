import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { Refusal } from '../../refusal.ts'
import type { Database } from '../../store/database.ts'
import { setActiveOrganization } from '../../store/users.ts'
import { createOrganization } from '../../work/create-organization.ts'

const statuses = { forbidden: 'FORBIDDEN', conflict: 'CONFLICT', invalid_request: 'BAD_REQUEST' } as const

/**
 * Answers the library's call for a new organization ourselves, in the library's shape: organization, owner, domain
 * claim and settings come in one transaction, which its own way of several statements cannot give.
 */
export function createOrganizationHook(database: Database) {
  return createAuthMiddleware(async (ctx) => {
    if (ctx.path !== '/organization/create') return
    const session = await getSessionFromCtx(ctx)
    if (session === null) throw new APIError('UNAUTHORIZED')
    const userId = Number(session.user.id)
    const { email, emailVerified } = session.user
    try {
      const created = await createOrganization(
        database,
        { id: userId, email, emailVerified },
        { name: ctx.body?.name, slug: ctx.body?.slug },
      )
      await setActiveOrganization(database, Number(session.session.id), created.id)
      return ctx.json(libraryShape(created, userId))
    } catch (error) {
      throw error instanceof Refusal ? apiError(error) : error
    }
  })
}

function apiError(refusal: Refusal): APIError {
  const status = Object.entries(statuses).find(([code]) => code === refusal.code)?.[1] ?? 'BAD_REQUEST'
  return new APIError(status, { message: refusal.message, code: refusal.code.toUpperCase() })
}

function libraryShape(
  created: { id: number; name: string; slug: string; createdAt: Date; memberId: number },
  userId: number,
) {
  const organizationId = String(created.id)
  return {
    id: organizationId,
    name: created.name,
    slug: created.slug,
    logo: null,
    metadata: null,
    createdAt: created.createdAt,
    members: [
      {
        id: String(created.memberId),
        organizationId,
        userId: String(userId),
        role: 'owner',
        createdAt: created.createdAt,
      },
    ],
  }
}
