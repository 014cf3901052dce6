import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { updateSetupProgress } from '#contract/setup.ts'
import { getPushStatus, getSyncStatus, pushAll } from '#contract/sync.ts'
import { call, serverText, useEndpoint } from '../../client.ts'
import { useCancelRun } from '../../queries/cancel-run.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { pollMs, useRun } from '../../queries/run.ts'
import { useCurrentUser, useRefreshProgress } from '../../queries/session.ts'
import { logProblem } from '../../ui/log-problem.ts'
import { useToast } from '../../ui/toast.tsx'

type Job = ResponseOf<typeof getPushStatus>
type Totals = Pick<
  ResponseOf<typeof getSyncStatus>,
  'totalSubscriptions' | 'totalTransactions' | 'syncedSubscriptions' | 'syncedTransactions'
>

const noTotals: Totals = {
  totalSubscriptions: 0,
  totalTransactions: 0,
  syncedSubscriptions: 0,
  syncedTransactions: 0,
}

export type WizardPush = {
  totals: Totals
  /** How the newest push ended; null before the first. */
  last: ResponseOf<typeof getSyncStatus>['lastSync']
  /** Why the totals could not be read; null where they could. */
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

/** The push of the wizard: started here or found running, and followed to its end. */
export function usePush(): WizardPush {
  const toast = useToast()
  const { data: user } = useCurrentUser()
  const refreshRecords = useRefreshRecords()
  const saveSynced = useSaveSynced()
  const status = useEndpoint(getSyncStatus, {}, { staleTime: freshMs.syncStatus })
  const [startedId, setStartedId] = useState<string | null>(null)
  const [endedId, setEndedId] = useState<string | null>(null)
  const [isStarting, setStarting] = useState(false)
  const totals = status.data ?? noTotals
  const { cancel, isCancelling } = useCancelRun((error) =>
    toast({ title: 'Cancel Failed', description: serverText(error, 'Please try again.'), isError: true }),
  )

  const candidate = startedId ?? status.data?.runningSyncId ?? null
  const followedId = candidate === endedId ? null : candidate
  const run = useRun(getPushStatus, followedId === null ? null : { params: { importId: followedId } }, {
    everyMs: pollMs.syncJob,
    hasEnded: (job) => job.status !== 'in_progress',
    onEnd: async (job) => {
      setEndedId(job.id)
      if (job.status === 'completed') {
        const fresh = await status.refetch()
        await saveSynced(fresh.data ?? totals)
        toast({ title: 'Sync Complete', description: job.message })
      } else if (job.status === 'cancelled') {
        toast({ title: 'Sync Cancelled', description: job.message })
      } else {
        const description = job.error ?? (job.message || 'Failed to sync data to HubSpot.')
        toast({ title: 'Sync Failed', description, isError: true })
      }
      await refreshRecords()
    },
  })
  const isSaved = user?.setupProgress?.dataSynced === true
  const isAllSynced = areAllSynced(totals)
  useFoundSynced(isAllSynced && followedId === null && user !== undefined && !isSaved, () =>
    saveSynced(totals),
  )

  const start = async () => {
    setStarting(true)
    try {
      const { importId } = await call(pushAll)
      if (importId === '') {
        toast({
          title: 'Sync failed',
          description: 'No import ID returned. Please try again.',
          isError: true,
        })
      } else {
        setStartedId(importId)
        toast({ title: 'HubSpot sync started' })
        // Who leaves and comes back soon finds the run by it.
        void status.refetch()
      }
    } catch (error) {
      const description = serverText(error, 'Failed to sync data to HubSpot.')
      toast({ title: 'Failed to sync to HubSpot', description, isError: true })
    }
    setStarting(false)
  }
  return {
    totals,
    last: status.data?.lastSync ?? null,
    unread: status.error,
    retryRead: () => void status.refetch(),
    job: followedId === null ? null : (run.data ?? null),
    isStarting,
    isRunning: followedId !== null,
    isComplete: isSaved || isAllSynced,
    start: () => void start(),
    cancel: () => {
      if (followedId !== null) cancel(followedId)
    },
    isCancelling,
  }
}

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

/** Saves once that everything stands in HubSpot already. */
function useFoundSynced(isFound: boolean, save: () => Promise<void>) {
  const wasSaved = useRef(false)
  const saveOnce = useEffectEvent(() => {
    if (wasSaved.current) return
    wasSaved.current = true
    void save()
  })
  useEffect(() => {
    if (isFound) saveOnce()
  }, [isFound])
}
