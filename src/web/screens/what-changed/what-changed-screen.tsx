import { Anchor, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from 'react-router'
import { exportRecounts, listRecounts, type Recount } from '#contract/recounts.ts'
import { useEndpoint } from '../../client.ts'
import type { Column } from '../../components/list-page/column.ts'
import { CsvButton } from '../../components/list-page/csv-button.tsx'
import { RecordsTable } from '../../components/list-page/records-table.tsx'
import { useLastPage, useListState } from '../../components/list-page/use-list-state.ts'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { formatInstant } from '../../ui/dates.ts'
import { Paginator } from '../../ui/paginator.tsx'
import { versionsText } from './versions-text.ts'

const perPage = 10
const spec = { filters: {}, sorts: [] }

const columns: Column<Recount>[] = [
  {
    accessor: 'startedAt',
    title: 'Counted',
    render: (recount) => formatInstant(recount.startedAt),
  },
  { accessor: 'toRules', title: 'Why', render: versionsText },
  { accessor: 'monthCount', title: 'Months', textAlign: 'right' },
  { accessor: 'customerCount', title: 'Customers', textAlign: 'right' },
  { accessor: 'hubspotRecordCount', title: 'HubSpot Records', textAlign: 'right' },
  {
    accessor: 'readBy',
    title: 'Read',
    render: ({ completedAt, readAt, readBy }) =>
      completedAt === null
        ? 'In progress'
        : readAt === null
          ? 'Not yet'
          : `${formatInstant(readAt)}, ${readBy}`,
  },
]

/** Lists every recount of the whole history, and how much it changed. */
export function WhatChangedScreen() {
  const controls = useListState(spec)
  const { state, change } = controls
  const recounts = useEndpoint(
    listRecounts,
    { query: { page: String(state.page), limit: String(perPage) } },
    { placeholderData: keepPreviousData, staleTime: freshMs.records },
  )
  const totalPages = Math.ceil((recounts.data?.totalCount ?? 0) / perPage)
  useLastPage(controls, totalPages, recounts.isFetching)
  return (
    <Stack>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Text c="dimmed" flex="1 1 300px">
          When the rules of MRR change, Tributary recounts your whole history and keeps what differs: months,
          customers and HubSpot records, before and after. What counts now is under{' '}
          <Anchor component={Link} to={paths.terms} inherit underline="always">
            Terms and Rules
          </Anchor>
          .
        </Text>
        {recounts.data?.totalCount === 0 ? null : <CsvButton href={exportRecounts.path} />}
      </Group>
      <RecordsTable
        label="Rule Changes"
        columns={columns}
        records={recounts.data?.recounts}
        idOf={(recount) => recount.recountId}
        isFetching={recounts.isPending || recounts.isPlaceholderData}
        error={recounts.error}
        onRetry={() => void recounts.refetch()}
        emptyText="No rule has changed a figure"
        emptyHint="All your figures are counted by the rules that they were first imported with."
        errorText="The reports could not be read."
        minWidth={860}
        linkOf={({ recountId, startedAt }) => ({
          to: paths.recount(recountId),
          label: `Open the report of ${formatInstant(startedAt)}`,
        })}
      />
      <Group justify="flex-end">
        <Paginator page={state.page} totalPages={totalPages} onChange={(page) => change({ page })} />
      </Group>
    </Stack>
  )
}
