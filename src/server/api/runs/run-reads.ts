import { listRunRecords as listRunRecordsCall } from '#contract/runs/run-records.ts'
import { exportRunErrors, getImportJob, getPushStatus, listSyncHistory } from '#contract/sync.ts'
import { type Router, serve } from '../../http/serve.ts'
import { listRuns } from '../../store/runs/run-list.ts'
import { listRunRecords } from '../../store/runs/run-records.ts'
import { csvFile } from '../csv.ts'
import { readLinks } from '../links.ts'
import { filterOf, getRun, readJob, toHistory } from './run-answers.ts'
import { serveRunCsv } from './run-csv.ts'
import { streamRunErrors } from './run-errors.ts'
import { readRunRecords } from './run-records.ts'

/** Sync History: the list, its file, and each run. */
export function serveRunReads(router: Router): void {
  serveRunCsv(router)

  serve(router, listSyncHistory, ({ inOrganization }, { query }) =>
    inOrganization(async (tenant) => {
      const { page, limit, ...filters } = query
      const found = await listRuns(tenant, { page, limit, ...filterOf(filters) })
      const { runs, totalCount, hiddenCount } = found
      return {
        histories: runs.map(toHistory),
        pagination: { total: totalCount, totalPages: Math.ceil(totalCount / limit) },
        hiddenCount,
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

  serve(
    router,
    listRunRecordsCall,
    ({ deps, inOrganization }, { params, query: { kind, only, page, limit } }) =>
      inOrganization(async (tenant) => {
        const run = await getRun(tenant, params.id)
        const asked = { kind, only, limit, offset: (page - 1) * limit }
        const { records, totalCount } = await listRunRecords(tenant, run, asked)
        return {
          records: await readRunRecords(tenant, await readLinks(deps, tenant), kind, records),
          totalCount,
        }
      }),
  )

  serve(router, getPushStatus, ({ inOrganization }, { params }) =>
    inOrganization(async (tenant) => readJob(tenant, await getRun(tenant, params.importId))),
  )
}
