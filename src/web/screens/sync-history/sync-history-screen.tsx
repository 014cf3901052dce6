import { Button, Group, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { exportSyncHistory, listSyncHistory } from '#contract/sync.ts'
import { useEndpoint } from '../../client.ts'
import { DataSyncTabs } from '../../components/data-sync-tabs.tsx'
import { CsvButton } from '../../components/list-page/csv-button.tsx'
import { RecordsTable } from '../../components/list-page/records-table.tsx'
import { useLastPage, useListState } from '../../components/list-page/use-list-state.ts'
import { freshMs } from '../../queries/freshness.ts'
import { Paginator } from '../../ui/paginator.tsx'
import { SyncDetailsDialog } from './sync-details-dialog.tsx'
import { syncHistoryColumns } from './sync-history-columns.tsx'

const perPage = 10
const spec = { filters: {}, sorts: [] }

/** Shows imports and pushes, newest first. */
export function SyncHistoryScreen() {
  const controls = useListState(spec)
  const { state, change } = controls
  const [openId, setOpenId] = useState<string | null>(null)
  const history = useEndpoint(
    listSyncHistory,
    { query: { page: String(state.page), limit: String(perPage) } },
    { placeholderData: keepPreviousData, staleTime: freshMs.records },
  )
  useLastPage(controls, history.data?.pagination.totalPages ?? 0, history.isFetching)
  const isEmpty = history.data !== undefined && history.data.pagination.total === 0
  return (
    <DataSyncTabs current="sync-history">
      <Stack>
        <Group gap="xs" justify="flex-end">
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={history.isFetching}
            onClick={() => void history.refetch()}
          >
            Refresh
          </Button>
          <CsvButton href={exportSyncHistory.path} />
        </Group>
        {isEmpty ? (
          <Stack align="center" gap={4} py="xl">
            <Text fw={600}>No sync history found</Text>
            <Text c="dimmed" ta="center">
              When you run data syncs, they will appear here.
            </Text>
          </Stack>
        ) : (
          <RecordsTable
            label="Sync History"
            columns={syncHistoryColumns(setOpenId)}
            records={history.data?.histories}
            idOf={(run) => run.id}
            isFetching={history.isPending}
            error={history.error}
            emptyText="No sync history found"
            expectedRows={perPage}
            errorText="An error occurred while fetching sync history."
            minWidth={760}
            onRetry={() => void history.refetch()}
            onOpen={(run) => () => setOpenId(run.id)}
          />
        )}
        <Group justify="flex-end">
          <Paginator
            page={state.page}
            totalPages={history.data?.pagination.totalPages ?? 0}
            onChange={(page) => change({ page })}
          />
        </Group>
        <SyncDetailsDialog runId={openId} onClose={() => setOpenId(null)} />
      </Stack>
    </DataSyncTabs>
  )
}
