import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import type { Run, RunKind } from './runs.ts'

/** How a run ended, and when. */
export type EndedRun = Pick<Run, 'id' | 'kind' | 'status' | 'error' | 'message'> & { completed_at: Date }

/**
 * The newest import or push, or the newest of these kinds, with one of these ends; if `isWhole`, no part of a push. It is
 * found along the index of the newest runs.
 */
export async function findLastEnded(
  tenant: Tenant,
  ends: readonly ('completed' | 'failed')[],
  kinds: readonly RunKind[] = ['import', 'push'],
  { isWhole = false }: { isWhole?: boolean } = {},
): Promise<EndedRun | undefined> {
  const run = await tenant.sql
    .selectFrom('runs')
    .select(['id', 'kind', 'status', 'error', 'message', 'completed_at'])
    .where('organization_id', '=', tenant.organizationId)
    .where('kind', 'in', kinds)
    .where('status', 'in', ends)
    .$if(isWhole, (query) => query.where(sql<boolean>`not options ? 'part'`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return run?.completed_at ? { ...run, completed_at: run.completed_at } : undefined
}
