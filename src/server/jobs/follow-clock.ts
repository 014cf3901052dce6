import type { PgBoss } from 'pg-boss'
import type { Deps } from '../deps.ts'
import { Refusal } from '../refusal.ts'
import { forgetAudit } from '../store/accounts/audit.ts'
import { listOrganizationIds } from '../store/accounts/organizations.ts'
import { findConnection } from '../store/connections/connections.ts'
import { forgetLeftPortals, forgetOverdue, forgetRunDetails } from '../store/erasure/retention.ts'
import { deriveSnapshots } from '../store/ledger/snapshots.ts'
import { findPaymentAccount } from '../store/payments/payment-account.ts'
import { inOrganization } from '../store/postgres/database.ts'
import { isRecountDue } from '../store/recount/recounts.ts'
import { waitingPhase } from '../store/runs/run-failures.ts'
import { cancelRuns, findFullImportAt, findRunInProgress, runKinds } from '../store/runs/runs.ts'
import { getSettings } from '../store/setup/settings.ts'
import { eraseDue } from '../work/erasure/erase-due.ts'
import { followHints, lookForChanges } from '../work/import/refresh-payments.ts'
import { startImport } from '../work/import/start-import.ts'
import { startRecount } from '../work/ledger/start-recount.ts'
import { type RunJob, runQueues, type ScheduleName } from './queues.ts'

/** How long the activity log is kept: a year, and a month to ask about it. */
export const auditKeptDays = 400
const auditBatch = 1_000

/** One time around all organizations: recounts that were met or started so far. */
type Round = { recounts: number }

/** More recounts are not started: what waits for its turn keeps an organization from being looked after by the clock. */
const recountsMax = 50

type Follow = (deps: Deps, boss: PgBoss, organizationId: number, round: Round) => Promise<void>

const follows: Readonly<Record<ScheduleName, Follow>> = {
  sweep: sweepRuns,
  look: (deps, _boss, organizationId) => lookForChanges(deps, organizationId),
  sync: syncHourly,
  refresh: (deps, _boss, organizationId) => refreshNightly(deps, organizationId),
  erase: (deps, _boss, organizationId) => eraseDue(deps, organizationId),
  retention: async (deps, _boss, organizationId) => {
    await forgetOldAudit(deps, organizationId)
    await inOrganization(deps.database, organizationId, async (tenant) => {
      await forgetRunDetails(tenant, deps.now())
      await forgetLeftPortals(tenant, deps.now())
    })
  },
  snapshots: captureMonth,
}

/** Does what is due by the clock, organization by organization; what fails for one is logged and the others go on. */
export async function followClock(
  deps: Deps,
  boss: PgBoss,
  name: ScheduleName,
  signal: AbortSignal,
): Promise<void> {
  const round = { recounts: 0 }
  if (name === 'retention') await forgetOverdue(deps.database)
  for (const organizationId of await listOrganizationIds(deps.database)) {
    signal.throwIfAborted()
    await follows[name](deps, boss, organizationId, round).catch((error: unknown) => {
      if (error instanceof Refusal) return
      deps.log.error({ error, organizationId, schedule: name }, 'schedule failed')
    })
  }
}

/**
 * Gives a job to every run in progress that has none, whatever became of it; where there is no run, starts the recount that is
 * due, or follows hints that were left.
 */
async function sweepRuns(deps: Deps, boss: PgBoss, organizationId: number, round: Round): Promise<void> {
  const { run, isRecountNext } = await inOrganization(deps.database, organizationId, async (tenant) => {
    const running = await findRunInProgress(tenant)
    return { run: running, isRecountNext: !running && (await isRecountDue(tenant)) }
  })
  if (run?.kind === 'recount') round.recounts += 1
  if (isRecountNext && round.recounts < recountsMax) {
    const { isNew } = await startRecount(deps, organizationId)
    if (isNew) {
      round.recounts += 1
      return
    }
  }
  if (!run) await followHints(deps, organizationId)
  const kind = runKinds.find((one) => one === run?.kind)
  if (!run || !kind) return
  const job: RunJob = { version: 1, organizationId, runId: run.id }
  const sent = await boss.send(runQueues[kind], job, { singletonKey: run.id })
  if (sent !== null) deps.log.warn({ runId: run.id, organizationId }, 'run had no job')
}

/** An import of everything that began longer ago was passed over: another run was in progress that night, or no worker. */
const fullImportMaxMs = 25 * 3_600_000

/** The scheduled sync: what changed since the last import, or everything where the night's import did not begin; then a push. */
async function syncHourly(deps: Deps, _boss: PgBoss, organizationId: number): Promise<void> {
  const state = await readState(deps, organizationId)
  if (!state.isDue || !state.refreshedAt) return
  const isMissed =
    state.fullImportAt !== undefined && deps.now().getTime() - state.fullImportAt.getTime() > fullImportMaxMs
  const window = { mode: 'window' as const, from: state.refreshedAt, until: deps.now() }
  const request = isMissed ? { mode: 'historical' as const } : window
  await endWaitingPush(deps, organizationId)
  await startImport(deps, organizationId, request, { isScheduled: true })
}

/** The whole history once a night, so that nothing stays missed. */
async function refreshNightly(deps: Deps, organizationId: number): Promise<void> {
  const state = await readState(deps, organizationId)
  if (!state.isDue) return
  await endWaitingPush(deps, organizationId)
  await startImport(deps, organizationId, { mode: 'historical' }, { isScheduled: true })
}

/** A push that waits for the CRM must not keep the figures old: an import takes its place, and a push follows that. */
async function endWaitingPush(deps: Deps, organizationId: number): Promise<void> {
  await inOrganization(deps.database, organizationId, async (tenant) => {
    const run = await findRunInProgress(tenant)
    if (run?.kind !== 'push' || run.phase !== waitingPhase) return
    await cancelRuns(tenant, deps.now(), 'The next scheduled sync took its place.', run.id)
  })
}

async function captureMonth(deps: Deps, _boss: PgBoss, organizationId: number): Promise<void> {
  const at = deps.now()
  await inOrganization(deps.database, organizationId, (tenant) => deriveSnapshots(tenant, at, at))
}

/** A batch at a time, each in a transaction of its own, so that nobody waits for it. */
async function forgetOldAudit(deps: Deps, organizationId: number): Promise<void> {
  const before = new Date(deps.now().getTime() - auditKeptDays * 24 * 3_600_000)
  const forgetBatch = () =>
    inOrganization(deps.database, organizationId, (tenant) => forgetAudit(tenant, before, auditBatch))
  while ((await forgetBatch()) === auditBatch);
}

/** Whether the organization wants scheduled work and has what it takes. */
function readState(deps: Deps, organizationId: number) {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const { autoSyncEnabled, setupComplete } = await getSettings(tenant)
    const payments = await findConnection(tenant, 'payments')
    const crm = await findConnection(tenant, 'crm')
    const mirror = await findPaymentAccount(tenant)
    return {
      isDue: autoSyncEnabled && setupComplete && payments !== undefined && crm !== undefined,
      refreshedAt: mirror?.refreshed_at ?? null,
      fullImportAt: await findFullImportAt(tenant),
    }
  })
}
