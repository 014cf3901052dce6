import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '#contract/endpoint.ts'
import { type getImportJob, listRunRecords, type RunRecord } from '#contract/sync.ts'
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

type RunRecordsProps = {
  run: ResponseOf<typeof getImportJob>
  /** Which of its records show. */
  kind: CrmKind
  onKind: (kind: CrmKind) => void
  heading: RefObject<HTMLHeadingElement | null>
}

/** How many records of each kind a run changed, those included of which it only wrote links. */
export function recordCounts({ changes, linked }: Pick<RunRecordsProps['run'], 'changes' | 'linked'>) {
  return {
    event: (changes?.events ?? 0) + linked.events,
    subscription: (changes?.subscriptions ?? 0) + linked.subscriptions,
  }
}

/** Counts the changed ones as the summary does, and those of which only links were written beside them. */
function countText({ changes, linked }: RunRecordsProps['run'], kind: CrmKind): string {
  const [changed, linkedAlone] =
    kind === 'event'
      ? [changes?.events ?? 0, linked.events]
      : [changes?.subscriptions ?? 0, linked.subscriptions]
  if (linkedAlone === 0) return counted(changed, kind)
  return changed === 0
    ? `${counted(linkedAlone, kind)} linked`
    : `${counted(changed, kind)}, ${linkedAlone.toLocaleString('en-US')} linked`
}

/** The subscriptions and events that a run changed or linked, each with the way to it. */
export function RunRecords({ run, kind, onKind, heading }: RunRecordsProps) {
  const counts = recordCounts(run)
  const kinds = (['subscription', 'event'] as const).filter((one) => counts[one] > 0)
  return (
    <Stack component="section" gap="xs" aria-label="What changed">
      <Group justify="space-between">
        {/* The head of the dialog stays above it. */}
        <Title order={3} size="h5" ref={heading} tabIndex={-1} style={{ scrollMarginTop: '5rem' }}>
          What changed
        </Title>
        {kinds.length < 2 ? null : (
          <ViewSwitch
            label="Kind of records"
            value={kind}
            options={kinds.map((value) => ({ value, label: countText(run, value) }))}
            onChange={onKind}
          />
        )}
      </Group>
      <KindOfRecords key={kind} run={run} kind={kind} count={counts[kind]} />
    </Stack>
  )
}

type KindProps = Pick<RunRecordsProps, 'run' | 'kind'> & { count: number }

function KindOfRecords({ run, kind, count }: KindProps) {
  const [page, setPage] = useState(1)
  const list = useEndpoint(
    listRunRecords,
    { params: { id: run.id }, query: { kind, page: String(page), limit: String(rowsPerPage) } },
    { placeholderData: keepPreviousData, staleTime: 0 },
  )
  const isSync = run.type === 'sync'
  const kept = list.data?.totalCount
  if (kept === 0) return <Text c="dimmed">It is not kept which {kind}s this run changed.</Text>
  return (
    <>
      {kept === undefined ? null : <Kept run={run} kind={kind} kept={kept} count={count} />}
      {list.data?.records.some(({ differences }) => differences !== null) ? (
        <Text size="sm" c="dimmed">
          Values are compared with what the sync before wrote. Changed figures come first.
        </Text>
      ) : null}
      <RecordsTable
        label="What changed"
        columns={runRecordColumns(kind, isSync)}
        cardOf={runRecordCard(isSync)}
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

/** Says why the list is shorter than what the run changed. How many records had their links changed is not counted. */
function Kept({ run, kind, kept, count }: KindProps & { kept: number }) {
  const isAnyLinked = (kind === 'event' ? run.linked.events : run.linked.subscriptions) > 0
  const isCut = isAnyLinked ? kept >= runRecordsMax : count > runRecordsMax
  if (kept >= count && !(isCut && isAnyLinked)) return null
  const [number, all] = [kept.toLocaleString('en-US'), count.toLocaleString('en-US')]
  const [to, name] = kind === 'event' ? [paths.events, 'Events'] : [paths.subscriptions, 'Subscriptions']
  return (
    <Text size="sm" c="dimmed">
      {isCut ? (
        <>
          The first {kept < count ? `${number} of ${all}` : number} are listed.{' '}
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
