import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** The newest errors and log lines of a run, up to `limit` of each, in chronological order. */
export async function listRunDetails(tenant: Tenant, runId: string, limit: number) {
  const errors = await errorsOf(tenant, runId).orderBy('id', 'desc').limit(limit).execute()
  const logs = await tenant.sql
    .selectFrom('run_logs')
    .select(['line', 'created_at'])
    .where('organization_id', '=', tenant.organizationId)
    .where('run_id', '=', runId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return { errors: errors.reverse(), logs: logs.reverse() }
}

/** A page of a run's errors in chronological order; a null `afterId` starts with the first. */
export function listRunErrors(
  tenant: Tenant,
  runId: string,
  page: { afterId: number | null; limit: number },
) {
  return errorsOf(tenant, runId)
    .where('id', '>', page.afterId ?? 0)
    .orderBy('id')
    .limit(page.limit)
    .execute()
}

/**
 * The number of errors of a run, including errors without a record, such as a contact that was not created.
 */
export async function countErrorLines(tenant: Tenant, runId: string): Promise<number> {
  const counted = await tenant.sql
    .selectFrom('run_errors')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('organization_id', '=', tenant.organizationId)
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow()
  return counted.count
}

function errorsOf(tenant: Tenant, runId: string) {
  return tenant.sql
    .selectFrom('run_errors')
    .select(['id', 'source_id', 'message', 'created_at'])
    .where('organization_id', '=', tenant.organizationId)
    .where('run_id', '=', runId)
}

/**
 * The line that a run logged for a list it could not read; null if it read the list, undefined if it did not
 * ask.
 */
export async function findLeftOut(
  tenant: Tenant,
  runId: string,
  kind: string,
  line: string,
): Promise<string | null | undefined> {
  const ofRun = sql`organization_id = ${tenant.organizationId} and run_id = ${runId}`
  const { rows } = await sql<{ isLogged: boolean; isAsked: boolean }>`
    select exists (select from run_logs where ${ofRun} and line = ${line}) as "isLogged",
           exists (select from import_windows where ${ofRun} and kind = ${kind})
           or exists (select from import_objects where ${ofRun} and kind = ${kind}) as "isAsked"`.execute(
    tenant.sql,
  )
  const found = rows[0]
  if (found?.isLogged) return line
  return found?.isAsked ? null : undefined
}
