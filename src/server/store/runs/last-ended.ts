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
