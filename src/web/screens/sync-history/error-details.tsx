import { Anchor, Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '#contract/endpoint.ts'
import { errorDetailsMax, exportRunErrors, type getImportJob } from '#contract/sync.ts'
import { buildUrl } from '../../client.ts'
import { paths } from '../../paths.ts'
import { Instant } from '../../ui/time/instant.tsx'

type ErrorDetailsProps = { run: ResponseOf<typeof getImportJob>; isNarrow: boolean }

/** What a run could not do. On a narrow screen, each error is a card that begins with its message. */
export function ErrorDetails({ run, isNarrow }: ErrorDetailsProps) {
  // Nothing but their place tells errors apart.
  const errors = run.errorDetails.map((detail, place) => ({ ...detail, place }))
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={3} size="h5">
          Error Details
        </Title>
        <Button
          component="a"
          href={buildUrl(exportRunErrors.path, { id: run.id })}
          download
          variant="default"
          size="xs"
        >
          Export all as CSV
        </Button>
      </Group>
      {run.errorDetails.length < errorDetailsMax ? null : (
        <Text c="dimmed" size="sm">
          The newest {errorDetailsMax} are shown. The file has all of them.
        </Text>
      )}
      {isNarrow ? <ErrorCards errors={errors} /> : <ErrorTable errors={errors} />}
    </section>
  )
}

type Errors = { errors: (ErrorDetailsProps['run']['errorDetails'][number] & { place: number })[] }

function ErrorCards({ errors }: Errors) {
  return (
    <Stack component="ul" aria-label="Error Details" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
      {errors.map((detail) => (
        <Paper key={detail.place} component="li" withBorder p="xs" style={{ overflowWrap: 'anywhere' }}>
          <Text size="sm">{messageOf(detail)}</Text>
          <Text size="sm" c="dimmed" mt={4} component="div">
            {sourceOf(detail.sourceId)}, <Instant at={detail.createdAt} />
          </Text>
        </Paper>
      ))}
    </Stack>
  )
}

function ErrorTable({ errors }: Errors) {
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table aria-label="Error Details">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Source ID</Table.Th>
            <Table.Th>Error Message</Table.Th>
            <Table.Th>Time</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {errors.map((detail) => (
            <Table.Tr key={detail.place}>
              <Table.Td>{sourceOf(detail.sourceId)}</Table.Td>
              <Table.Td>{messageOf(detail)}</Table.Td>
              <Table.Td>
                <Instant at={detail.createdAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function messageOf({ errorMessage }: { errorMessage: string | null }): string {
  return errorMessage || 'Unknown error'
}

/** The id of what was refused, as a link to its screen where it has one. */
function sourceOf(id: string | null): ReactNode {
  if (!id) return 'N/A'
  const screenOf = { sub_: paths.subscription, cus_: paths.customer }[id.slice(0, 4)]
  if (screenOf === undefined) return id
  return (
    <Anchor component={Link} to={screenOf(id)} size="sm" underline="always">
      {id}
    </Anchor>
  )
}
