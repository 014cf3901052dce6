import type { Deps } from '../deps.ts'
import type { Claim, Run, RunKind } from '../store/runs/runs.ts'
import { importPayments } from '../work/import/import-payments.ts'
import { recountLedger } from '../work/ledger/recount-ledger.ts'
import { pushCrm } from '../work/push/push-crm.ts'
import { repairAssociations } from '../work/push/repair-associations.ts'
import { isPart } from '../work/push/run-part.ts'

/** Does a run, or the rest of it, and ends it; throws RunLost if the claim is lost. */
export type RunWork = (deps: Deps, claim: Claim, run: Run, signal: AbortSignal) => Promise<void>

/** The work for each kind of run. */
export const runWorks: Readonly<Record<RunKind, RunWork>> = {
  import: importPayments,
  push: (deps, claim, run, signal) =>
    (isPart(run, 'associations') ? repairAssociations : pushCrm)(deps, claim, run, signal),
  recount: recountLedger,
}
