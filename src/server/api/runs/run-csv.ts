import { runStatusLabel, runTypeLabels, starterLabels } from '#contract/lists/list-words.ts'
import { exportSyncHistory } from '#contract/sync.ts'
import type { Context } from '../../http/context.ts'
import { type Router, serve } from '../../http/serve.ts'
import { type ListedRun, type RunFilter, type RunsPlace, readRunsOnwards } from '../../store/runs/run-list.ts'
import { listFile, rowsPerPage } from '../lists/list-csv.ts'
import { filterOf, toHistory } from './run-answers.ts'

export function serveRunCsv(router: Router): void {
  serve(router, exportSyncHistory, (context, { query }) =>
    listFile(context, { name: 'sync-history', head, pages: pagesOf(context, filterOf(query)) }),
  )
}

const head = [
  'Run ID',
  'Type',
  'Status',
  'Started (UTC)',
  'Ended (UTC)',
  'Records',
  'Errors',
  'Message',
  'Started By',
  'Person',
  'Follows Run',
  'Changed Subscriptions',
  'Changed Events',
  'Changed Links',
  'New Companies',
  'New Contacts',
]

async function* pagesOf(
  { inOrganization }: Context,
  filter: RunFilter,
): AsyncGenerator<string[][], undefined> {
  const readBehind = (behind: RunsPlace | null) =>
    inOrganization((tenant) => readRunsOnwards(tenant, filter, { behind, limit: rowsPerPage }))
  for (let behind: RunsPlace | null = null; ; ) {
    const { runs, next } = await readBehind(behind)
    if (runs.length > 0) yield runs.map(lineOf)
    if (next === null) return undefined
    behind = next
  }
}

function lineOf(run: ListedRun): string[] {
  const { id, type, status, createdAt, completedAt, processedRecords, errorCount, ...more } = toHistory(run)
  const { startedBy, changes, follows } = more
  const { subscriptions, events, links, companies, contacts } = changes ?? {}
  const changed = [subscriptions, events, links, companies, contacts].map((count) => String(count ?? ''))
  return [
    ...[id, runTypeLabels[type], runStatusLabel(status), createdAt, completedAt ?? ''],
    ...[String(processedRecords), String(errorCount), run.error ?? run.message],
    startedBy === null ? '' : starterLabels[startedBy.kind],
    ...[startedBy?.name ?? '', follows?.id ?? '', ...changed],
  ]
}
