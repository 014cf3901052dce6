import { useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getImportStatus, startHistoricalImport, startImport } from '#contract/imports.ts'
import { runMatching } from '#contract/matches.ts'
import { getPushStatus, getSyncStatus, pushAll } from '#contract/sync.ts'
import { call, serverText, useEndpoint } from '../../client.ts'
import { sumOf } from '../../components/import-counts.ts'
import { useCancelRun } from '../../queries/cancel-run.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { pollMs, useRun } from '../../queries/run.ts'
import { useClock } from '../../ui/clock.ts'
import { useToast } from '../../ui/toast.tsx'
import { lastMonth } from './last-month.ts'
import { startedImport } from './started-import.ts'
import { useTrackedRun } from './use-tracked-run.ts'

type ImportProgress = NonNullable<ResponseOf<typeof getImportStatus>>
type PushJob = ResponseOf<typeof getPushStatus>

export type ManualSync = {
  totals: ResponseOf<typeof getSyncStatus> | null
  running: { work: 'import' | 'sync'; label: string; processed: number; total: number } | null
  /** Why the totals could not be read; null where they could. */
  unread: Error | null
  retryRead: () => void
  isBusy: boolean
  startImport: () => void
  /** Reads everything there ever was once more, as the first import did. */
  startHistoricalImport: () => void
  startPush: () => void
  cancel: () => void
  isCancelling: boolean
}

/**
 * Runs by hand: an import that is started here is followed by a push, a push by the matching. One that is found running
 * was not asked for here, and is only shown: nothing is pushed until somebody chooses to.
 */
export function useManualSync(): ManualSync {
  const toast = useToast()
  const now = useClock()
  const refreshRecords = useRefreshRecords()
  const matching = useMatching()
  const { cancel, isCancelling } = useCancelRun((error) =>
    toast({ title: 'Failed to cancel', description: serverText(error, 'Please try again.'), isError: true }),
  )
  const [isStarting, setStarting] = useState(false)
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
  const importRun = useTrackedRun(status.data?.runningImportId ?? null)
  const pushRun = useTrackedRun(status.data?.runningSyncId ?? null)
  const isFollowing = importRun.id !== null || pushRun.id !== null
  if (isFollowing !== isTracking) setTracking(isFollowing)

  const start = async (title: string, begin: () => Promise<void>) => {
    setStarting(true)
    try {
      await begin()
      // Who leaves and comes back soon finds the run by it.
      void status.refetch()
    } catch (error) {
      toast({ title, description: serverText(error, 'Please try again.'), isError: true })
    }
    setStarting(false)
  }
  const startPush = () =>
    start('Failed to sync to HubSpot', async () => {
      const { importId } = await call(pushAll)
      pushRun.track(importId)
      toast({ title: 'HubSpot sync started' })
    })
  const trackImport = (id: string) => {
    startedImport.note(id)
    importRun.track(id)
  }
  const startPayments = () =>
    start('Failed to import from Stripe', async () => {
      const { importId } = await call(startImport, { body: lastMonth(now()) })
      trackImport(importId)
      toast({ title: 'Import Started' })
    })
  const startHistory = () =>
    start('Failed to start historical import', async () => {
      const { importId, message } = await call(startHistoricalImport)
      trackImport(importId)
      toast({ title: 'Import Started', description: message })
    })

  const imported = useRun(
    getImportStatus,
    importRun.id === null ? null : { query: { importId: importRun.id } },
    {
      everyMs: pollMs.importProgress,
      hasEnded: (progress) => progress !== null && progress.status !== 'started',
      onEnd: async (progress) => {
        importRun.end()
        if (progress?.status !== 'completed') {
          toast(importFailure(progress))
          void status.refetch()
          return
        }
        if (importRun.id !== null && startedImport.is(importRun.id)) await startPush()
        void refreshRecords()
      },
    },
  )
  const pushed = useRun(getPushStatus, pushRun.id === null ? null : { params: { importId: pushRun.id } }, {
    everyMs: pollMs.syncJob,
    hasEnded: (job) => job.status !== 'in_progress',
    onEnd: async (job) => {
      pushRun.end()
      if (job.status !== 'completed') {
        toast(pushFailure(job))
        void status.refetch()
        return
      }
      toast({ title: 'Sync Complete', description: job.message })
      await status.refetch()
      await matching.run()
      void refreshRecords()
    },
  })
  const isImporting = importRun.id !== null && !importRun.hasEnded
  const isPushing = pushRun.id !== null && !pushRun.hasEnded
  return {
    totals: status.data ?? null,
    unread: status.error,
    retryRead: () => void status.refetch(),
    running: runningOf(isImporting, imported.data ?? null, isPushing, pushed.data ?? null),
    isBusy: isStarting || isImporting || isPushing || matching.isRunning,
    startImport: () => void startPayments(),
    startHistoricalImport: () => void startHistory(),
    startPush: () => void startPush(),
    cancel: () => {
      const id = isImporting ? importRun.id : pushRun.id
      if (id !== null) cancel(id)
    },
    isCancelling,
  }
}

function importFailure(progress: ImportProgress | null) {
  if (progress?.wasCancelled) return { title: 'Import Cancelled', description: progress.message }
  const description = progress?.message || 'An error occurred during the Stripe import process.'
  return { title: 'Stripe import failed', description, isError: true }
}

function pushFailure(job: PushJob) {
  if (job.status === 'cancelled') return { title: 'Sync Cancelled', description: job.message }
  const description = job.error ?? (job.message || 'An error occurred during the sync process.')
  return { title: 'Sync failed', description, isError: true }
}

function runningOf(
  isImporting: boolean,
  imported: ImportProgress | null,
  isPushing: boolean,
  pushed: PushJob | null,
): ManualSync['running'] {
  if (isImporting) {
    const label = imported?.message || 'Importing from Stripe'
    return { work: 'import', label, ...sumOf(imported?.counts ?? []) }
  }
  if (!isPushing) return null
  const label = pushed?.message || 'Syncing to HubSpot'
  return { work: 'sync', label, processed: pushed?.processedRecords ?? 0, total: pushed?.totalRecords ?? 0 }
}

/** The matching run that follows a push. */
function useMatching(): { run: () => Promise<void>; isRunning: boolean } {
  const toast = useToast()
  const [isRunning, setRunning] = useState(false)
  const run = async () => {
    setRunning(true)
    try {
      const { processed, matched } = await call(runMatching)
      toast({ title: 'Matching Complete', description: `Matched ${matched} of ${processed} records.` })
    } catch {
      toast({ title: 'Matching Error', description: 'Failed to run matching algorithm.', isError: true })
    }
    setRunning(false)
  }
  return { run, isRunning }
}
