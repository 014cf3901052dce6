// Triggers note each customer whose records or associations may have changed, so that a push reads these only. It compares
// everything before the first time, once a day, and after whatever no trigger notes: corrections in the CRM, above all.

import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { currentPortal } from './current-portal.ts'

/** The customers that a push compares with the CRM. */
export type PushScope =
  | 'all'
  | {
      customerIds: readonly string[]
      /** Events that were removed from the ledger. */
      goneEventIds: readonly string[]
      /** The notes that this push has read, and removes at its end. */
      notes: readonly number[]
    }

/** With more notes than this, comparing everything costs less than looking for each. */
const notesMax = 1_000

/** When everything was last compared with the portal on this basis; null if the next push has to. */
export async function findComparedAt(tenant: Tenant, portalId: string, basis: string): Promise<Date | null> {
  const mark = await tenant.sql
    .selectFrom('push_marks')
    .select('compared_at')
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('basis', '=', basis)
    .executeTakeFirst()
  return mark?.compared_at ?? null
}

/** Makes the next push compare everything, unless this one does so to its end. */
export async function compareAllNext(tenant: Tenant): Promise<void> {
  await tenant.sql
    .updateTable('push_marks')
    .set({ compared_at: null })
    .where('organization_id', '=', tenant.organizationId)
    .where('compared_at', 'is not', null)
    .execute()
}

/**
 * Begins to compare everything, and removes the notes that this covers. From here on, changes are noted for the next
 * push, and triggers keep which rows have no record in this portal.
 */
export async function beginComparingAll(tenant: Tenant, portalId: string, basis: string): Promise<void> {
  const values = { portal_id: portalId, basis, compared_at: null }
  await tenant.sql
    .insertInto('push_marks')
    .values({ organization_id: tenant.organizationId, ...values })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
    .execute()
  await tenant.sql.deleteFrom('push_due').where('organization_id', '=', tenant.organizationId).execute()
  // A large ledger needs more time than a request may take.
  await sql`select set_config('statement_timeout', '0', true)`.execute(tenant.sql)
  await sql`select settle_all_unsent(${tenant.organizationId}::integer)`.execute(tenant.sql)
}

/**
 * Whether it is kept which rows a portal, or the current one, does not have as they are here: from the first push to it on.
 */
export async function areUnsentKept(
  tenant: Tenant,
  portalId: string | RawBuilder<string | null> = currentPortal(tenant),
): Promise<boolean> {
  const { rows } = await sql`
    select from push_marks where organization_id = ${tenant.organizationId} and portal_id = ${portalId}`.execute(
    tenant.sql,
  )
  return rows.length > 0
}

/** Call this when everything has been compared, as of `at`. */
export async function noteComparedAll(tenant: Tenant, at: Date): Promise<void> {
  await tenant.sql
    .updateTable('push_marks')
    .set({ compared_at: at })
    .where('organization_id', '=', tenant.organizationId)
    .execute()
}

/** What was noted since the last push; 'all' if that is too much. */
export async function readDue(tenant: Tenant): Promise<PushScope> {
  const rows = await tenant.sql
    .selectFrom('push_due')
    .select(['number', 'customer_id', 'event_id'])
    .where('organization_id', '=', tenant.organizationId)
    .limit(notesMax + 1)
    .execute()
  if (rows.length > notesMax) return 'all'
  return {
    customerIds: [...new Set(rows.map(({ customer_id }) => customer_id))],
    goneEventIds: rows.flatMap(({ event_id }) => event_id ?? []),
    notes: rows.map(({ number }) => number),
  }
}

/** Notes a customer whom a person wants to be compared, whether or not anything changed. */
export async function notePushDue(tenant: Tenant, customerId: string): Promise<void> {
  await tenant.sql
    .insertInto('push_due')
    .values({ organization_id: tenant.organizationId, customer_id: customerId })
    .execute()
}

/** Removes notes whose customers were compared. */
export async function removeNotes(tenant: Tenant, notes: readonly number[]): Promise<void> {
  if (notes.length === 0) return
  await sql`
    delete from push_due where organization_id = ${tenant.organizationId} and number = any(${[...notes]}::bigint[])`.execute(
    tenant.sql,
  )
}

/** Keeps notes from piling up where nobody pushes: from a number on, the next push compares everything anyway. */
export async function boundDue(tenant: Tenant): Promise<void> {
  const { organizationId } = tenant
  await sql`
    with many as (
      select from push_due where organization_id = ${organizationId} offset ${notesMax} limit 1),
    marked as (
      update push_marks set compared_at = null
       where organization_id = ${organizationId} and exists (select from many))
    delete from push_due where organization_id = ${organizationId} and exists (select from many)`.execute(
    tenant.sql,
  )
}

/** The rows of a kind whose customers are in the scope, as a condition on our key of it. */
export function isInScope(tenant: Tenant, scope: PushScope, kind: 'subscription' | 'event', key: string) {
  if (scope === 'all') return sql`true`
  const table = sql.table(kind === 'subscription' ? 'subscriptions' : 'events')
  return sql`${sql.ref(key)} = any(array(
    select o.id from ${table} as o
     where o.organization_id = ${tenant.organizationId} and o.customer_id = any(${[...scope.customerIds]}::text[])))`
}
