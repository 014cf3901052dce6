import { Anchor, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { healthRows, listRefusalReasons, type SyncHealth } from '#contract/lists/sync-health.ts'
import { getSyncStatus } from '#contract/sync.ts'
import { useEndpoint } from '../../client.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useObstacles } from '../../queries/session.ts'
import { PageSpinner } from '../../ui/page-spinner.tsx'
import { Paginator } from '../../ui/paginator.tsx'
import { ReadFailure } from '../../ui/problems/unread.tsx'
import { FailingReason } from './failing-reason.tsx'
import { RetryFailed } from './retry-failed.tsx'
import { eventsAt, HealthSection, moneyOf, subscriptionsAt, sumText } from './sync-health-parts.tsx'
import type { Retry } from './use-retry-failed.ts'

const reasonsPerPage = 10

type FailingProps = { health: SyncHealth }

/** All that HubSpot refused: each reason once, with its records behind it. No other list says why. */
export function FailingSection({ health, retry }: FailingProps & { retry: Retry }) {
  const { failing, events } = health
  return (
    <HealthSection
      title="Failing"
      counts={[sumText(failing, 'subscription'), sumText(events.failing, 'event')]}
      emptyText="No record was refused."
    >
      <Lists health={health} />
      <Reasons health={health} />
      <TryAgain retry={retry} />
    </HealthSection>
  )
}

/** Says what it means that a record is here, and leads to the lists of all. */
function Lists({ health }: FailingProps) {
  const { failing, events } = health
  const mrr = failing.count === 0 ? null : moneyOf(failing.mrr, health)
  const others = failing.count === 0 ? '' : ', so it may show other figures'
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed">
        HubSpot refused their records or changed them back{others}.{' '}
        {mrr === null ? null : `They come to ${mrr} of MRR.`}
      </Text>
      <Group gap="sm">
        {failing.count === 0 ? null : (
          <Anchor component={Link} to={subscriptionsAt('failing')} size="sm">
            Open in Subscriptions
          </Anchor>
        )}
        {events.failing.count === 0 ? null : (
          <Anchor component={Link} to={eventsAt('failing')} size="sm">
            Open in Events
          </Anchor>
        )}
      </Group>
    </Group>
  )
}

function Reasons({ health }: FailingProps) {
  const [page, setPage] = useState(1)
  const failed = useFailedSync()
  const { failing, events } = health
  const count = failing.count + events.failing.count
  const query = { page: String(page), limit: String(reasonsPerPage) }
  const list = useEndpoint(listRefusalReasons, count === 0 ? null : { query }, {
    placeholderData: keepPreviousData,
    staleTime: freshMs.records,
  })
  if (list.error !== null)
    return (
      <ReadFailure
        title="An error occurred while fetching the reasons."
        error={list.error}
        onRetry={() => void list.refetch()}
        isRetrying={list.isFetching}
      />
    )
  if (list.data === undefined) return <PageSpinner />
  const { reasons, totalCount, isCapped } = list.data
  const totalPages = Math.ceil(totalCount / reasonsPerPage)
  return (
    <>
      <Stack component="ul" aria-label="Reasons" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {reasons.map((one) => (
          <FailingReason
            key={one.key}
            reason={one}
            isCapped={isCapped}
            isTold={one.reason !== null && failed.message.includes(one.reason)}
            isOpenAtFirst={count <= healthRows}
          />
        ))}
      </Stack>
      {/* A retry may leave fewer pages than the one that shows. */}
      <Paginator
        page={Math.max(1, Math.min(page, totalPages))}
        totalPages={totalPages === 1 ? 0 : totalPages}
        onChange={setPage}
      />
    </>
  )
}

/** What the box above the section says, and whether it has a button that tries everything again. */
function useFailedSync() {
  const { data: status, isPending } = useEndpoint(getSyncStatus, {}, { staleTime: freshMs.records })
  const { canSync } = useObstacles()
  const isFailed = status?.lastSync?.problem === 'failed'
  const hasButton = canSync && (status?.lastSync?.problem ?? null) !== null
  return { message: isFailed ? (status?.lastSync?.message ?? '') : '', hasButton, isPending }
}

/** The one way to try again: the button of the failed sync, else that of the failed records. */
function TryAgain({ retry }: { retry: Retry }) {
  const { hasButton, isPending } = useFailedSync()
  if (isPending) return null
  const correct = 'Correct what the reasons name, in Stripe or in HubSpot.'
  if (!hasButton) return <RetryFailed retry={retry} note={`${correct} Then try all of them again.`} />
  return (
    <Text size="sm" c="dimmed">
      {correct} Then <em>Sync to HubSpot</em>, above, tries all of them again and writes what waits.
    </Text>
  )
}
