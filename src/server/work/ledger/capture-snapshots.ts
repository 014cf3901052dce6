import { type RunContext, write } from '../runs/run-context.ts'
import { deriveReportedSnapshots } from './derive-snapshots.ts'

/**
 * Brings the snapshot of every 1st so far in line with the ledger, within a run. Returns the time up to which
 * it did so.
 */
export async function captureSnapshots(context: RunContext): Promise<Date> {
  const at = context.deps.now()
  await write(context, (tenant) => deriveReportedSnapshots(tenant, at, at))
  return at
}
