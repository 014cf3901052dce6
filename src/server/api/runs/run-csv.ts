import { exportSyncHistory } from '#contract/sync.ts'
import type { Context } from '../../http/context.ts'
import { type Router, serve } from '../../http/serve.ts'
import { listRuns, type Run } from '../../store/runs/runs.ts'
import { listFile, rowsPerPage } from '../lists/list-csv.ts'
import { toHistory } from './run-answers.ts'

export function serveRunCsv(router: Router): void {
  serve(router, exportSyncHistory, (context) =>
    listFile(context, { name: 'sync-history', head, pages: pagesOf(context) }),
  )
}

const head = ['Run ID', 'Type', 'Status', 'Started', 'Ended', 'Records', 'Errors', 'Message']

async function* pagesOf({ inOrganization }: Context): AsyncGenerator<string[][], undefined> {
  for (let page = 1; ; page += 1) {
    const { runs } = await inOrganization((tenant) => listRuns(tenant, { page, limit: rowsPerPage }))
    if (runs.length > 0) yield runs.map(lineOf)
    if (runs.length < rowsPerPage) return undefined
  }
}

function lineOf(run: Run): string[] {
  const { id, type, status, createdAt, completedAt, processedRecords, errorCount } = toHistory(run)
  return [
    ...[id, type, status, createdAt, completedAt ?? '', String(processedRecords), String(errorCount)],
    run.error ?? run.message,
  ]
}
