// What a run tells besides its figures: errors, each with a reason that a person can act on, and lines of its log.

import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** A PostgreSQL statement takes at most 65,535 parameters. */
const errorsPerInsert = 5_000

/** Saves the records that could not be imported, each with a reason that a person can act on. */
export async function addRunErrors(
  tenant: Tenant,
  runId: string,
  errors: { sourceId: string | null; message: string }[],
  at: Date,
): Promise<void> {
  for (let start = 0; start < errors.length; start += errorsPerInsert) {
    await tenant.sql
      .insertInto('run_errors')
      .values(
        errors.slice(start, start + errorsPerInsert).map((error) => ({
          organization_id: tenant.organizationId,
          run_id: runId,
          source_id: error.sourceId,
          message: error.message,
          created_at: at,
        })),
      )
      .execute()
  }
  if (errors.length > 0) await noteErrors(tenant, runId)
}

/** Marks a run as one that told of errors, by which Sync History finds it. */
export async function noteErrors(tenant: Tenant, runId: string): Promise<void> {
  await sql`
    update runs set told_errors = true
     where organization_id = ${tenant.organizationId} and id = ${runId} and not told_errors`.execute(
    tenant.sql,
  )
}

/** Adds errors and counts them in the run, in one transaction, so that concurrent workers lose no count. */
export async function countRunErrors(
  tenant: Tenant,
  runId: string,
  errors: { sourceId: string | null; message: string }[],
  at: Date,
): Promise<void> {
  if (errors.length === 0) return
  await addRunErrors(tenant, runId, errors, at)
  await tenant.sql
    .updateTable('runs')
    .set((e) => ({ failed_records: e('failed_records', '+', errors.length) }))
    .where('organization_id', '=', tenant.organizationId)
    .where('id', '=', runId)
    .execute()
}

/** Adds a line to the log that people read in Sync Details. */
export async function addRunLog(tenant: Tenant, runId: string, line: string, at: Date): Promise<void> {
  await tenant.sql
    .insertInto('run_logs')
    .values({ organization_id: tenant.organizationId, run_id: runId, line, created_at: at })
    .execute()
}
