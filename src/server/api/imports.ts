import {
  getHistoricalImportProgress,
  getImportStatus,
  startHistoricalImport,
  startImport as startImportCall,
} from '#contract/imports.ts'
import { type Router, serve } from '../http/serve.ts'
import { Refusal } from '../refusal.ts'
import { findNewestRun } from '../store/runs.ts'
import { countRecords } from '../store/setup-facts.ts'
import { startImport } from '../work/start-import.ts'
import { getRun, readImportProgress, requireKind } from './run-answers.ts'

export function serveImports(router: Router): void {
  serve(router, startHistoricalImport, async ({ deps, organizationId, inOrganization }, { body }) => {
    const started = await startImport(deps, organizationId, {
      mode: 'historical',
      ...(body?.restart !== undefined && { restart: body.restart }),
    })
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
  })

  serve(router, startImportCall, async ({ deps, organizationId, inOrganization }, { body }) => {
    const from = new Date(body.startDate)
    const until = new Date(body.endDate)
    if (from > until) throw new Refusal('invalid_request', 'startDate: must not lie after endDate.')
    const { runId } = await startImport(deps, organizationId, { mode: 'window', from, until })
    await inOrganization((tenant) => requireKind(tenant, runId, 'import'))
    return { importId: runId }
  })

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
}
