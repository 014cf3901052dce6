import { Anchor, Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { Fragment, type ReactNode, type RefObject, useState } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '#contract/endpoint.ts'
import { errorDetailsMax, exportRunErrors, type getImportJob } from '#contract/sync.ts'
import { buildUrl } from '../../client.ts'
import { counted } from '../../components/counted.ts'
import { paths } from '../../paths.ts'
import { Instant } from '../../ui/time/instant.tsx'

type ErrorDetailsProps = {
  run: ResponseOf<typeof getImportJob>
  isNarrow: boolean
  heading: RefObject<HTMLHeadingElement | null>
}

/** What a run could not do, each message once. On a narrow screen, each is a card that begins with it. */
export function ErrorDetails({ run, isNarrow, heading }: ErrorDetailsProps) {
  const errors = byMessage(run)
  return (
    <section>
      <Group justify="space-between" mb="xs">
        {/* The head of the dialog stays above it. */}
        <Title order={3} size="h5" ref={heading} tabIndex={-1} style={{ scrollMarginTop: '5rem' }}>
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
      {run.type !== 'sync' || run.errorCount === 0 ? null : (
        <Text c="dimmed" size="sm" mb="xs">
          The records that HubSpot refuses now are in{' '}
          <Anchor component={Link} to={paths.syncHealth} inherit underline="always">
            Sync Health
          </Anchor>
          , with their companies.
        </Text>
      )}
      {isNarrow ? <ErrorCards errors={errors} /> : <ErrorTable errors={errors} />}
    </section>
  )
}

/** One message with what it was said of, and when last. */
type ToldError = { message: string; sourceIds: (string | null)[]; createdAt: string }

function byMessage({ errorDetails }: ErrorDetailsProps['run']): ToldError[] {
  const groups = Map.groupBy(errorDetails, ({ errorMessage }) => errorMessage || 'Unknown error')
  return [...groups].map(([message, errors]) => ({
    message,
    sourceIds: errors.map(({ sourceId }) => sourceId),
    createdAt:
      errors
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .at(-1) ?? '',
  }))
}

type Errors = { errors: ToldError[] }

function ErrorCards({ errors }: Errors) {
  return (
    <Stack component="ul" aria-label="Error Details" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
      {errors.map((error) => (
        <Paper key={error.message} component="li" withBorder p="xs" style={{ overflowWrap: 'anywhere' }}>
          <Text size="sm">{error.message}</Text>
          <Text size="sm" c="dimmed" mt={4} component="div">
            <Sources ids={error.sourceIds} />, <Instant at={error.createdAt} />
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
          {errors.map((error) => (
            <Table.Tr key={error.message}>
              <Table.Td miw={200} style={{ overflowWrap: 'anywhere' }}>
                <Sources ids={error.sourceIds} />
              </Table.Td>
              <Table.Td>{error.message}</Table.Td>
              <Table.Td>
                <Instant at={error.createdAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** So many ids of a message show at first. */
const firstIds = 3

/** What a message was said of. Many are folded, so that the next message stays in sight. */
function Sources({ ids }: { ids: ToldError['sourceIds'] }) {
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen || ids.length === firstIds + 1 ? ids : ids.slice(0, firstIds)
  const others = ids.length - shown.length
  return (
    <>
      {shown.map((id, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an id may be missing, so only the place is unique
        <Fragment key={place}>
          {place === 0 ? '' : ', '}
          {sourceOf(id)}
        </Fragment>
      ))}
      {others === 0 ? null : (
        <>
          {' and '}
          <Anchor component="button" type="button" size="sm" underline="always" onClick={() => setOpen(true)}>
            {counted(others, 'other')}
          </Anchor>
        </>
      )}
    </>
  )
}

/** The id of what was refused, as a link to its screen where it has one. */
function sourceOf(id: string | null): ReactNode {
  if (!id) return 'N/A'
  const screen = screenOf(id)
  if (screen === null) return id
  return (
    <Anchor component={Link} to={screen} size="sm" underline="always">
      {id}
    </Anchor>
  )
}

/** The id of an event begins with that of its subscription, whose screen marks it. */
function screenOf(id: string): string | null {
  if (id.startsWith('cus_')) return paths.customer(id)
  if (!id.startsWith('sub_')) return null
  const [subscriptionId = id, ...ofEvent] = id.split(':')
  const subscription = paths.subscription(subscriptionId)
  return ofEvent.length === 0 ? subscription : `${subscription}?${new URLSearchParams({ event: id })}`
}
