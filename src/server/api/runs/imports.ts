import type { ResponseOf } from '#contract/endpoint.ts'
import {
  getFreshness,
  getHistoricalImportProgress,
  getImportStatus,
  lateShownMax,
  startHistoricalImport,
  startImport as startImportCall,
} from '#contract/imports.ts'
import { type Router, serve } from '../../http/serve.ts'
import { findConnections } from '../../store/connections/connections.ts'
import { findSilentSince } from '../../store/connections/payment-webhooks.ts'
import { findPaymentAccount } from '../../store/payments/payment-account.ts'
import { findDelays } from '../../store/payments/payment-changes.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { findCrmLags, type Lags, listLate } from '../../store/runs/freshness.ts'
import { findNewestRun } from '../../store/runs/runs.ts'
import { countRecords } from '../../store/setup/setup-facts.ts'
import { startImport } from '../../work/import/start-import.ts'
import { findNextRunAt, readPromise } from '../freshness.ts'
import { runStanding } from '../standing.ts'
import { findReadingTrouble } from './reading-trouble.ts'
import { byPerson, getRun, readImportProgress, requireKind } from './run-answers.ts'

/** Delays are measured over the last 24 hours, because older ones no longer describe the current speed. */
const measuredMs = 24 * 3600 * 1000

export function serveImports(router: Router): void {
  serve(
    router,
    startHistoricalImport,
    async ({ deps, organizationId, role, inOrganization, session }, { body }) => {
      const request = { mode: 'historical', restart: body?.restart ?? false } as const
      const started = await startImport(deps, organizationId, request, {
        askedBy: role,
        start: byPerson(session),
      })
      const counts = await inOrganization(async (tenant) => {
        await requireKind(tenant, started.runId, 'import')
        return countRecords(tenant)
      })
      return {
        success: true,
        importId: started.runId,
        message: started.isNew
          ? 'It reads the whole history of the Stripe account.'
          : 'An import is already running.',
        totalCustomers: counts.customers,
        totalTransactions: counts.events,
      }
    },
    runStanding,
  )

  serve(
    router,
    startImportCall,
    async ({ deps, organizationId, inOrganization, session }, { body }) => {
      const from = new Date(body.startDate)
      const until = new Date(body.endDate)
      const request = { mode: 'window', from, until } as const
      const { runId } = await startImport(deps, organizationId, request, { start: byPerson(session) })
      await inOrganization((tenant) => requireKind(tenant, runId, 'import'))
      return { importId: runId }
    },
    runStanding,
  )

  serve(router, getHistoricalImportProgress, ({ inOrganization }, { params }) =>
    inOrganization(async (tenant) => readImportProgress(tenant, await getRun(tenant, params.id))),
  )

  serve(router, getImportStatus, ({ inOrganization }, { query }) =>
    inOrganization(async (tenant) => {
      const run =
        query.importId === undefined
          ? await findNewestRun(tenant, 'import')
          : await getRun(tenant, query.importId)
      return run === undefined ? null : readImportProgress(tenant, run)
    }),
  )

  serve(router, getFreshness, ({ deps, inOrganization }) =>
    inOrganization((tenant) => describeFreshness(tenant, deps.now())),
  )
}

/** A delivery that comes later than this is told as missing until it comes. */
const deliveredWithinMs = 10 * 60_000

async function describeFreshness(tenant: Tenant, now: Date): Promise<ResponseOf<typeof getFreshness>> {
  const since = new Date(now.getTime() - measuredMs)
  const freshAsOf = (await findPaymentAccount(tenant))?.refreshed_at ?? null
  const { payments, crm } = await findConnections(tenant)
  // While a provider refuses the connection nothing arrives, however soon it did before.
  const isRead = !payments?.warning
  const delays = isRead ? await findDelays(tenant, since) : undefined
  const lags = isRead && !crm?.warning ? await findCrmLags(tenant, since) : undefined
  const promise = await readPromise(tenant)
  const late = await listLate(tenant, { ...promise, since, now, limit: lateShownMax })
  return {
    freshAsOf: freshAsOf?.toISOString() ?? null,
    changes: delays ? { ...toSeconds(delays), newestAt: delays.newestAt.toISOString() } : null,
    toHubspot: lags ? toSeconds(lags) : null,
    promisedSeconds: promise.seconds,
    readsChanges: promise.readsChanges,
    nextRunAt: (await findNextRunAt(tenant, now))?.toISOString() ?? null,
    webhookSilentSince:
      (await findSilentSince(tenant, new Date(now.getTime() - deliveredWithinMs)))?.toISOString() ?? null,
    trouble: await findReadingTrouble(tenant, { refreshedAt: freshAsOf, ...promise, now }),
    lateCount: late.count,
    late: late.records.map(({ changedAt, seconds, ...record }) => ({
      ...record,
      changedAt: changedAt.toISOString(),
      seconds: Math.round(seconds),
    })),
  }
}

function toSeconds({ count, median, p95 }: Lags) {
  return { count: Number(count), medianSeconds: Math.round(median), p95Seconds: Math.round(p95) }
}
