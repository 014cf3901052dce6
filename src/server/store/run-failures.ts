import { type Database, inOrganization } from './database.ts'
import { type Claim, RunLost } from './runs.ts'

/** Counts an attempt that ended in an error nobody expected; returns how many there were. */
export function countRunFailure(database: Database, claim: Claim): Promise<number> {
  return inOrganization(database, claim.organizationId, async (tenant) => {
    const counted = await tenant.sql
      .updateTable('runs')
      .set((e) => ({ failure_count: e('failure_count', '+', 1) }))
      .where('organization_id', '=', claim.organizationId)
      .where('id', '=', claim.runId)
      .where('attempt', '=', claim.attempt)
      .where('status', '=', 'in_progress')
      .returning('failure_count')
      .executeTakeFirst()
    if (!counted) throw new RunLost()
    return counted.failure_count
  })
}

/** Whether the claim may still write. */
export function isClaimHeld(database: Database, claim: Claim): Promise<boolean> {
  return inOrganization(database, claim.organizationId, async (tenant) => {
    const held = await tenant.sql
      .selectFrom('runs')
      .select('id')
      .where('organization_id', '=', claim.organizationId)
      .where('id', '=', claim.runId)
      .where('attempt', '=', claim.attempt)
      .where('status', '=', 'in_progress')
      .executeTakeFirst()
    return held !== undefined
  })
}
