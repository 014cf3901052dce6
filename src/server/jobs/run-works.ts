import type { Deps } from '../deps.ts'
import type { Claim, Run, RunKind } from '../store/runs.ts'
import { importPayments } from '../work/import-payments.ts'
import { pushCrm } from '../work/push-crm.ts'

/** Does a run, or what is left of it. Ends the run itself; throws RunLost when it is no longer its own. */
export type RunWork = (deps: Deps, claim: Claim, run: Run, signal: AbortSignal) => Promise<void>

/** Which work a job does. */
export const runWorks: Readonly<Record<RunKind, RunWork>> = { import: importPayments, push: pushCrm }
