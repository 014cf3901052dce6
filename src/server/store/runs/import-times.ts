import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** When the last import of the whole history began, however it ended; undefined if there was none. */
export function findFullImportAt(tenant: Tenant): Promise<Date | undefined> {
  return findImportAt(tenant, sql<boolean>`options ->> 'mode' = 'historical'`)
}

/** When the last hourly or nightly import began, however it ended; undefined if there was none. */
export function findScheduledImportAt(tenant: Tenant): Promise<Date | undefined> {
  const isHint = sql`options ->> 'isHint' = 'true'`
  return findImportAt(tenant, sql<boolean>`options ->> 'isScheduled' = 'true' and ${isHint} is not true`)
}

async function findImportAt(tenant: Tenant, which: RawBuilder<boolean>): Promise<Date | undefined> {
  const newest = await tenant.sql
    .selectFrom('runs')
    .select('created_at')
    .where('organization_id', '=', tenant.organizationId)
    .where('kind', '=', 'import')
    .where(which)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.created_at
}
