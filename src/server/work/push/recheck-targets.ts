import type { CrmTarget } from '#domain/crm-record.ts'
import { addRunErrors } from '../../store/runs/run-lines.ts'
import { inRun } from '../../store/runs/runs.ts'
import { companyGone, contactGone } from '../match/gone-texts.ts'
import { lookAgain } from '../match/look-again.ts'
import { matchSessionOf, type PushSession } from './push-session.ts'

/**
 * Reads the companies or contacts whose association was refused, and reports the customers whose company or contact
 * was deleted. Returns the ids that no longer exist.
 */
export async function recheckTargets(
  session: PushSession,
  target: CrmTarget,
  recordIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (target === 'subscription' || recordIds.length === 0) return new Set()
  const { deps, claim } = session
  const { moved, released } = await lookAgain(matchSessionOf(session), target, recordIds)
  const message = target === 'company' ? companyGone(deps) : contactGone(deps)
  const errors = released.map((sourceId) => ({ sourceId, message }))
  await inRun(deps.database, claim, (tenant) => addRunErrors(tenant, claim.runId, errors, deps.now()))
  return new Set(moved.keys())
}
