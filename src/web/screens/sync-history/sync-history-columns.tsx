import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Column } from '../../components/list-page/column.ts'
import { RunBadge, runTypeLabels } from '../../components/run-badge.tsx'
import { paths } from '../../paths.ts'
import { formatDuration } from '../../ui/dates.ts'
import { Ago } from '../../ui/time/instant.tsx'
import { changesText, type HistoryLine, relatedRun, starterText } from './run-words.tsx'
import classes from './sync-history.module.css'

/** `search` are the filters of the address, which links to other runs keep. */
export function syncHistoryColumns(runs: readonly HistoryLine[], search: string): Column<HistoryLine>[] {
  return [
    { accessor: 'status', title: 'Status', render: (run) => <RunBadge status={run.status} /> },
    {
      accessor: 'type',
      title: 'Type',
      render: (run) => <span className={bracketOf(run, runs)}>{runTypeLabels[run.type]}</span>,
    },
    {
      accessor: 'createdAt',
      title: 'Start Time',
      render: (run) => (
        <Anchor component={Link} to={`${paths.run(run.id)}${search}`} preventScrollReset size="sm">
          <Ago at={run.createdAt} />
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
    {
      accessor: 'changes',
      title: 'Changes',
      render: (run) => (
        <Stack gap={2} align="flex-start">
          {changesText(run)}
          {run.reason === null ? null : <Reason text={run.reason} />}
        </Stack>
      ),
    },
    {
      accessor: 'startedBy',
      title: 'Started By',
      render: (run) => (
        <Group gap="xs" wrap="nowrap">
          {run.startedBy?.kind === 'import' && run.startedBy.name === null ? null : (
            <Text size="sm">{starterText(run)}</Text>
          )}
          {relatedRun(run, search)}
        </Group>
      ),
    },
  ]
}

/** The second line of a failed run. The dialog has the whole text. */
function Reason({ text }: { text: string }) {
  return (
    <Text
      size="xs"
      c="var(--text-negative)"
      w="max-content"
      maw={260}
      lineClamp={3}
      style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}
    >
      {text}
    </Text>
  )
}

/** A sync and its import in the row below are held together by a line at their left. */
function bracketOf(run: HistoryLine, runs: readonly HistoryLine[]): string | undefined {
  const at = runs.indexOf(run)
  if (run.follows !== null && runs[at + 1]?.id === run.follows.id) return classes.upper
  if (run.followedBy !== null && runs[at - 1]?.id === run.followedBy.id) return classes.lower
  return undefined
}
