import { Anchor } from '@mantine/core'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listSyncHistory } from '#contract/sync.ts'
import type { Column } from '../../components/list-page/column.ts'
import { RunBadge, runTypeLabels } from '../../components/run-badge.tsx'
import { formatDuration, formatInstant } from '../../ui/dates.ts'

type Run = ResponseOf<typeof listSyncHistory>['histories'][number]

/** `onOpen` shows the details of the run with that id. */
export function syncHistoryColumns(onOpen: (id: string) => void): Column<Run>[] {
  return [
    { accessor: 'status', title: 'Status', render: (run) => <RunBadge status={run.status} /> },
    { accessor: 'type', title: 'Type', render: (run) => runTypeLabels[run.type] },
    {
      accessor: 'createdAt',
      title: 'Start Time',
      render: (run) => (
        <Anchor component="button" type="button" size="sm" onClick={() => onOpen(run.id)}>
          {formatInstant(run.createdAt)}
        </Anchor>
      ),
    },
    {
      accessor: 'completedAt',
      title: 'Duration',
      render: (run) => formatDuration(run.createdAt, run.completedAt),
    },
    {
      accessor: 'processedRecords',
      title: 'Records',
      textAlign: 'right',
      render: (run) => run.processedRecords.toLocaleString('en-US'),
    },
    {
      accessor: 'errorCount',
      title: 'Errors',
      textAlign: 'right',
      render: (run) => run.errorCount.toLocaleString('en-US'),
    },
  ]
}
