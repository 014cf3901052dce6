import { deriveSnapshots } from '../store/snapshots.ts'
import { type ImportContext, write } from './import/import-context.ts'

/** Brings the snapshots of every 1st so far in line with the ledger, within a run. */
export function captureSnapshots(context: ImportContext): Promise<void> {
  const at = context.deps.now()
  return write(context, (tenant) => deriveSnapshots(tenant, at, at))
}
