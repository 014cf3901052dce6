import type { AuditAction } from '#domain/audit.ts'
import type { Tenant } from '../postgres/database.ts'

/** The person who acted, with their network address. */
export type Actor = { userId: number; email: string; address: string | null }
export type AuditEntry = { action: AuditAction; subject?: string | null; outcome?: 'begun' | 'done' }

/** Writes a line of the activity log in the caller's transaction and returns its id. */
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

/** Records how an action that was logged as started has ended. */
export async function settleAudit(tenant: Tenant, id: number, outcome: 'done' | 'failed'): Promise<void> {
  await tenant.sql
    .updateTable('audit_log')
    .set({ outcome })
    .where('organization_id', '=', tenant.organizationId)
    .where('id', '=', id)
    .where('outcome', '=', 'begun')
    .execute()
}

/** Deletes the line of an action that started but changed nothing. */
export async function dropAudit(tenant: Tenant, id: number): Promise<void> {
  await tenant.sql
    .deleteFrom('audit_log')
    .where('organization_id', '=', tenant.organizationId)
    .where('id', '=', id)
    .where('outcome', '=', 'begun')
    .execute()
}

/**
 * Deletes at most `max` of the oldest lines before a time. Returns the number, so that the caller can continue in
 * another transaction while it equals `max`.
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
