import {
  cancelRun,
  getSyncStatus,
  pushAll,
  retryFailed,
  syncSubscription as syncSubscriptionCall,
} from '#contract/sync.ts'
import type { Context } from '../../http/context.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import { findLastConfirmed } from '../../store/crm/crm-links.ts'
import { countRefused } from '../../store/crm/refusals.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { findLastEnded, findLastWrite } from '../../store/runs/last-ended.ts'
import { cancelRuns, type RunStart } from '../../store/runs/runs.ts'
import { getRunFacts } from '../../store/setup/setup-facts.ts'
import { startPart } from '../../work/push/run-part.ts'
import { startPush } from '../../work/push/start-push.ts'
import { syncSubscription } from '../../work/push/sync-subscription.ts'
import { readSynced } from '../setup/setup-progress.ts'
import { runStanding } from '../standing.ts'
import { readSyncStanding } from '../sync-standing.ts'
import { byPerson, getRun, requireCompletedImport, requireKind, toOutcome } from './run-answers.ts'
import { serveRunReads } from './run-reads.ts'

export function serveSync(router: Router): void {
  serveRunReads(router)

  serve(router, getSyncStatus, ({ inOrganization }) =>
    inOrganization(async (tenant) => {
      const { crm, running, lastImport, lastSync } = await readSyncStanding(tenant)
      const portalId = crm?.account_id ?? null
      // Read first: what follows makes the transaction look up each row.
      const lastSyncedAt = portalId === null ? null : await findLastRecordSynced(tenant, portalId)
      const synced = await readSynced(tenant, portalId)
      return {
        totalSubscriptions: synced.total.subscriptions,
        totalTransactions: synced.total.events,
        syncedSubscriptions: synced.subscriptions,
        syncedTransactions: synced.events,
        errorCount: portalId === null ? 0 : await countRefused(tenant, portalId),
        lastSyncDate: lastSyncedAt?.toISOString() ?? null,
        runningImportId: running?.kind === 'import' ? running.id : null,
        runningSyncId: running?.kind === 'push' ? running.id : null,
        lastImport: toOutcome(lastImport),
        lastSync: toOutcome(lastSync),
      }
    }),
  )

  serve(
    router,
    pushAll,
    async ({ deps, organizationId, inOrganization, session }, { body }) => {
      const start = await startOf(body?.follows, session.user.id, inOrganization)
      const { runId } = await startPush(deps, organizationId, undefined, start)
      await inOrganization((tenant) => requireKind(tenant, runId, 'push'))
      return { importId: runId }
    },
    runStanding,
  )

  serve(router, retryFailed, async ({ deps, organizationId, session }) => {
    const part = { part: 'failed', retriesFailed: true } as const
    return { importId: await startPart(deps, organizationId, part, byPerson(session)) }
  })

  serve(router, syncSubscriptionCall, async ({ deps, organizationId, session }, { params }) => ({
    importId: await syncSubscription(deps, organizationId, params.id, byPerson(session)),
  }))

  serve(router, cancelRun, ({ deps, inOrganization, session }, { params }) =>
    inOrganization(async (tenant) => {
      const run = await getRun(tenant, params.id)
      if (run.kind === 'recount')
        throw new Refusal(
          'conflict',
          'A recount cannot be canceled: it would start again. Wait until it has ended.',
        )
      const stopped = await cancelRuns(tenant, deps.now(), `Canceled by ${session.user.email}.`, run.id)
      if (stopped === 0) throw new Refusal('conflict', 'It has already ended. Reload the page.')
      return { success: true as const, message: 'Canceled. What was done stays.' }
    }),
  )
}

/**
 * When a record was written last. Runs of earlier versions do not tell what they wrote, so the last one counts. After a
 * reset of the setup they may be of another portal: all records are looked at.
 */
async function findLastRecordSynced(tenant: Tenant, portalId: string): Promise<Date | null> {
  const writtenAt = await findLastWrite(tenant)
  if (writtenAt !== undefined) return writtenAt
  const isForgotten = (await getRunFacts(tenant)).push === 'forgotten'
  const last = isForgotten ? undefined : await findLastEnded(tenant, ['completed'], ['push'])
  return last?.completed_at ?? (await findLastConfirmed(tenant, portalId))
}

/** A push that a person's screen starts when the import that they started has ended belongs to that import. */
async function startOf(
  follows: string | undefined,
  userId: number,
  inOrganization: Context['inOrganization'],
): Promise<RunStart> {
  if (follows === undefined) return { by: 'person', userId }
  await inOrganization((tenant) => requireCompletedImport(tenant, follows))
  return { by: 'import', userId, followsRunId: follows }
}
