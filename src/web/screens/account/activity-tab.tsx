import { Badge, Button, Card, Group, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { exportActivity, listActivity } from '#contract/audit.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { useEndpoint } from '../../client.ts'
import type { CardLines, Column } from '../../components/list-page/column.ts'
import { CsvButton } from '../../components/list-page/csv-button.tsx'
import { RecordsTable } from '../../components/list-page/records-table.tsx'
import { Instant } from '../../ui/time/instant.tsx'

const pageSize = '25'

type Line = ResponseOf<typeof listActivity>['lines'][number]

/** Shows owners and admins who did what in the organization, page by page. */
export function ActivityTab() {
  // Each entry is the last line of an earlier page, so that the reader can go back.
  const [trail, setTrail] = useState<string[]>([])
  const before = trail.at(-1)
  const activity = useEndpoint(
    listActivity,
    { query: { limit: pageSize, ...(before !== undefined && { before }) } },
    { staleTime: 0 },
  )
  const last = activity.data?.lines.at(-1)
  return (
    <Card withBorder component="section" aria-label="Activity">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5">
            Activity
          </Title>
          <CsvButton href={exportActivity.path} isSmall />
        </Group>
        <RecordsTable
          label="Activity"
          columns={columns}
          cardOf={card}
          records={activity.data?.lines}
          idOf={(line) => line.id}
          isFetching={activity.isPending}
          error={activity.error}
          errorText="The activity could not be loaded"
          emptyText="Nothing has happened yet."
          expectedRows={4}
          minWidth={620}
          onRetry={() => void activity.refetch()}
        />
        {/* It comes with the first lines, which would move it. */}
        {activity.isPending && before === undefined ? null : (
          <Group justify="flex-end">
            <Button
              variant="default"
              size="xs"
              disabled={trail.length === 0}
              onClick={() => setTrail(trail.slice(0, -1))}
            >
              Newer
            </Button>
            <Button
              variant="default"
              size="xs"
              disabled={activity.data?.hasMore !== true || last === undefined}
              onClick={() => last && setTrail([...trail, last.id])}
            >
              Older
            </Button>
          </Group>
        )}
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
    <Badge variant="light" tt="none" color={outcome === 'failed' ? 'red' : 'gray'}>
      {outcome === 'failed' ? 'Not done' : 'Not finished'}
    </Badge>
  )
}
