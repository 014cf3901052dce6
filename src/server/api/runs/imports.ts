import {
  getFreshness,
  getHistoricalImportProgress,
  getImportStatus,
  startHistoricalImport,
  startImport as startImportCall,
} from '#contract/imports.ts'
import { type Router, serve } from '../../http/serve.ts'
import { findPaymentAccount } from '../../store/payments/payment-account.ts'
import { findDelays } from '../../store/payments/payment-changes.ts'
import { findNewestRun } from '../../store/runs/runs.ts'
import { countRecords } from '../../store/setup/setup-facts.ts'
import { startImport } from '../../work/import/start-import.ts'
import { runStanding } from '../standing.ts'
import { getRun, readImportProgress, requireKind } from './run-answers.ts'

/** Delays are measured over the last 24 hours, because older ones no longer describe the current speed. */
const measuredMs = 24 * 3600 * 1000

export function serveImports(router: Router): void {
  serve(
    router,
    startHistoricalImport,
    async ({ deps, organizationId, role, inOrganization }, { body }) => {
      const request = { mode: 'historical', restart: body?.restart ?? false } as const
      const started = await startImport(deps, organizationId, request, { askedBy: role })
      const counts = await inOrganization(async (tenant) => {
        await requireKind(tenant, started.runId, 'import')
        return countRecords(tenant)
      })
      return {
        success: true,
        importId: started.runId,
        message: started.isNew ? 'The import has started.' : 'An import is already running.',
        totalCustomers: counts.customers,
        totalTransactions: counts.events,
      }
    },
    runStanding,
  )

  serve(
    router,
    startImportCall,
    async ({ deps, organizationId, inOrganization }, { body }) => {
      const from = new Date(body.startDate)
      const until = new Date(body.endDate)
      const { runId } = await startImport(deps, organizationId, { mode: 'window', from, until })
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
    inOrganization(async (tenant) => {
      const freshAsOf = (await findPaymentAccount(tenant))?.refreshed_at ?? null
      const dayBefore = new Date(deps.now().getTime() - measuredMs)
      const delays = await findDelays(tenant, dayBefore)
      return {
        freshAsOf: freshAsOf?.toISOString() ?? null,
        changes: delays
          ? {
              count: delays.count,
              medianSeconds: Math.round(delays.median),
              p95Seconds: Math.round(delays.p95),
              newestAt: delays.newestAt.toISOString(),
            }
          : null,
      }
    }),
  )
}
