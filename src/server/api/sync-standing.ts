// The one place that says how syncing stands. The sidebar, the Dashboard, Data Sync and Sync Health translate what it says, so
// that they cannot contradict each other.

import type { RunProblem } from '#contract/sync.ts'
import { findConnections, type ProviderConnection } from '../store/connections/connections.ts'
import type { Tenant } from '../store/postgres/database.ts'
import { type EndedRun, findLastEnded } from '../store/runs/last-ended.ts'
import { findRunInProgress, type Run } from '../store/runs/runs.ts'
import { isHint } from '../work/runs/scheduled-run.ts'

/** The last run of a kind that completed or failed, and what its failure still means; null for nothing. */
export type LastRun = { run: EndedRun; problem: RunProblem | null }

export type SyncStanding = {
  payments: ProviderConnection | undefined
  crm: ProviderConnection | undefined
  /** The providers that no longer accept our key or tokens, and why. */
  refused: { provider: 'stripe' | 'hubspot'; reason: string }[]
  /** The run in progress. One that only a hint started is left out, since any run of a person takes its place. */
  running: Run | undefined
  lastImport: LastRun | undefined
  lastSync: LastRun | undefined
}

/** Reads a few rows along indexes, because every screen asks for it. */
export async function readSyncStanding(tenant: Tenant): Promise<SyncStanding> {
  const { payments, crm } = await findConnections(tenant)
  const inProgress = await findRunInProgress(tenant)
  return {
    payments,
    crm,
    refused: [
      ...(crm?.warning ? [{ provider: 'hubspot' as const, reason: crm.warning }] : []),
      ...(payments?.warning ? [{ provider: 'stripe' as const, reason: payments.warning }] : []),
    ],
    running: inProgress && !isHint(inProgress) ? inProgress : undefined,
    lastImport: toLastRun(await findLastEnded(tenant, ['completed', 'failed'], ['import']), payments),
    lastSync: toLastRun(await findLastPush(tenant), crm),
  }
}

/**
 * A retry that completed ends an earlier failure, and what it left out is told as waiting. A completed repair of
 * associations writes no record, so it leaves the last sync as it ended.
 */
async function findLastPush(tenant: Tenant): Promise<EndedRun | undefined> {
  const last = await findLastEnded(tenant, ['completed', 'failed'], ['push'])
  if (last?.status !== 'completed') return last
  return (await findLastEnded(tenant, ['completed', 'failed'], ['push'], { writesRecords: true })) ?? last
}

/**
 * While the provider is not connected or refuses the connection, that is what a person has to mend, and a failure says
 * the same a second time.
 */
function toLastRun(
  run: EndedRun | undefined,
  connection: ProviderConnection | undefined,
): LastRun | undefined {
  if (run === undefined) return undefined
  const isUsable = connection !== undefined && connection.warning === null
  if (run.status !== 'failed' || !isUsable) return { run, problem: null }
  return { run, problem: connection.connected_at > run.completed_at ? 'reconnected' : 'failed' }
}
