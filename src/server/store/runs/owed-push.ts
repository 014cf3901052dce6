import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { prepared } from '../postgres/prepared.ts'
import { markUnchanged } from './run-changes.ts'
import { waitingPhase } from './run-failures.ts'
import { cancelRuns, type Run } from './runs.ts'

/**
 * Cancels a run in progress because another takes its place, and notes whether it worked or waited. Nobody canceled it, so
 * it is left out of Sync History if it changed nothing.
 */
export async function displaceRun(
  tenant: Tenant,
  { id, phase }: Pick<Run, 'id' | 'phase'>,
  message: string,
  at: Date,
): Promise<void> {
  if ((await cancelRuns(tenant, at, message, id)) === 0) return
  const displaced = phase === waitingPhase ? 'waiting' : 'working'
  await tenant.sql
    .updateTable('runs')
    .set({ options: sql`options || ${JSON.stringify({ displaced })}::jsonb` })
    .where('organization_id', '=', tenant.organizationId)
    .where('id', '=', id)
    .execute()
  await markUnchanged(tenant, id)
}

type OwedImport = Pick<Run, 'id' | 'started_by_user_id'>

/**
 * The newest completed import, if no push has handled what it read. A part of a push and a displaced push handled
 * nothing. After a push that failed or waited, only the hourly one tries again. Dates ahead are ignored.
 */
export async function findOwedImport(tenant: Tenant, now: Date): Promise<OwedImport | undefined> {
  const { organizationId } = tenant
  const { rows } = await sql<OwedImport & { isOwed: boolean }>`${prepared}
    with pushed as (
      select created_at, status = 'failed' or options ->> 'displaced' = 'waiting' as is_stuck from runs
       where organization_id = ${organizationId} and kind = 'push' and not options ? 'part' and created_at <= ${now}
         and options ->> 'displaced' is distinct from 'working'
       order by created_at desc, id desc limit 1),
    imported as (
      select id, completed_at, started_by_user_id from runs
       where organization_id = ${organizationId} and kind = 'import' and status = 'completed' and processed_records > 0
         and created_at <= ${now}
       order by created_at desc, id desc limit 1)
    select imported.id, imported.started_by_user_id, coalesce(imported.completed_at > pushed.created_at and pushed.is_stuck is not true, true) as "isOwed"
      from imported left join pushed on true`.execute(tenant.sql)
  return rows[0]?.isOwed === true ? rows[0] : undefined
}
