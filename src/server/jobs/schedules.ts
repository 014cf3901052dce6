import type { PgBoss } from 'pg-boss'
import type { Deps } from '../deps.ts'
import { Refusal } from '../refusal.ts'
import { forgetAudit } from '../store/accounts/audit.ts'
import { listOrganizationIds } from '../store/accounts/organizations.ts'
import { findConnection } from '../store/connections/connections.ts'
import {
  forgetLeftPortals,
  forgetOverdue,
  forgetRunDetails,
  gatherOldRuns,
} from '../store/erasure/retention.ts'
import { findPaymentAccount } from '../store/payments/payment-account.ts'
import { inOrganization } from '../store/postgres/database.ts'
import { isRecountDue } from '../store/recount/recounts.ts'
import { findFullImportAt, findScheduledImportAt } from '../store/runs/import-times.ts'
import { findOwedImport } from '../store/runs/owed-push.ts'
import { findRunInProgress } from '../store/runs/runs.ts'
import { getSettings } from '../store/setup/settings.ts'
import { recountTotals } from '../store/totals/list-totals.ts'
import { alertOwners } from '../work/connections/alert-owners.ts'
import { followCrmRates } from '../work/crm/read-crm-rates.ts'
import { eraseDue } from '../work/erasure/erase-due.ts'
import { followHints, lookForChanges, windowSince } from '../work/import/refresh-payments.ts'
import { startImport } from '../work/import/start-import.ts'
import { followRates } from '../work/ledger/convert-anew.ts'
import { deriveReportedSnapshots } from '../work/ledger/derive-snapshots.ts'
import { readReferenceRates } from '../work/ledger/read-reference-rates.ts'
import { startRecount } from '../work/ledger/start-recount.ts'
import { pushAfterImport } from '../work/push/push-after-import.ts'
import { queuedRunOf, sendRun } from './enqueue.ts'
import type { ScheduleName } from './queues.ts'
import { turnAt } from './schedule-turns.ts'

/** The activity log covers a year, plus a month to ask about it. */
export const auditKeptDays = 400
const auditBatch = 1_000

/** One pass over all organizations: counts the recounts it met or started. */
type Round = { recounts: number }

/**
 * A pass starts no more recounts than this, because a waiting recount blocks the organization's scheduled
 * work.
 */
const recountsMax = 50

/** An organization and when its present turn began. */
type Turn = { organizationId: number; turnAt: Date }
type Follow = (deps: Deps, boss: PgBoss, turn: Turn, round: Round) => Promise<void>

/** One run of a schedule; `at` is when the clock started it, however late a worker takes it. */
export type Tick = { name: ScheduleName; at: Date }

const follows: Readonly<Record<ScheduleName, Follow>> = {
  sweep: sweepRuns,
  look: (deps, _boss, { organizationId, turnAt }) => lookForChanges(deps, organizationId, turnAt),
  sync: syncHourly,
  refresh: refreshNightly,
  alert: (deps, _boss, { organizationId }) => alertOwners(deps, organizationId),
  erase: (deps, _boss, { organizationId }) => eraseDue(deps, organizationId),
  retention: async (deps, _boss, { organizationId }) => {
    await forgetOldAudit(deps, organizationId)
    await inOrganization(deps.database, organizationId, async (tenant) => {
      await forgetRunDetails(tenant, deps.now())
      await gatherOldRuns(tenant, deps.now())
      await forgetLeftPortals(tenant, deps.now())
    })
    await inOrganization(deps.database, organizationId, recountTotals)
  },
  snapshots: captureMonth,
}

/** Does the scheduled work of each organization whose turn it is. A failure is logged, and the next one follows. */
export async function followClock(
  deps: Deps,
  boss: PgBoss,
  { name, at }: Tick,
  signal: AbortSignal,
): Promise<void> {
  const round = { recounts: 0 }
  if (name === 'retention') await forgetOverdue(deps.database)
  if (name === 'sweep') await readReferenceRates(deps)
  const organizationIds = await listOrganizationIds(deps.database)
  // Conversions can take long, and no lost job shall wait for them.
  const passes = name === 'sweep' ? [follows.sweep, convertMore] : [follows[name]]
  for (const follow of passes)
    for (const organizationId of organizationIds) {
      const began = turnAt(name, organizationId, at)
      if (!began) continue
      signal.throwIfAborted()
      const turn = { organizationId, turnAt: began }
      await follow(deps, boss, turn, round).catch((error: unknown) => {
        if (error instanceof Refusal) return
        deps.log.error({ error, organizationId, schedule: name }, 'schedule failed')
      })
    }
}

