import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** What can be wrong: a connection, or the syncs. */
export type AlertKind = 'payments' | 'crm' | 'sync'

/** What the owners were told and is not over yet. */
export async function listAlerts(tenant: Tenant): Promise<AlertKind[]> {
  const rows = await tenant.sql
    .selectFrom('alerts')
    .select('kind')
    .where('organization_id', '=', tenant.organizationId)
    .where('over_at', 'is', null)
    .execute()
  return rows.map(({ kind }) => (kind === 'payments' || kind === 'crm' ? kind : 'sync'))
}

/** Notes that an incident began; false if it was noted before. */
export async function beginAlert(tenant: Tenant, kind: AlertKind): Promise<boolean> {
  const begun = await tenant.sql
    .insertInto('alerts')
    .values({ organization_id: tenant.organizationId, kind })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'kind'])
        .doUpdateSet({ told_at: sql<Date>`current_timestamp`, over_at: null })
        .where('alerts.over_at', 'is not', null),
    )
    .returning('kind')
    .executeTakeFirst()
  return begun !== undefined
}

/** Notes that an incident is over; false if another process noted it first. */
export async function endAlert(tenant: Tenant, kind: AlertKind, at: Date): Promise<boolean> {
  const ended = await tenant.sql
    .updateTable('alerts')
    .set({ over_at: at })
    .where('organization_id', '=', tenant.organizationId)
    .where('kind', '=', kind)
    .where('over_at', 'is', null)
    .executeTakeFirst()
  return ended.numUpdatedRows > 0n
}

/** When the last incident of a connection was over; null before the first. */
export async function findConnectionsOverAt(tenant: Tenant): Promise<Date | null> {
  const { at } = await tenant.sql
    .selectFrom('alerts')
    .select((of) => of.fn.max('over_at').as('at'))
    .where('organization_id', '=', tenant.organizationId)
    .where('kind', '<>', 'sync')
    .executeTakeFirstOrThrow()
  return at
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
