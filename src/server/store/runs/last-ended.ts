import type { Tenant } from '../postgres/database.ts'
import type { Run } from './runs.ts'

/** The newest import or push with one of these ends. It is found along the index of the newest runs. */
export function findLastEnded(
  tenant: Tenant,
  ends: readonly ('completed' | 'failed')[],
): Promise<Pick<Run, 'status' | 'completed_at'> | undefined> {
  return tenant.sql
    .selectFrom('runs')
    .select(['status', 'completed_at'])
    .where('organization_id', '=', tenant.organizationId)
    .where('kind', 'in', ['import', 'push'])
    .where('status', 'in', ends)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
