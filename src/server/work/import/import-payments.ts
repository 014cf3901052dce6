// Five phases, each with a checkpoint; after a crash, the next attempt does what is left.
// 1. Plan: save the windows of lists and the objects to read.
// 2. Read: windows, with other workers; then objects. A first import meanwhile rebuilds complete customers.
// 3. Complete: fetch what stored objects refer to.
// 4. Rebuild: the ledger of every due customer.
// 5. Close: verify the ledger, end the run.

import type { Deps } from '../../deps.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import {
  noteConnectionDetails,
  setConnectionWarning,
  type TriedSecret,
} from '../../store/connections/connections.ts'
import { type Claim, endRun, type Run } from '../../store/runs/runs.ts'
import { findPayments, openPayments } from '../connections/payments-connection.ts'
import type { ImportContext, PlanningContext } from '../runs/run-context.ts'
import { pauseAfter } from '../runs/scheduled-run.ts'
import { askedAfterOf } from './checkpoint.ts'
import { close, closeUnchanged } from './close.ts'
import { complete } from './complete.ts'
import { plan } from './plan.ts'
import { createImportProgress, type ImportProgress } from './progress.ts'
import { read } from './read.ts'
import { rebuild } from './rebuild.ts'

/**
 * Runs an import, or continues an interrupted one after its last saved page. If the provider refuses, ends
 * the run as failed, or throws if the run must wait. Throws RunLost without the claim. Continues with a new key.
 */
export async function importPayments(deps: Deps, claim: Claim, run: Run, signal: AbortSignal): Promise<void> {
  const connection = await findPayments(deps, claim.organizationId)
  try {
    if (!connection) throw new ProviderError('unauthorized', `${deps.payments.name} is no longer connected.`)
    const progress = createImportProgress(deps, claim)
    const reader = openPayments(deps, connection, signal, progress.onHeard)
    await runPhases({ deps, claim, connection, reader, signal }, run, progress)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ProviderError)) throw error
    const isOfKey = error.kind === 'unauthorized' || error.kind === 'forbidden'
    if (isOfKey && (await isKeyReplaced(deps, claim, connection)))
      return importPayments(deps, claim, run, signal)
    if (pauseAfter(run, error, deps.now()) !== undefined) throw error
    await failImport(deps, claim, error, connection)
  }
}

async function runPhases(planning: PlanningContext, run: Run, progress: ImportProgress): Promise<void> {
  const checkpoint = await plan(planning, run)
  if (!('plan' in checkpoint)) return closeUnchanged(planning, checkpoint)
  const context: ImportContext = { ...planning, askedAfter: askedAfterOf(checkpoint.plan) }
  try {
    await read(context, checkpoint, progress)
    await complete(context, checkpoint)
    await rebuild(context, checkpoint, progress)
    await close(context, checkpoint, progress)
  } finally {
    await progress.settle()
  }
}

/** Whether a user entered another key after we opened this one. */
async function isKeyReplaced(deps: Deps, claim: Claim, tried: TriedSecret | undefined): Promise<boolean> {
  const connection = await findPayments(deps, claim.organizationId)
  return connection !== undefined && tried !== undefined && connection.secret_version !== tried.secret_version
}

async function failImport(
  deps: Deps,
  claim: Claim,
  error: ProviderError,
  tried: TriedSecret | undefined,
): Promise<void> {
  deps.log.warn({ runId: claim.runId, kind: error.kind, requestId: error.request.id }, 'import failed')
  await endRun(
    deps.database,
    claim,
    {
      ...{ status: 'failed', message: 'The import failed.', error: error.message },
      ...{ request: error.request, at: deps.now() },
    },
    async (tenant) => {
      if (error.kind === 'unauthorized' && tried) await setConnectionWarning(tenant, tried, error.message)
      if (error.kind === 'forbidden' && tried)
        await noteConnectionDetails(tenant, tried, { unreadList: error.message })
    },
  )
}
