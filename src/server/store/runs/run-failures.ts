import { type Database, inOrganization, type Tenant } from '../postgres/database.ts'
import { addRunLog } from './run-lines.ts'
import { type Claim, RunLost } from './runs.ts'

/** The phase of a run that waits for a provider. */
export const waitingPhase = 'waiting'

/** Counts an attempt that ended in an unexpected error, and returns the total. */
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

/** Marks a run as waiting and logs the reason. `also` enqueues its continuation in the same transaction. */
export function postponeRun(
  database: Database,
  claim: Claim,
  message: string,
  at: Date,
  also: (tenant: Tenant) => Promise<void>,
): Promise<void> {
  return inOrganization(database, claim.organizationId, async (tenant) => {
    const postponed = await tenant.sql
      .updateTable('runs')
      .set({ phase: waitingPhase, message })
      .where('organization_id', '=', claim.organizationId)
      .where('id', '=', claim.runId)
      .where('attempt', '=', claim.attempt)
      .where('status', '=', 'in_progress')
      .executeTakeFirst()
    if (postponed.numUpdatedRows === 0n) throw new RunLost()
    await addRunLog(tenant, claim.runId, message, at)
    await also(tenant)
  })
}
