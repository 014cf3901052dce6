import type { Tenant } from '../postgres/database.ts'

/** What can be wrong: a connection, or the syncs. */
export type AlertKind = 'payments' | 'crm' | 'sync'

/** What the owners were told and is not over yet. */
export async function listAlerts(tenant: Tenant): Promise<AlertKind[]> {
  const rows = await tenant.sql
    .selectFrom('alerts')
    .select('kind')
    .where('organization_id', '=', tenant.organizationId)
    .execute()
  return rows.map(({ kind }) => (kind === 'payments' || kind === 'crm' ? kind : 'sync'))
}

/** Notes that an incident began; false if it was noted before. */
export async function beginAlert(tenant: Tenant, kind: AlertKind): Promise<boolean> {
  const begun = await tenant.sql
    .insertInto('alerts')
    .values({ organization_id: tenant.organizationId, kind })
    .onConflict((conflict) => conflict.doNothing())
    .returning('kind')
    .executeTakeFirst()
  return begun !== undefined
}

/** Notes that an incident is over; false if another process noted it first. */
export async function endAlert(tenant: Tenant, kind: AlertKind): Promise<boolean> {
  const ended = await tenant.sql
    .deleteFrom('alerts')
    .where('organization_id', '=', tenant.organizationId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return ended.numDeletedRows > 0n
}

/** Whether a member wants mail about these. Only owners get any. */
export async function findWantsAlerts(tenant: Tenant, userId: number): Promise<boolean> {
  const found = await tenant.sql
    .selectFrom('member')
    .select('wantsAlerts')
    .where('organizationId', '=', tenant.organizationId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return found?.wantsAlerts ?? false
}

export async function setWantsAlerts(tenant: Tenant, userId: number, wantsAlerts: boolean): Promise<void> {
  await tenant.sql
    .updateTable('member')
    .set({ wantsAlerts })
    .where('organizationId', '=', tenant.organizationId)
    .where('userId', '=', userId)
    .execute()
}

/** The addresses of the owners who want mail about incidents. */
export async function listAlertedOwners(tenant: Tenant): Promise<string[]> {
  const rows = await tenant.sql
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select('user.email')
    .where('member.organizationId', '=', tenant.organizationId)
    .where('member.role', '=', 'owner')
    .where('member.wantsAlerts', '=', true)
    .orderBy('member.id')
    .execute()
  return rows.map(({ email }) => email)
}
