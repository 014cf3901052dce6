import { Alert, Anchor, Button, Code, ScrollArea, Stack, Text, Title } from '@mantine/core'
import { Fragment, type RefObject, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { ResponseOf } from '#contract/endpoint.ts'
import { runTypeLabels } from '#contract/lists/list-words.ts'
import { getImportJob } from '#contract/sync.ts'
import { ApiError, useEndpoint } from '../../client.ts'
import { useIsNarrow } from '../../components/list-page/use-is-narrow.ts'
import { changeTexts } from '../../components/runs/changes-text.ts'
import { RunBadge } from '../../components/runs/run-badge.tsx'
import { formatDuration } from '../../ui/dates.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { type CardFact, FactCard } from '../../ui/fact-card.tsx'
import { PageSpinner } from '../../ui/page-spinner.tsx'
import { Unread } from '../../ui/problems/unread.tsx'
import { Instant } from '../../ui/time/instant.tsx'
import { ErrorDetails } from './error-details.tsx'
import { logText } from './failure-words.ts'
import { RetryFailed } from './retry-failed.tsx'
import { RunFailure } from './run-failure.tsx'
import { type RecordView, RunRecords, recordCounts } from './run-records.tsx'
import { RunErrors, relatedRun, starterText } from './run-words.tsx'
import type { Retry } from './use-retry-failed.ts'

type Job = ResponseOf<typeof getImportJob>

type SyncDetailsDialogProps = { runId: string | null; onClose: () => void; retry: Retry }

/** Shows what one import or push did, and its errors. `runId` null keeps it closed. */
export function SyncDetailsDialog({ runId, onClose, retry }: SyncDetailsDialogProps) {
  return (
    <Dialog opened={runId !== null} onClose={onClose} title="Sync Details" size={960}>
      {runId === null ? null : <Details runId={runId} onClose={onClose} retry={retry} />}
    </Dialog>
  )
}

function Details({ runId, onClose, retry }: SyncDetailsDialogProps & { runId: string }) {
  const details = useEndpoint(getImportJob, { params: { id: runId } }, { staleTime: 0 })
  const { search } = useLocation()
  const isNarrow = useIsNarrow()
  const records = useRecords()
  const errorsHeading = useRef<HTMLHeadingElement>(null)
  if (details.isPending) return <PageSpinner />
  if (isUnknown(details.error)) return <NoSuchRun onClose={onClose} />
  if (details.data === undefined)
    return (
      <Stack>
        <Unread what="The run" error={details.error} onRetry={() => void details.refetch()} />
        <NoDetails />
      </Stack>
    )
  const run = details.data
  const isCancelTold = run.status === 'cancelled' && run.message !== ''
  const isWithout = !isCancelTold && !hasDetails(run)
  const errors =
    run.errorDetails.length === 0 ? null : (
      <ErrorDetails run={run} isNarrow={isNarrow} heading={errorsHeading} />
    )
  const toErrors = () => leadTo(errorsHeading)
  return (
    <Stack>
      {run.error === null ? null : <RunFailure run={run} error={run.error} search={search} />}
      {isNarrow ? errors : null}
      <FactCard
        title="Summary"
        isShort
        facts={[
          ['Status', <RunBadge key="status" status={run.status} />],
          ['Created at', <Instant key="created" at={run.createdAt} />],
          [
            'Completed at',
            run.processedAt === null ? 'In progress' : <Instant key="completed" at={run.processedAt} />,
          ],
          ...duration(run),
          ['Records processed', run.processedRecords.toLocaleString('en-US')],
          ['Successful', run.successfulRecords.toLocaleString('en-US')],
          ['Errors', <RunErrors key="errors" run={run} onView={errors === null ? undefined : toErrors} />],
          ['Type', runTypeLabels[run.type]],
          ['Changes', <Changes key="changes" run={run} onView={records.lead} />],
          ['Started by', starterText(run)],
          ...belongsTo(run, search),
        ]}
      />
      {isCancelTold ? (
        <Alert role="note" color="gray" title="Canceled">
          {run.message}
        </Alert>
      ) : null}
      {isWithout && !hasRecords(run) ? <NoDetails /> : null}
      {isNarrow ? null : errors}
      {hasRecords(run) ? (
        <RunRecords run={run} view={records.viewOf(run)} onView={records.choose} heading={records.heading} />
      ) : null}
      {isWithout && hasRecords(run) ? (
        <section>
          <Title order={3} size="h5" mb="xs">
            Errors and logs
          </Title>
          <NoDetails />
        </section>
      ) : null}
      {canRetry(run) ? <RetryFailed retry={retry} note={retryNote} onStarted={onClose} /> : null}
      {run.logs.length === 0 ? null : (
        <section>
          <Title order={3} size="h5" mb="xs">
            Logs
          </Title>
          <ScrollArea.Autosize mah={240}>
            <Code block>{run.logs.map(logText).join('\n')}</Code>
          </ScrollArea.Autosize>
        </section>
      )}
    </Stack>
  )
}

function leadTo(heading: RefObject<HTMLHeadingElement | null>): void {
  heading.current?.scrollIntoView({ block: 'start' })
  heading.current?.focus({ preventScroll: true })
}

/** Which of a run's records show, and the way from their count to them. */
function useRecords() {
  const [chosen, choose] = useState<RecordView | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const lead = (view: RecordView) => {
    choose(view)
    leadTo(heading)
  }
  const viewOf = (run: Job): RecordView => {
    const counts = recordCounts(run)
    return chosen ?? (counts.event > 0 ? 'event' : counts.subscription > 0 ? 'subscription' : 'links')
  }
  return { viewOf, choose, lead, heading }
}

function hasRecords(run: Job): boolean {
  return Object.values(recordCounts(run)).some((count) => count > 0)
}

/** Says what a run changed. A count leads to its records, where any are kept. */
function Changes({ run, onView }: { run: Job; onView: (view: RecordView) => void }) {
  const counts = recordCounts(run)
  return changeTexts(run).map(({ text, noun }, at) => {
    const view = noun === 'link' ? 'links' : noun
    return (
      <Fragment key={text}>
        {at === 0 ? '' : ', '}
        {view !== null && counts[view] > 0 ? (
          <Anchor component="button" type="button" size="sm" underline="always" onClick={() => onView(view)}>
            {text}
          </Anchor>
        ) : (
          text
        )}
      </Fragment>
    )
  })
}

/** The server refuses an impossible id as a malformed request. For the reader it is missing, like an unknown id. */
function isUnknown(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400)
}

