import type { Tenant } from '../postgres/database.ts'
import type { Run } from './runs.ts'

/** The newest import or push, or the newest of one kind, with one of these ends. It is found along the index of the newest runs. */
export function findLastEnded(
  tenant: Tenant,
  ends: readonly ('completed' | 'failed')[],
  kinds: readonly ('import' | 'push')[] = ['import', 'push'],
): Promise<Pick<Run, 'status' | 'completed_at'> | undefined> {
  return tenant.sql
    .selectFrom('runs')
    .select(['status', 'completed_at'])
    .where('organization_id', '=', tenant.organizationId)
    .where('kind', 'in', kinds)
    .where('status', 'in', ends)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
