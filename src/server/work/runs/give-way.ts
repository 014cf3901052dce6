import type { Tenant } from '../../store/postgres/database.ts'
import { displaceRun } from '../../store/runs/owed-push.ts'
import { waitingPhase } from '../../store/runs/run-failures.ts'
import { findRunInProgress, type Run } from '../../store/runs/runs.ts'
import { isHint } from './scheduled-run.ts'

/** Ends a run in progress that only a hint started; the run that takes its place does the same and more. */
export async function endHint(tenant: Tenant, at: Date): Promise<void> {
  const run = await findRunInProgress(tenant)
  if (run && isHint(run)) await displaceRun(tenant, run, 'Another run took its place.', at)
}

/** Ends a push that waits for the CRM, because it would keep figures old. An import takes its place. */
export async function endWaitingPush(tenant: Tenant, at: Date): Promise<void> {
  const run = await findRunInProgress(tenant)
  if (run && isWaitingPush(run)) await displaceRun(tenant, run, 'The next import took its place.', at)
}

/** Whether the run is a push that waits for the CRM, so that another run may take its place. */
export function isWaitingPush({ kind, phase }: Pick<Run, 'kind' | 'phase'>): boolean {
  return kind === 'push' && phase === waitingPhase
}
