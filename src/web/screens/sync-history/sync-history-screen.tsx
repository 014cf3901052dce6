import { Anchor, Group, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { exportSyncHistory, listSyncHistory } from '#contract/sync.ts'
import { buildUrl, useEndpoint } from '../../client.ts'
import { LeftOutNote } from '../../components/address/left-out-note.tsx'
import { counted } from '../../components/counted.ts'
import { DataSyncTabs } from '../../components/data-sync-tabs.tsx'
import { isNarrowed } from '../../components/list-page/list-state.ts'
import { RecordsTable } from '../../components/list-page/records-table.tsx'
import { useLastPage, useListState } from '../../components/list-page/use-list-state.ts'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { Paginator } from '../../ui/paginator.tsx'
import { SyncDetailsDialog } from './sync-details-dialog.tsx'
import { syncHistoryCard, syncHistoryColumns } from './sync-history-columns.tsx'
import { historyQuery, historySpec, SyncHistoryToolbar } from './sync-history-filters.tsx'
import { useRetryFailed } from './use-retry-failed.ts'

const perPage = 10

/** Shows imports and pushes, newest first. The details of one run have an address of their own. */
export function SyncHistoryScreen() {
  const controls = useListState(historySpec)
  const { state, change } = controls
  const { id: openId = null } = useParams()
  const navigate = useNavigate()
  const { search } = useLocation()
  const retry = useRetryFailed()
  const filters = historyQuery(state)
  const history = useEndpoint(
    listSyncHistory,
    { query: { ...filters, page: String(state.page), limit: String(perPage) } },
    { placeholderData: keepPreviousData, staleTime: freshMs.records },
  )
  const { pagination, hiddenCount = 0 } = history.data ?? {}
  useLastPage(controls, pagination?.totalPages ?? 0, history.isFetching)
  const isEmpty = pagination?.total === 0 && hiddenCount === 0 && !isNarrowed(state)
  return (
    <DataSyncTabs current="sync-history">
      <Stack>
        <SyncHistoryToolbar
          controls={controls}
          csvHref={buildUrl(exportSyncHistory.path, {}, filters)}
          isEmpty={isEmpty}
          refresh={
            <StartButton
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              isBusy={history.isFetching}
              onClick={() => void history.refetch()}
            >
              Refresh
            </StartButton>
          }
        />
        {isEmpty ? (
          <NoHistory />
        ) : (
          <>
            <LeftOutNote leftOut={controls.leftOut} onRemove={controls.forget} />
            <RecordsTable
              label="Sync History"
              columns={syncHistoryColumns(history.data?.histories ?? [], search)}
              records={history.data?.histories}
              idOf={(run) => run.id}
              isFetching={history.isPending || history.isPlaceholderData}
              error={history.error}
              emptyText={hiddenCount > 0 ? 'No run changed anything' : 'No sync history found'}
              emptyHint={hiddenCount > 0 ? 'Runs without changes are hidden.' : 'Choose other filters.'}
              expectedRows={perPage}
              errorText="An error occurred while fetching sync history."
              minWidth={980}
              cardsBelow={1260}
              cardOf={syncHistoryCard(search)}
              onRetry={() => void history.refetch()}
              onOpen={(run) => () =>
                void navigate(`${paths.run(run.id)}${search}`, { preventScrollReset: true })
              }
            />
          </>
        )}
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {hiddenCount === 0 ? '' : hiddenText(hiddenCount)}
          </Text>
          <Paginator
            page={state.page}
            totalPages={pagination?.totalPages ?? 0}
            onChange={(page) => change({ page })}
          />
        </Group>
        <SyncDetailsDialog
          runId={openId}
          retry={retry}
          onClose={() =>
            void navigate(`${paths.syncHistory}${search}`, { preventScrollReset: true, replace: true })
          }
        />
      </Stack>
    </DataSyncTabs>
  )
}

function hiddenText(count: number): string {
  return `${counted(count, 'run')} without changes ${count === 1 ? 'is' : 'are'} hidden.`
}

function NoHistory() {
  return (
    <Stack align="center" gap={4} py="xl">
      <Text fw={600}>No sync history found</Text>
      <Text c="dimmed" ta="center">
        When you run data syncs, they will appear here.
      </Text>
      <Anchor component={Link} to={paths.dataSync} underline="always">
        Start one under Data Sync
      </Anchor>
    </Stack>
  )
}