const convertMore: Follow = async (deps, _boss, { organizationId }) => {
  await followRates(deps, organizationId)
  await followCrmRates(deps, organizationId)
}

/**
 * Gives a new job to a run in progress that lost its job. Without a run, starts what else is due: a recount, a
 * push of what an import changed, or an import of what webhooks announced.
 */
async function sweepRuns(deps: Deps, boss: PgBoss, { organizationId }: Turn, round: Round): Promise<void> {
  const { run, isRecountNext, isPushNext } = await inOrganization(
    deps.database,
    organizationId,
    async (tenant) => {
      const running = await findRunInProgress(tenant)
      return {
        run: running,
        isRecountNext: !running && (await isRecountDue(tenant)),
        isPushNext: !running && (await findOwedImport(tenant, deps.now())) !== undefined,
      }
    },
  )
  if (run?.kind === 'recount') round.recounts += 1
  if (isRecountNext && round.recounts < recountsMax) {
    const { isNew } = await startRecount(deps, organizationId)
    if (isNew) {
      round.recounts += 1
      return
    }
  }
  if (!run && !(isPushNext && (await pushAfterImport(deps, organizationId))))
    await followHints(deps, organizationId)
  const queued = run && queuedRunOf(run)
  if (!queued) return
  const sent = await sendRun(boss, organizationId, queued)
  if (sent !== null) deps.log.warn({ runId: queued.id, organizationId }, 'run had no job')
}

/**
 * If the last full import is older, last night's was skipped: another run was in progress, or no worker ran.
 */
const fullImportMaxMs = 26 * 3_600_000

/**
 * The scheduled sync imports what changed, or everything if last night's import was skipped. A push follows.
 */
async function syncHourly(deps: Deps, _boss: PgBoss, { organizationId, turnAt }: Turn): Promise<void> {
  const state = await readState(deps, organizationId)
  if (!state.isDue || !state.refreshedAt || isSince(state.scheduledAt, turnAt)) return
  const isMissed =
    state.fullImportAt !== undefined && deps.now().getTime() - state.fullImportAt.getTime() > fullImportMaxMs
  const window = windowSince(state.refreshedAt, deps.now())
  const request = isMissed ? { mode: 'historical' as const } : window
  await startImport(deps, organizationId, request, { isScheduled: true, start: { by: 'schedule' } })
}

/** Reads the whole history once a night, so that missed changes do not last. */
async function refreshNightly(deps: Deps, _boss: PgBoss, { organizationId, turnAt }: Turn): Promise<void> {
  const state = await readState(deps, organizationId)
  if (!state.isDue || isSince(state.fullImportAt, turnAt)) return
  await startImport(
    deps,
    organizationId,
    { mode: 'historical' },
    { isScheduled: true, start: { by: 'schedule' } },
  )
}

const isSince = (at: Date | undefined, turnAt: Date) => at !== undefined && at >= turnAt

async function captureMonth(deps: Deps, _boss: PgBoss, { organizationId }: Turn): Promise<void> {
  const at = deps.now()
  await inOrganization(deps.database, organizationId, (tenant) => deriveReportedSnapshots(tenant, at, at))
}

/** Each batch is a transaction of its own, so that no other writer waits long. */
async function forgetOldAudit(deps: Deps, organizationId: number): Promise<void> {
  const before = new Date(deps.now().getTime() - auditKeptDays * 24 * 3_600_000)
  const forgetBatch = () =>
    inOrganization(deps.database, organizationId, (tenant) => forgetAudit(tenant, before, auditBatch))
  while ((await forgetBatch()) === auditBatch);
}

/** Whether the organization wants scheduled work and has both connections, and when imports last began. */
function readState(deps: Deps, organizationId: number) {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const { autoSyncEnabled, setupComplete } = await getSettings(tenant)
    const payments = await findConnection(tenant, 'payments')
    const crm = await findConnection(tenant, 'crm')
    const mirror = await findPaymentAccount(tenant)
    return {
      isDue: autoSyncEnabled && setupComplete && payments !== undefined && crm !== undefined,
      refreshedAt: mirror?.refreshed_at ?? null,
      fullImportAt: await findFullImportAt(tenant, deps.now()),
      scheduledAt: await findScheduledImportAt(tenant, deps.now()),
    }
  })
}
