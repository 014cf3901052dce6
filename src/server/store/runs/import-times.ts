import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** When the last import of the whole history until then began, however it ended; undefined if there was none. */
export function findFullImportAt(tenant: Tenant, until: Date): Promise<Date | undefined> {
  return findImportAt(tenant, until, sql<boolean>`options ->> 'mode' = 'historical'`)
}

/** When the last hourly or nightly import until then began, however it ended; undefined if there was none. */
export function findScheduledImportAt(tenant: Tenant, until: Date): Promise<Date | undefined> {
  const isHint = sql`options ->> 'isHint' = 'true'`
  return findImportAt(
    tenant,
    until,
    sql<boolean>`options ->> 'isScheduled' = 'true' and ${isHint} is not true`,
  )
}

/** A clock that was put back leaves imports behind that are dated ahead, and no later one must wait for their time. */
async function findImportAt(
  tenant: Tenant,
  until: Date,
  which: RawBuilder<boolean>,
): Promise<Date | undefined> {
  const newest = await tenant.sql
    .selectFrom('runs')
    .select('created_at')
    .where('organization_id', '=', tenant.organizationId)
    .where('kind', '=', 'import')
    .where('created_at', '<=', until)
    .where(which)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.created_at
}
