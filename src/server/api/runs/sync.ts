import {
  cancelRun,
  exportRunErrors,
  getImportJob,
  getPushStatus,
  getSyncStatus,
  listSyncHistory,
  pushAll,
  retryFailed,
  syncSubscription as syncSubscriptionCall,
} from '#contract/sync.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { cancelRuns, findNewestRun, findRunInProgress, listRuns } from '../../store/runs/runs.ts'
import { startPart } from '../../work/push/run-part.ts'
import { startPush } from '../../work/push/start-push.ts'
import { syncSubscription } from '../../work/push/sync-subscription.ts'
import { isHint } from '../../work/runs/scheduled-run.ts'
import { csvFile } from '../csv.ts'
import { readSynced } from '../setup/setup-progress.ts'
import { runStanding } from '../standing.ts'
import { getRun, readJob, requireKind, toHistory, toOutcome } from './run-answers.ts'
import { serveRunCsv } from './run-csv.ts'
import { streamRunErrors } from './run-errors.ts'

export function serveSync(router: Router): void {
  serveRunCsv(router)

  serve(router, listSyncHistory, ({ inOrganization }, { query }) =>
    inOrganization(async (tenant) => {
      const { runs, totalCount } = await listRuns(tenant, query)
      return {
        histories: runs.map(toHistory),
        pagination: { total: totalCount, totalPages: Math.ceil(totalCount / query.limit) },
      }
    }),
  )

  serve(router, getImportJob, ({ inOrganization }, { params }) =>
    inOrganization(async (tenant) => readJob(tenant, await getRun(tenant, params.id))),
  )

  serve(router, exportRunErrors, async ({ inOrganization }, { params }) => {
    const { id } = await inOrganization((tenant) => getRun(tenant, params.id))
    return csvFile('errors.csv', streamRunErrors(inOrganization, id))
  })

  serve(router, getPushStatus, ({ inOrganization }, { params }) =>
    inOrganization(async (tenant) => readJob(tenant, await getRun(tenant, params.importId))),
  )

  serve(router, getSyncStatus, ({ inOrganization }) =>
    inOrganization(async (tenant) => {
      const crm = await findConnection(tenant, 'crm')
      const synced = await readSynced(tenant, crm?.account_id ?? null)
      const inProgress = await findRunInProgress(tenant)
      // A run that only a hint started is stopped for any run that a person starts.
      const running = inProgress && !isHint(inProgress) ? inProgress : undefined
      return {
        totalSubscriptions: synced.total.subscriptions,
        totalTransactions: synced.total.events,
        syncedSubscriptions: synced.subscriptions,
        syncedTransactions: synced.events,
        errorCount: synced.errors,
        lastSyncDate: synced.lastSyncedAt?.toISOString() ?? null,
        runningImportId: running?.kind === 'import' ? running.id : null,
        runningSyncId: running?.kind === 'push' ? running.id : null,
        lastImport: toOutcome(await findNewestRun(tenant, 'import')),
        lastSync: toOutcome(await findNewestRun(tenant, 'push')),
      }
    }),
  )

  serve(
    router,
    pushAll,
    async ({ deps, organizationId, inOrganization }) => {
      const { runId } = await startPush(deps, organizationId)
      await inOrganization((tenant) => requireKind(tenant, runId, 'push'))
      return { importId: runId }
    },
    runStanding,
  )

  serve(router, retryFailed, async ({ deps, organizationId }) => ({
    importId: await startPart(deps, organizationId, { part: 'failed', retriesFailed: true }),
  }))

  serve(router, syncSubscriptionCall, async ({ deps, organizationId }, { params }) => ({
    importId: await syncSubscription(deps, organizationId, params.id),
  }))

  serve(router, cancelRun, ({ deps, inOrganization, session }, { params }) =>
    inOrganization(async (tenant) => {
      const run = await getRun(tenant, params.id)
      if (run.kind === 'recount')
        throw new Refusal(
          'conflict',
          'A recount cannot be cancelled: it would begin again. Wait until it has ended.',
        )
      const stopped = await cancelRuns(tenant, deps.now(), `Cancelled by ${session.user.email}.`, run.id)
      if (stopped === 0) throw new Refusal('conflict', 'It has already ended. Reload the page.')
      return { success: true as const, message: 'Cancelled. What was done stays.' }
    }),
  )
}
