import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '#contract/endpoint.ts'
import { listRunRecords, type RunRecord } from '#contract/runs/run-records.ts'
import type { getImportJob } from '#contract/sync.ts'
import { type CrmKind, runRecordsMax } from '#domain/crm-record.ts'
import { useEndpoint } from '../../client.ts'
import { counted } from '../../components/counted.ts'
import { RecordsTable } from '../../components/list-page/records-table.tsx'
import { eventTarget, subscriptionTarget } from '../../components/list-page/row-targets.ts'
import { ViewSwitch } from '../../components/view-switch.tsx'
import { paths } from '../../paths.ts'
import { Paginator } from '../../ui/paginator.tsx'
import { nameOf, runRecordCard, runRecordColumns } from './run-records-columns.tsx'

const rowsPerPage = 10

/** What shows of a run: the records of a kind that it changed, or those whose links it changed. */
export type RecordView = CrmKind | 'links'

type RunRecordsProps = {
  run: ResponseOf<typeof getImportJob>
  view: RecordView
  onView: (view: RecordView) => void
  heading: RefObject<HTMLHeadingElement | null>
}

/** How many records there are to show in each view. Of changed ones the summary counts as many. */
export function recordCounts({ changes, linked }: Pick<RunRecordsProps['run'], 'changes' | 'linked'>) {
  return {
    subscription: changes?.subscriptions ?? 0,
    event: changes?.events ?? 0,
    links: linked.subscriptions + linked.events,
  }
}

/** The subscriptions and events that a run changed or linked, each with the way to it. */
export function RunRecords({ run, view, onView, heading }: RunRecordsProps) {
  const counts = recordCounts(run)
  const views = (['subscription', 'event', 'links'] as const).filter((one) => counts[one] > 0)
  const labelOf = (one: RecordView) =>
    one === 'links' ? counted(run.changes?.links ?? 0, 'link') : counted(counts[one], one)
  return (
    <Stack component="section" gap="xs" aria-label="What changed">
      <Group justify="space-between">
        {/* The head of the dialog stays above it. */}
        <Title order={3} size="h5" ref={heading} tabIndex={-1} style={{ scrollMarginTop: '5rem' }}>
          What changed
        </Title>
        {views.length < 2 ? null : (
          <ViewSwitch
            label="Kind of changes"
            value={view}
            options={views.map((value) => ({ value, label: labelOf(value) }))}
            onChange={onView}
          />
        )}
      </Group>
      {view === 'links' ? (
        <LinkedRecords run={run} />
      ) : (
        <Records key={view} run={run} kind={view} only="changed" count={counts[view]} />
      )}
    </Stack>
  )
}

/** The records whose links a sync changed, of one kind at a time. */
function LinkedRecords({ run }: Pick<RunRecordsProps, 'run'>) {
  const counts = { subscription: run.linked.subscriptions, event: run.linked.events }
  const kinds = (['subscription', 'event'] as const).filter((one) => counts[one] > 0)
  const [chosen, setKind] = useState<CrmKind>(kinds[0] ?? 'event')
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {kinds.map((one) => counted(counts[one], one)).join(' and ')}: links are counted one by one, records
          once.{' '}
          {run.linked.isCut ? `Only ${runRecordsMax} of each kind are kept, so others may be missing.` : null}
        </Text>
        {kinds.length < 2 ? null : (
          <ViewSwitch
            label="Kind of records"
            value={chosen}
            options={kinds.map((value) => ({ value, label: value === 'event' ? 'Events' : 'Subscriptions' }))}
            onChange={setKind}
          />
        )}
      </Group>
      <Records key={chosen} run={run} kind={chosen} only="linked" count={counts[chosen]} />
    </>
  )
}

type RecordsProps = {
  run: RunRecordsProps['run']
  kind: CrmKind
  only: 'changed' | 'linked'
  count: number
}

function Records({ run, kind, only, count }: RecordsProps) {
  const [page, setPage] = useState(1)
  const list = useEndpoint(
    listRunRecords,
    { params: { id: run.id }, query: { kind, only, page: String(page), limit: String(rowsPerPage) } },
    { placeholderData: keepPreviousData, staleTime: 0 },
  )
  const shown = { kind, isSync: run.type === 'sync', areLinks: only === 'linked' }
  const kept = list.data?.totalCount
  if (kept === 0) return <Text c="dimmed">It is not kept which {kind}s this run changed.</Text>
  return (
    <>
      {kept === undefined || shown.areLinks ? null : <Kept kind={kind} kept={kept} count={count} />}
      {!shown.areLinks && list.data?.records.some(({ differences }) => differences !== null) ? (
        <Text size="sm" c="dimmed">
          Values are compared with what the sync before wrote. Changed figures come first.
        </Text>
      ) : null}
      <RecordsTable
        label="What changed"
        columns={runRecordColumns(shown)}
        cardOf={runRecordCard(shown)}
        records={list.data?.records}
        idOf={(row) => row.recordKey}
        linkOf={targetOf}
        isFetching={list.isFetching && (list.isPending || list.isPlaceholderData)}
        error={list.error}
        onRetry={() => void list.refetch()}
        emptyText="This page is empty by now."
        errorText="An error occurred while fetching what changed."
        expectedRows={Math.min(count, rowsPerPage)}
        minWidth={560}
      />
      <Paginator page={page} totalPages={pagesOf(kept ?? 0)} onChange={setPage} />
    </>
  )
}

/** A nameless customer is called in the link as in the row. An event that is gone leads to its subscription alone. */
function targetOf(row: RunRecord) {
  const companyName = nameOf(row)
  return row.event === null
    ? subscriptionTarget(row.subscriptionId, companyName)
    : eventTarget({ ...row.event, companyName })
}

/** A single page needs no numbers. */
function pagesOf(kept: number): number {
  return kept <= rowsPerPage ? 0 : Math.ceil(kept / rowsPerPage)
}

/** Says why the list is shorter than what the run changed. */
function Kept({ kind, kept, count }: { kind: CrmKind; kept: number; count: number }) {
  if (kept >= count) return null
  const [number, all] = [kept.toLocaleString('en-US'), count.toLocaleString('en-US')]
  const [to, name] = kind === 'event' ? [paths.events, 'Events'] : [paths.subscriptions, 'Subscriptions']
  return (
    <Text size="sm" c="dimmed">
      {count > runRecordsMax ? (
        <>
          {kind === 'event'
            ? `The newest ${number} of ${all} are listed.`
            : `Of ${all}, the ${number} that changed last are listed.`}{' '}
          <Anchor component={Link} to={to} size="sm" underline="always">
            {name}
          </Anchor>{' '}
          has all {kind}s as they are now.
        </>
      ) : (
        <>
          {number} of {all} are listed: one that changed twice is listed once, and those of erased customers
          may be missing.
        </>
      )}
    </Text>
  )
}
