import { Badge, Button, Card, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { exportActivity, listActivity } from '#contract/audit.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { useEndpoint } from '../../client.ts'
import { Instant } from '../../ui/time/instant.tsx'
import { ReadFailure } from '../../ui/unread.tsx'

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
  const lines = activity.data?.lines ?? []
  const last = lines.at(-1)
  return (
    <Card withBorder component="section" aria-label="Activity">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5">
            Activity
          </Title>
          <Button component="a" href={exportActivity.path} download variant="default" size="xs">
            Export as CSV
          </Button>
        </Group>
        {activity.isPending ? <Skeleton height={160} /> : null}
        {activity.error === null ? null : (
          <ReadFailure
            title="The activity could not be loaded"
            error={activity.error}
            onRetry={() => void activity.refetch()}
          />
        )}
        {activity.isSuccess && lines.length === 0 ? <Text>Nothing has happened yet.</Text> : null}
        {lines.length > 0 ? <Lines lines={lines} /> : null}
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
      </Stack>
    </Card>
  )
}

function Lines({ lines }: { lines: Line[] }) {
  return (
    <Table.ScrollContainer minWidth={620}>
      <Table aria-label="Activity">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Time</Table.Th>
            <Table.Th>Who</Table.Th>
            <Table.Th>What</Table.Th>
            <Table.Th>Address</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={line.id}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <Instant at={line.happenedAt} />
              </Table.Td>
              <Table.Td>{line.actor ?? 'Tributary'}</Table.Td>
              <Table.Td>
                <Group gap="xs">
                  <bdi>
                    {line.subject === null ? line.description : `${line.description}: ${line.subject}`}
                  </bdi>
                  <Outcome outcome={line.outcome} />
                </Group>
              </Table.Td>
              <Table.Td>{line.address ?? ''}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
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
