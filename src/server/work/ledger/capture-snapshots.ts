import { deriveSnapshots } from '../../store/ledger/snapshots.ts'
import { type RunContext, write } from '../runs/run-context.ts'

/** Brings the snapshots of every 1st so far in line with the ledger, within a run. Returns what 'so far' was. */
export async function captureSnapshots(context: RunContext): Promise<Date> {
  const at = context.deps.now()
  await write(context, (tenant) => deriveSnapshots(tenant, at, at))
  return at
}
