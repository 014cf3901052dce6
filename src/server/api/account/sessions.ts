import { listSessions, revokeOtherSessions, revokeSession } from '#contract/sessions.ts'
import type { Context } from '../../http/context.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { endOtherSessions, endSession, listSessions as listOpen } from '../../store/accounts/sessions.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { deviceOf } from './device.ts'

export function serveSessions(router: Router): void {
  serve(router, listSessions, async ({ deps, session }) => {
    const open = await listOpen(deps.database, session.user.id)
    return {
      sessions: open.map(({ id, userAgent, address, createdAt, lastSeenAt }) => ({
        id: String(id),
        device: deviceOf(userAgent ?? ''),
        address: address || null,
        signedInAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
        isCurrent: id === session.sessionId,
      })),
    }
  })

  serve(router, revokeSession, async (context, { body }) => {
    const { deps, session } = context
    if (!(await endSession(deps.database, session.user.id, body.sessionId))) {
      throw new Refusal(
        'not_found',
        'There is no such session of yours. It may have ended already. Reload the list.',
      )
    }
    await recordRevoked(context, 'one')
    return { success: true as const, message: 'The session has ended.' }
  })

  serve(router, revokeOtherSessions, async (context) => {
    const { deps, session } = context
    const ended = await endOtherSessions(deps.database, session.user.id, session.sessionId)
    if (ended > 0) await recordRevoked(context, String(ended))
    return { success: true as const, message: 'All other sessions have ended.' }
  })
}

async function recordRevoked({ deps, session, actor }: Context, count: string): Promise<void> {
  if (session.organization === null) return
  await inOrganization(deps.database, session.organization.id, (tenant) =>
    recordAudit(tenant, actor, { action: 'sessions_revoked', subject: count }),
  )
}
