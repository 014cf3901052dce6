import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getImportStatus, startHistoricalImport, startImport } from '#contract/imports.ts'
import { type getPushStatus, getSyncStatus, pushAll } from '#contract/sync.ts'
import { call, serverText, useEndpoint } from '../../client.ts'
import { endOfPush } from '../../components/runs/end-of-push.ts'
import { sumOf } from '../../components/runs/import-sum.ts'
import { importPhaseText } from '../../components/runs/import-words.ts'
import { lastMonth } from '../../components/runs/last-month.ts'
import { startedImport } from '../../components/runs/started-import.ts'
import { type FollowedRun, pollMs, useFollowedPush, useFollowedRun } from '../../queries/follow-run.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { useMatching } from '../../queries/run-matching.ts'
import { useRefreshSyncStatus } from '../../queries/sync-status.ts'
import { useClock } from '../../ui/clock.ts'
import { useToast } from '../../ui/toast.tsx'

type ImportProgress = NonNullable<ResponseOf<typeof getImportStatus>>
type Status = UseQueryResult<ResponseOf<typeof getSyncStatus>>
type PushJob = ResponseOf<typeof getPushStatus>

export type ManualSync = {
  totals: ResponseOf<typeof getSyncStatus> | null
  running: {
    work: 'import' | 'sync'
    label: string
    processed: number
    total: number
    counts?: ImportProgress['counts']
  } | null
  /** Says why the totals could not be read; null when they could. */
  unread: Error | null
  retryRead: () => void
  isBusy: boolean
  startImport: () => void
  /** Reads everything again, as the first import did. */
  startHistoricalImport: () => void
  startPush: () => void
  cancel: () => void
  isCancelling: boolean
}

/**
 * Starts runs by hand. A push follows an import that this screen started, and the matching follows a push. An import
 * that was already running gets no push, because nobody asked for one here.
 */
export function useManualSync(): ManualSync {
  const [isTracking, setTracking] = useState(false)
  const status = useEndpoint(
    getSyncStatus,
    {},
    {
      staleTime: freshMs.syncStatus,
      refetchInterval: isTracking ? pollMs.syncStatus : false,
      meta: { isPolled: true },
    },
  )
  const push = useManualPush(status)
  const read = useManualImport(status, push.start)
  const isFollowing = read.id !== null || push.id !== null
  if (isFollowing !== isTracking) setTracking(isFollowing)
  return {
    totals: status.data ?? null,
    unread: status.error,
    retryRead: () => void status.refetch(),
    running: runningOf(read, push),
    isBusy: read.isStarting || read.isRunning || push.isStarting || push.isRunning || push.isMatching,
    startImport: () => void read.startPayments(),
    startHistoricalImport: () => void read.startHistory(),
    startPush: () => void push.start(),
    cancel: read.isRunning ? read.cancel : push.cancel,
    isCancelling: read.isCancelling || push.isCancelling,
  }
}

/** Follows the push, and runs the matching after it. */
function useManualPush(status: Status) {
  const refreshStatus = useRefreshSyncStatus()
  const toast = useToast()
  const failed = useFailed()
  const refreshRecords = useRefreshRecords()
  const matching = useMatching({
    onMatched: toast,
    onFailed: () =>
      toast({ title: 'Matching Error', description: 'Failed to run matching algorithm.', isError: true }),
  })
  const run = useFollowedPush(status.data?.runningSyncId ?? null, {
    onEnd: async (job) => {
      // The line of the sidebar must not say that it runs beside the toast that it has ended.
      await refreshStatus()
      toast(endOfPush(job))
      if (job.status === 'completed') await matching.run()
      // Also of a failed one: the provider may have refused the connection.
      void refreshRecords()
    },
    onCancelFailed: failed('Failed to cancel'),
  })
  const begin = (follows?: string) => async () => {
    const { importId } = await call(pushAll, { body: follows === undefined ? {} : { follows } })
    toast({ title: 'HubSpot sync started' })
    void refreshStatus()
    return importId
  }
  return {
    ...run,
    start: (follows?: string) => run.start(begin(follows), failed('Failed to sync to HubSpot')),
    isMatching: matching.isRunning,
  }
}

/** Starts both imports, and a push after an import that was started here. */
function useManualImport(status: Status, startPush: (follows: string) => Promise<void>) {
  const refreshStatus = useRefreshSyncStatus()
  const toast = useToast()
  const failed = useFailed()
  const now = useClock()
  const refreshRecords = useRefreshRecords()
  const run = useFollowedRun(getImportStatus, status.data?.runningImportId ?? null, {
    inputOf: (importId) => ({ query: { importId } }),
    everyMs: pollMs.importProgress,
    hasEnded: (progress) => progress !== null && progress.status !== 'started',
    onEnd: async (progress, id) => {
      if (progress?.status !== 'completed') {
        await refreshStatus()
        toast(importFailure(progress))
        // The provider may have refused the connection.
        void refreshRecords()
        return
      }
      if (startedImport.is(id)) await startPush(id)
      void refreshRecords()
    },
    onCancelFailed: failed('Failed to cancel'),
  })
  const noted = (importId: string, description?: string) => {
    startedImport.note(importId)
    toast({ title: 'Import Started', description })
    void refreshStatus()
    return importId
  }
  const beginPayments = async () => noted((await call(startImport, { body: lastMonth(now()) })).importId)
  const beginHistory = async () => {
    const { importId, message } = await call(startHistoricalImport)
    return noted(importId, message)
  }
  return {
    ...run,
    startPayments: () => run.start(beginPayments, failed('Failed to import from Stripe')),
    startHistory: () => run.start(beginHistory, failed('Failed to start historical import')),
  }
}

/** Shows the server's message about a failure under the given title. */
function useFailed() {
  const toast = useToast()
  return (title: string) => (error: unknown) =>
    toast({ title, description: serverText(error, 'Please try again.'), isError: true })
}

function importFailure(progress: ImportProgress | null) {
  if (progress?.wasCancelled) return { title: 'Import Canceled', description: progress.message }
  const description = progress?.message || 'An error occurred during the Stripe import process.'
  return { title: 'Stripe import failed', description, isError: true }
}

function runningOf(
  read: FollowedRun<ImportProgress | null>,
  push: Omit<FollowedRun<PushJob>, 'start'>,
): ManualSync['running'] {
  if (read.isRunning) {
    const counts = read.answer?.counts ?? []
    const { processed, total } = sumOf(counts)
    const phase = read.answer === null ? null : importPhaseText(read.answer)
    return { work: 'import', label: phase ?? 'Importing from Stripe', processed, total, counts }
  }
  if (!push.isRunning) return null
  const { message, processedRecords = 0, totalRecords = 0 } = push.answer ?? {}
  return {
    work: 'sync',
    label: message || 'Syncing to HubSpot',
    processed: processedRecords,
    total: totalRecords,
  }
}
