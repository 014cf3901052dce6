import { type Selectable, sql, type Transaction } from 'kysely'
import { type Database, inOrganization, type Tenant } from '../postgres/database.ts'
import { errorCodeOf } from '../postgres/error-code.ts'
import { prepared } from '../postgres/prepared.ts'
import type { DB, Runs } from '../postgres/tables.ts'
import { listFollowed, markUnchanged } from './run-changes.ts'

export const runKinds = ['import', 'push', 'recount'] as const
export type RunKind = (typeof runKinds)[number]
export type Run = Selectable<Runs>

/** What can start a run. 'import': what it read is pushed. 'rules': the rules of MRR changed. */
export const starters = ['person', 'schedule', 'webhook', 'import', 'rules'] as const

/** Why a run starts: by what, for whom, and after which import. */
export type RunStart = { by: (typeof starters)[number]; userId?: number; followsRunId?: string }

/** The right to write for a run, which belongs to the newest attempt. */
export type Claim = { organizationId: number; runId: string; attempt: number }

/** Thrown if a run was cancelled, ended, or claimed by another attempt; the worker stops silently. */
export class RunLost extends Error {
  constructor() {
    super('The run is no longer ours to work on.')
    this.name = 'RunLost'
  }
}

/** Starts a run, or returns the one in progress, since an organization has one run at a time. */
export async function startRun(
  tenant: Tenant,
  run: { id: string; kind: RunKind; options: object; at: Date; start?: RunStart | undefined },
): Promise<{ run: Run; isNew: boolean }> {
  const started = await tenant.sql
    .insertInto('runs')
    .values({
      organization_id: tenant.organizationId,
      id: run.id,
      kind: run.kind,
      options: JSON.stringify(run.options),
      created_at: run.at,
      started_by: run.start?.by ?? null,
      started_by_user_id: run.start?.userId ?? null,
      follows_run_id: run.start?.followsRunId ?? null,
      changed_subscriptions: 0,
      changed_events: 0,
      changed_links: 0,
      created_companies: 0,
      created_contacts: 0,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id']).where('status', '=', 'in_progress').doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
  if (started) return { run: started, isNew: true }
  const running = await findRunInProgress(tenant)
  return running ? { run: running, isNew: false } : startRun(tenant, run)
}

/** The run of the organization that has not ended; it has one at most. */
export function findRunInProgress(tenant: Tenant): Promise<Run | undefined> {
  return tenant.sql
    .selectFrom('runs')
    .selectAll()
    .where('organization_id', '=', tenant.organizationId)
    .where('status', '=', 'in_progress')
    .executeTakeFirst()
}

export function findRun(tenant: Tenant, id: string): Promise<Run | undefined> {
  return tenant.sql
    .selectFrom('runs')
    .selectAll()
    .where('organization_id', '=', tenant.organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The newest run of a kind, in any state. Runs that were dated after `until`, by a clock that was ahead, are left out. */
export function findNewestRun(tenant: Tenant, kind: RunKind, until?: Date): Promise<Run | undefined> {
  return tenant.sql
    .selectFrom('runs')
    .selectAll()
    .where('organization_id', '=', tenant.organizationId)
    .where('kind', '=', kind)
    .$if(until !== undefined, (query) => query.where('created_at', '<=', until ?? null))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * The first half of an advisory lock key; the organization is the second half. The trigger that empties an
 * organization's tables takes the same lock.
 */
const runLock = 740_113

/**
 * Locks the run until the transaction ends. Its writes share the lock; a takeover, cancellation or end holds
 * it alone. Advisory locks queue fairly, while a row lock would let the next writer pass first.
 */
async function lockRunAlone({ sql: transaction, organizationId }: Tenant): Promise<void> {
  await sql`select pg_advisory_xact_lock(${runLock}::integer, ${organizationId}::integer)`.execute(
    transaction,
  )
}

/** Claims a run, and thereby refuses the writes of every earlier attempt. Undefined if the run has ended. */
export function claimRun(
  database: Database,
  organizationId: number,
  runId: string,
  at: Date,
): Promise<{ claim: Claim; run: Run } | undefined> {
  return inOrganization(database, organizationId, async (tenant) => {
    await lockRunAlone(tenant)
    const run = await tenant.sql
      .updateTable('runs')
      .set((e) => ({ attempt: e('attempt', '+', 1), claimed_at: at }))
      .where('organization_id', '=', organizationId)
      .where('id', '=', runId)
      .where('status', '=', 'in_progress')
      .returningAll()
      .executeTakeFirst()
    return run && { run, claim: { organizationId, runId, attempt: run.attempt } }
  })
}

/** The error code that `hold_run` raises if the attempt does not hold the run. */
const notHeld = 'RL001'

/**
 * One transaction of a run's work. A claim, cancellation or end waits for its commit; later transactions
 * throw RunLost. `repeatable` work does not wait for the disk: a database crash loses its newest transactions
 * as a whole.
 */
export function inRun<T>(
  database: Database,
  claim: Claim,
  work: (tenant: Tenant) => Promise<T>,
  kind: 'lasting' | 'repeatable' = 'lasting',
): Promise<T> {
  const { organizationId, runId, attempt } = claim
  const open = async (transaction: Transaction<DB>): Promise<void> => {
    const hold = sql<{ is_held: boolean }>`${prepared}
      select hold_run(${organizationId}, ${runId}, ${attempt}, ${runLock}, ${kind === 'repeatable'}) as is_held`
    const { rows } = await hold.execute(transaction).catch((error: unknown) => {
      throw errorCodeOf(error) === notHeld ? new RunLost() : error
    })
    // `hold_run` raises if the claim is lost; this check refuses every other unexpected answer.
    if (rows[0]?.is_held !== true) throw new RunLost()
  }
  return inOrganization(database, organizationId, work, { open })
}

export type RunProgress = {
  phase?: string
  totalRecords?: number
  processedRecords?: number
  failedRecords?: number
  message?: string
}

/** Writes the progress that a person sees, in its own transaction. */
export function reportProgress(database: Database, claim: Claim, progress: RunProgress): Promise<void> {
  return inOrganization(database, claim.organizationId, async (tenant) => {
    const written = await updateClaimed(tenant, claim)
      .set({
        ...(progress.phase !== undefined && { phase: progress.phase }),
        ...(progress.totalRecords !== undefined && { total_records: progress.totalRecords }),
        ...(progress.processedRecords !== undefined && { processed_records: progress.processedRecords }),
        ...(progress.failedRecords !== undefined && { failed_records: progress.failedRecords }),
        ...(progress.message !== undefined && { message: progress.message }),
      })
      .executeTakeFirst()
    if (written.numUpdatedRows === 0n) throw new RunLost()
  })
}

/** How a run ends. */
export type RunEnd = {
  status: 'completed' | 'failed'
  message: string
  error?: string
  /** The request to a provider that failed it, for its support. */
  request?: object
  /** Whether several phases failed, and not only the last. */
  isOfSeveral?: boolean
  at: Date
} & Omit<RunProgress, 'phase'>

/** Ends a run that this claim holds, in one transaction with `also`. */
export function endRun(
  database: Database,
  claim: Claim,
  end: RunEnd,
  also?: (tenant: Tenant) => Promise<void>,
): Promise<void> {
  return inOrganization(database, claim.organizationId, async (tenant) => {
    await lockRunAlone(tenant)
    const ended = await updateClaimed(tenant, claim)
      .set({
        status: end.status,
        message: end.message,
        error: end.error ?? null,
        completed_at: end.at,
        phase: null,
        ...(end.status === 'failed' && {
          failed_phase: end.isOfSeveral ? null : sql.ref<string | null>('phase'),
          failed_request: JSON.stringify(end.request ?? {}),
        }),
        ...(end.totalRecords !== undefined && { total_records: end.totalRecords }),
        ...(end.processedRecords !== undefined && { processed_records: end.processedRecords }),
        ...(end.failedRecords !== undefined && { failed_records: end.failedRecords }),
      })
      .executeTakeFirst()
    if (ended.numUpdatedRows === 0n) throw new RunLost()
    await markUnchanged(tenant, claim.runId)
    await also?.(tenant)
  })
}

function updateClaimed(tenant: Tenant, claim: Claim) {
  return tenant.sql
    .updateTable('runs')
    .where('organization_id', '=', tenant.organizationId)
    .where('id', '=', claim.runId)
    .where('attempt', '=', claim.attempt)
    .where('status', '=', 'in_progress')
}

/**
 * Cancels the run in progress; its worker notices at the next write. Returns the number of cancelled runs.
 */
export async function cancelRuns(tenant: Tenant, at: Date, message: string, runId?: string): Promise<number> {
  await lockRunAlone(tenant)
  const cancelled = await tenant.sql
    .updateTable('runs')
    .set({ status: 'cancelled', completed_at: at, message, phase: null })
    .where('organization_id', '=', tenant.organizationId)
    .where('status', '=', 'in_progress')
    .$if(runId !== undefined, (query) => query.where('id', '=', runId ?? ''))
    .returning('id')
    .execute()
  for (const { id } of cancelled) await listFollowed(tenant, id)
  return cancelled.length
}