/** The times of the summary have no seconds. */
function duration({ createdAt, processedAt }: Job): CardFact[] {
  return processedAt === null ? [] : [['Duration', formatDuration(createdAt, processedAt)]]
}

function belongsTo(run: Job, search: string): CardFact[] {
  const related = relatedRun(run, search, { itsSync: 'Its sync', itsImport: 'The import' })
  return related === null ? [] : [['Belongs to', related]]
}

function NoSuchRun({ onClose }: { onClose: () => void }) {
  return (
    <Alert color="yellow" role="alert" title="There is no such run">
      <Stack gap="xs" align="flex-start">
        The address may be incomplete, or the run is older than what is kept: after 400 days, one run of each
        type and day is left.
        <Button size="xs" variant="default" onClick={onClose}>
          Back to Sync History
        </Button>
      </Stack>
    </Alert>
  )
}

function hasDetails(run: Job): boolean {
  return run.error !== null || run.errorDetails.length > 0 || run.logs.length > 0
}

/**
 * Whether a sync has ended with refused records. One that failed is started again above, which tries them all, but not the
 * contacts that it could not create.
 */
function canRetry({ type, status, error, errorDetails, errorCount }: Job): boolean {
  const hasEnded = type === 'sync' && status !== 'in_progress'
  return hasEnded && (error === null ? errorDetails.length > 0 : errorDetails.length > errorCount)
}

const retryNote =
  'Correct what the messages name, in Stripe or in HubSpot, then try all of them again. Automatic syncs try them only after they have changed.'

function NoDetails() {
  return <Text c="dimmed">No details available for this sync job.</Text>
}
