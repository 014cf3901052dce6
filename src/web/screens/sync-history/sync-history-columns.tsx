import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { runTypeLabels } from '#contract/lists/list-words.ts'
import { counted } from '../../components/counted.ts'
import type { CardLines, Column } from '../../components/list-page/column.ts'
import { changesText } from '../../components/runs/changes-text.ts'
import { RunBadge } from '../../components/runs/run-badge.tsx'
import { paths } from '../../paths.ts'
import { formatDuration } from '../../ui/dates.ts'
import { Ago } from '../../ui/time/instant.tsx'
import { type HistoryLine, hasFailedAsWhole, RunErrors, relatedRun, starterText } from './run-words.tsx'
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
    { accessor: 'createdAt', title: 'Start Time', render: (run) => <Start run={run} search={search} /> },
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
      render: (run) => <RunErrors run={run} />,
    },
    { accessor: 'changes', title: 'Changes', render: (run) => <Outcome run={run} /> },
    { accessor: 'startedBy', title: 'Started By', render: (run) => <Starter run={run} search={search} /> },
  ]
}

/** A run on a narrow screen. */
export const syncHistoryCard =
  (search: string) =>
  (run: HistoryLine): CardLines => ({
    title: runTypeLabels[run.type],
    amount: <Start run={run} search={search} />,
    amountName: 'Started',
    badge: <RunBadge status={run.status} />,
    date:
      hasNothing(run) || hasLinksAlone(run)
        ? null
        : hasFailedAsWhole(run)
          ? counted(run.processedRecords, 'record')
          : `${counted(run.processedRecords, 'record')}, ${counted(run.errorCount, 'error')}`,
    more: (
      <Stack gap={2} align="flex-start">
        <Outcome run={run} isCard />
        <Starter run={run} search={search} />
      </Stack>
    ),
  })

/** Whether it failed before it did anything: then the reason says all. */
const hasNothing = ({ status, processedRecords, errorCount }: HistoryLine) =>
  status === 'failed' && processedRecords + errorCount === 0

/** Whether it changed links of records alone; what it changed says more than that it wrote no record. */
const hasLinksAlone = ({ processedRecords, errorCount, changes }: HistoryLine) =>
  processedRecords + errorCount === 0 && (changes?.links ?? 0) > 0

type OfRun = { run: HistoryLine; search: string }

function Start({ run, search }: OfRun) {
  return (
    <Anchor component={Link} to={`${paths.run(run.id)}${search}`} preventScrollReset size="sm">
      <Ago at={run.createdAt} />
    </Anchor>
  )
}

/** It wraps, so that who started the run stays in view beside it. */
const inColumn = { w: 'max-content', maw: 220 }

function Outcome({ run, isCard = false }: Pick<OfRun, 'run'> & { isCard?: boolean }) {
  const width = isCard ? {} : inColumn
  return (
    <Stack gap={2} align="flex-start">
      {hasNothing(run) && run.reason !== null ? null : (
        <Text size="sm" {...width} style={{ whiteSpace: 'normal' }}>
          {changesText(run)}
        </Text>
      )}
      {run.reason === null ? null : <Reason text={run.reason} width={width} />}
    </Stack>
  )
}

function Starter({ run, search }: OfRun) {
  return (
    <Stack gap={0} align="flex-start">
      <Text size="sm">{starterText(run)}</Text>
      {relatedRun(run, search)}
    </Stack>
  )
}

/** The second line of a failed run. The dialog has the whole text. */
function Reason({ text, width }: { text: string; width: object }) {
  return (
    <Text
      size="xs"
      c="var(--text-negative)"
      {...width}
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
