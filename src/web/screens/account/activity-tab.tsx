import { Badge, Card, Group, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { exportActivity, listActivity } from '#contract/audit.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { outcomeLabels } from '#contract/lists/list-words.ts'
import { buildUrl, useEndpoint } from '../../client.ts'
import { LeftOutNote } from '../../components/address/left-out-note.tsx'
import { counted } from '../../components/counted.ts'
import type { CardLines, Column } from '../../components/list-page/column.ts'
import { CsvButton } from '../../components/list-page/csv-button.tsx'
import { isNarrowed } from '../../components/list-page/list-state.ts'
import { RecordsTable } from '../../components/list-page/records-table.tsx'
import { useLastPage, useListState } from '../../components/list-page/use-list-state.ts'
import { Paginator } from '../../ui/paginator.tsx'
import { Instant } from '../../ui/time/instant.tsx'
import { ActivityFilters, activitySpec } from './activity-filters.tsx'

const perPage = 25

type Line = ResponseOf<typeof listActivity>['lines'][number]

/** Shows owners and admins who did what in the organization, page by page. */
export function ActivityTab() {
  const controls = useListState(activitySpec)
  const { state, change } = controls
  const activity = useEndpoint(
    listActivity,
    { query: { ...state.filters, page: String(state.page), limit: String(perPage) } },
    { placeholderData: keepPreviousData, staleTime: 0 },
  )
  const { lines, totalCount } = activity.data ?? {}
  const totalPages = Math.ceil((totalCount ?? 0) / perPage)
  useLastPage(controls, totalPages, activity.isFetching)
  const narrowed = isNarrowed(state)
  return (
    <Card withBorder component="section" aria-label="Activity">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5">
            Activity
          </Title>
          <CsvButton href={buildUrl(exportActivity.path, {}, state.filters)} isSmall />
        </Group>
        <ActivityFilters controls={controls} totalCount={totalCount} />
        <LeftOutNote leftOut={controls.leftOut} onRemove={controls.forget} />
        <RecordsTable
          label="Activity"
          columns={columns}
          cardOf={card}
          records={lines}
          idOf={(line) => line.id}
          isFetching={activity.isPending || activity.isPlaceholderData}
          error={activity.error}
          errorText="The activity could not be loaded"
          emptyText={narrowed ? 'Nothing of this kind has happened.' : 'Nothing has happened yet.'}
          emptyHint={narrowed ? 'Choose other filters.' : undefined}
          expectedRows={4}
          minWidth={620}
          onRetry={() => void activity.refetch()}
        />
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {totalCount === undefined ? '' : counted(totalCount, 'action')}
          </Text>
          <Paginator page={state.page} totalPages={totalPages} onChange={(page) => change({ page })} />
        </Group>
      </Stack>
    </Card>
  )
}

const columns: Column<Line>[] = [
  { accessor: 'happenedAt', title: 'Time', render: (line) => <Instant at={line.happenedAt} /> },
  { accessor: 'actor', title: 'Who', render: actorOf },
  { accessor: 'description', title: 'What', render: (line) => <What line={line} /> },
  { accessor: 'address', title: 'Address', render: (line) => line.address ?? '' },
]

function card(line: Line): CardLines {
  return {
    title: <What line={line} />,
    amount: line.address,
    amountName: 'Address',
    badge: actorOf(line),
    date: <Instant at={line.happenedAt} />,
  }
}

function actorOf({ actor }: Line): string {
  return actor ?? 'Tributary'
}

/** It wraps, because some subjects are long. */
function What({ line: { description, subject, outcome } }: { line: Line }) {
  return (
    <Group gap="xs" style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
      <bdi>{subject === null ? description : `${description}: ${subject}`}</bdi>
      <Outcome outcome={outcome} />
    </Group>
  )
}

function Outcome({ outcome }: Pick<Line, 'outcome'>) {
  if (outcome === 'done') return null
  return (
    <Badge variant="light" color={outcome === 'failed' ? 'red' : 'gray'}>
      {outcomeLabels[outcome]}
    </Badge>
  )
}
