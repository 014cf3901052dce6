import type { AuditAction } from '#domain/audit.ts'
import type { Tenant } from '../postgres/database.ts'

/** Who did it, and from which network address. */
export type Actor = { userId: number; email: string; address: string | null }
export type AuditEntry = { action: AuditAction; subject?: string | null; outcome?: 'begun' | 'done' }

/** Writes a line of the activity log in the caller's transaction, and returns its number. */
export async function recordAudit(tenant: Tenant, actor: Actor | null, entry: AuditEntry): Promise<number> {
  const { id } = await tenant.sql
    .insertInto('audit_log')
    .values({
      organization_id: tenant.organizationId,
      actor_user_id: actor?.userId ?? null,
      actor_email: actor?.email ?? null,
      address: actor?.address ?? null,
      action: entry.action,
      subject: entry.subject ?? null,
      outcome: entry.outcome ?? 'done',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Says how an action that was begun has ended. */
export async function settleAudit(tenant: Tenant, id: number, outcome: 'done' | 'failed'): Promise<void> {
  await tenant.sql
    .updateTable('audit_log')
    .set({ outcome })
    .where('organization_id', '=', tenant.organizationId)
    .where('id', '=', id)
    .where('outcome', '=', 'begun')
    .execute()
}

/** Takes back the line of an action that was begun and changed nothing. */
export async function dropAudit(tenant: Tenant, id: number): Promise<void> {
  await tenant.sql
    .deleteFrom('audit_log')
    .where('organization_id', '=', tenant.organizationId)
    .where('id', '=', id)
    .where('outcome', '=', 'begun')
    .execute()
}

/**
 * Forgets the oldest lines of before an instant, so many at most; returns how many, so that a caller can go on in
 * another transaction while it is as many as asked for.
 */
export async function forgetAudit(tenant: Tenant, before: Date, max: number): Promise<number> {
  const old = tenant.sql
    .selectFrom('audit_log')
    .select('id')
    .where('organization_id', '=', tenant.organizationId)
    .where('happened_at', '<', before)
    .orderBy('happened_at')
    .limit(max)
  const forgotten = await tenant.sql
    .deleteFrom('audit_log')
    .where('organization_id', '=', tenant.organizationId)
    .where('id', 'in', old)
    .executeTakeFirst()
  return Number(forgotten.numDeletedRows)
}

/** The newest lines first; `before` is the number of the last line of the page before. */
export function listAudit(tenant: Tenant, page: { before: number | null; limit: number }) {
  return tenant.sql
    .selectFrom('audit_log')
    .select(['id', 'happened_at', 'actor_email', 'address', 'action', 'subject', 'outcome'])
    .where('organization_id', '=', tenant.organizationId)
    .$if(page.before !== null, (query) => query.where('id', '<', page.before ?? 0))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute()
}
