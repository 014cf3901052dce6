import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import type { Run, RunKind } from './runs.ts'

/** How a run ended, and when. */
export type EndedRun = Pick<
  Run,
  | 'id'
  | 'kind'
  | 'status'
  | 'error'
  | 'message'
  | 'changed_subscriptions'
  | 'changed_events'
  | 'changed_links'
  | 'created_companies'
  | 'created_contacts'
> & { completed_at: Date }

/**
 * The newest import or push, or the newest of these kinds, with one of these ends; if `writesRecords`, no repair of
 * associations. It is found along the index of the newest runs.
 */
export async function findLastEnded(
  tenant: Tenant,
  ends: readonly ('completed' | 'failed')[],
  kinds: readonly RunKind[] = ['import', 'push'],
  { writesRecords = false }: { writesRecords?: boolean } = {},
): Promise<EndedRun | undefined> {
  const run = await tenant.sql
    .selectFrom('runs')
    .select(['id', 'kind', 'status', 'error', 'message', 'completed_at'])
    .select(['changed_subscriptions', 'changed_events', 'changed_links'])
    .select(['created_companies', 'created_contacts'])
    .where('organization_id', '=', tenant.organizationId)
    .where('kind', 'in', kinds)
    .where('status', 'in', ends)
    .$if(writesRecords, (query) =>
      query.where(sql<boolean>`options->>'part' is distinct from 'associations'`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return run?.completed_at ? { ...run, completed_at: run.completed_at } : undefined
}

/** When the newest push ended that wrote a record, since the last reset of the setup. */
export async function findLastWrite(tenant: Tenant): Promise<Date | undefined> {
  const run = await tenant.sql
    .selectFrom('runs')
    .select('completed_at')
    .where('organization_id', '=', tenant.organizationId)
    .where('kind', '=', 'push')
    .where('is_unchanged', '=', false)
    .where('completed_at', 'is not', null)
    .where(sql<boolean>`changed_subscriptions + changed_events > 0`)
    .where(
      sql<boolean>`created_at > coalesce((
        select forgotten.created_at from organization_settings s
          join runs forgotten on forgotten.organization_id = s.organization_id and forgotten.id = s.forgotten_push_id
         where s.organization_id = ${tenant.organizationId}), '-infinity')`,
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return run?.completed_at ?? undefined
}
