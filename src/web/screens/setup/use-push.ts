import type { ResponseOf } from '#contract/endpoint.ts'
import { updateSetupProgress } from '#contract/setup.ts'
import { type getPushStatus, getSyncStatus, pushAll } from '#contract/sync.ts'
import { call, serverText, useEndpoint } from '../../client.ts'
import { useIsNarrow } from '../../components/list-page/use-is-narrow.ts'
import { endOfPush } from '../../components/runs/end-of-push.ts'
import { pollMs, useFollowedPush } from '../../queries/follow-run.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { useCurrentUser, useRefreshProgress } from '../../queries/session.ts'
import { useRefreshSyncStatus } from '../../queries/sync-status.ts'
import { logProblem } from '../../ui/problems/log-problem.ts'
import { useToast } from '../../ui/toast.tsx'
import { useOnce } from '../../ui/use-once.ts'

type Job = ResponseOf<typeof getPushStatus>
type Totals = Pick<
  ResponseOf<typeof getSyncStatus>,
  'totalSubscriptions' | 'totalTransactions' | 'syncedSubscriptions' | 'syncedTransactions'
>

export type WizardPush = {
  /** Null until they are read. */
  totals: Totals | null
  /** Says how the newest push ended; null before the first. */
  last: ResponseOf<typeof getSyncStatus>['lastSync']
  /** Says why the totals could not be read; null when they could. */
  unread: Error | null
  retryRead: () => void
  /** The push that is followed; null while none runs. */
  job: Job | null
  isStarting: boolean
  isRunning: boolean
  isComplete: boolean
  start: () => void
  cancel: () => void
  isCancelling: boolean
}

function areAllSynced(totals: Totals): boolean {
  return (
    totals.totalSubscriptions + totals.totalTransactions > 0 &&
    totals.syncedSubscriptions >= totals.totalSubscriptions &&
    totals.syncedTransactions >= totals.totalTransactions
  )
}

/** Starts the push of the wizard or finds it running, and follows it to its end. */
export function usePush(): WizardPush {
  const toast = useToast()
  const isNarrow = useIsNarrow()
  const { data: user } = useCurrentUser()
  const refreshRecords = useRefreshRecords()
  const saveSynced = useSaveSynced()
  // While a sync runs, the counts of the step follow it.
  const status = useEndpoint(
    getSyncStatus,
    {},
    {
      staleTime: freshMs.syncStatus,
      refetchInterval: ({ state }) => (state.data?.runningSyncId ? pollMs.syncStatus : false),
      meta: { isPolled: true },
    },
  )
  const refreshStatus = useRefreshSyncStatus()
  const totals = status.data ?? null
  const run = useFollowedPush(status.data?.runningSyncId ?? null, {
    onEnd: async (job) => {
      if (job.status === 'completed') {
        const fresh = await status.refetch()
        const counts = fresh.data ?? totals
        if (counts !== null) await saveSynced(counts)
      } else await refreshStatus()
      // On a phone, the toast would lie on what the step shows green.
      if (job.status !== 'completed' || !isNarrow) toast(endOfPush(job, failedWords))
      await refreshRecords()
    },
    onCancelFailed: (error) =>
      toast({ title: 'Cancel Failed', description: serverText(error, 'Please try again.'), isError: true }),
  })
  const isSaved = user?.setupProgress?.dataSynced === true
  const complete = totals !== null && areAllSynced(totals) ? totals : null
  useOnce(
    complete !== null && !run.isRunning && user !== undefined && !isSaved,
    () => complete !== null && void saveSynced(complete),
  )

  const begin = async () => {
    const { importId } = await call(pushAll)
    if (importId === '') {
      toast({ title: 'Sync failed', description: 'No import ID returned. Please try again.', isError: true })
      return null
    }
    toast({ title: 'HubSpot sync started' })
    // Someone who leaves and comes back soon finds the run in this status.
    void refreshStatus()
    return importId
  }
  const onStartFailed = (error: unknown) => {
    const description = serverText(error, 'Failed to sync data to HubSpot.')
    toast({ title: 'Failed to sync to HubSpot', description, isError: true })
  }
  return {
    totals,
    last: status.data?.lastSync ?? null,
    unread: status.error,
    retryRead: () => void status.refetch(),
    job: run.isRunning ? run.answer : null,
    isStarting: run.isStarting,
    isRunning: run.isRunning,
    isComplete: isSaved || complete !== null,
    start: () => void run.start(begin, onStartFailed),
    cancel: run.cancel,
    isCancelling: run.isCancelling,
  }
}

const failedWords = { title: 'Sync Failed', usual: 'Failed to sync data to HubSpot.' }

function useSaveSynced(): (totals: Totals) => Promise<void> {
  const refreshProgress = useRefreshProgress()
  return async ({ syncedSubscriptions, syncedTransactions }) => {
    try {
      await call(updateSetupProgress, { body: { dataSynced: true, syncedSubscriptions, syncedTransactions } })
    } catch (error) {
      logProblem('The finished sync could not be marked', error)
    }
    await refreshProgress()
  }
}
