import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getHistoricalImportProgress, getImportStatus, startHistoricalImport } from '#contract/imports.ts'
import { updateSetupProgress } from '#contract/setup.ts'
import { ApiError, call, serverText, useEndpoint } from '../../client.ts'
import { useCancelRun } from '../../queries/cancel-run.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { pollMs, useRun } from '../../queries/run.ts'
import { useCurrentUser, useRefreshProgress } from '../../queries/session.ts'
import { logProblem } from '../../ui/log-problem.ts'
import { useToast } from '../../ui/toast.tsx'

type Progress = NonNullable<ResponseOf<typeof getImportStatus>>
export type ImportPhase = 'idle' | 'starting' | 'running' | 'failed' | 'cancelled' | 'complete'

export type WizardImport = {
  phase: ImportPhase
  progress: Progress | null
  /** Why it cannot be told whether there was an import; null where it can. */
  unread: Error | null
  retryRead: () => void
  start: () => void
  restart: () => void
  isRestarting: boolean
  cancel: () => void
  isCancelling: boolean
}

/** The import of the wizard: started here or found running, followed to its end, and started anew on wish. */
export function useImport(): WizardImport {
  const toast = useToast()
  const { data: user } = useCurrentUser()
  const refreshRecords = useRefreshRecords()
  const latest = useEndpoint(getImportStatus, {}, { staleTime: 0 })
  const [startedId, setStartedId] = useState<string | null>(null)
  const [isStarting, setStarting] = useState(false)
  const [wasReset, setWasReset] = useState(false)
  const { markImported, reset, isRestarting } = useImportedFlag()
  const { cancel, isCancelling } = useCancelRun((error) =>
    toast({ title: 'Cancel Failed', description: serverText(error, 'Please try again.'), isError: true }),
  )

  const found = wasReset ? null : (latest.data ?? null)
  const followedId = startedId ?? (found?.status === 'started' ? found.importId : null)
  const run = useRun(
    getHistoricalImportProgress,
    followedId === null ? null : { params: { id: followedId } },
    {
      everyMs: pollMs.importProgress,
      hasEnded: (progress) => progress.status !== 'started',
      onEnd: (progress) => {
        if (progress.status === 'completed') void markImported()
        toast(endToast(progress))
        void refreshRecords()
      },
    },
  )
  const isImported = user?.setupProgress?.dataImported === true
  useFoundComplete(found?.status === 'completed' && user !== undefined && !isImported, markImported)

  const start = async () => {
    setStarting(true)
    try {
      const started = await call(startHistoricalImport, { body: wasReset ? { restart: true } : {} })
      if (!started.success) throw new ApiError(200, started.message)
      setStartedId(started.importId)
      toast({ title: 'Import Started', description: started.message })
    } catch (error) {
      toast({ ...startFailure(error), isError: true })
    }
    setStarting(false)
  }
  const restart = async () => {
    if (!(await reset())) return
    setStartedId(null)
    setWasReset(true)
  }
  const progress = (followedId === null ? found : (run.data ?? found)) ?? null
  return {
    phase: phaseOf({
      isStarting,
      isFollowing: followedId !== null,
      progress,
      isImported,
      wasReset,
      startedId,
    }),
    progress,
    unread: latest.error,
    retryRead: () => void latest.refetch(),
    start: () => void start(),
    restart: () => void restart(),
    isRestarting,
    cancel: () => {
      if (followedId !== null) cancel(followedId)
    },
    isCancelling,
  }
}

function phaseOf(state: {
  isStarting: boolean
  isFollowing: boolean
  progress: Progress | null
  isImported: boolean
  wasReset: boolean
  startedId: string | null
}): ImportPhase {
  const { progress } = state
  if (state.isStarting) return 'starting'
  if (state.isFollowing && (progress === null || progress.status === 'started')) return 'running'
  if (state.wasReset && state.startedId === null) return 'idle'
  if (state.isImported) return 'complete'
  if (progress?.status !== 'failed') return 'idle'
  return progress.wasCancelled ? 'cancelled' : 'failed'
}

function startFailure(error: unknown) {
  return error instanceof ApiError
    ? { title: 'Import Failed', description: error.text || 'Failed to start data import.' }
    : { title: 'Import Error', description: 'An error occurred while starting data import.' }
}

function endToast(progress: Progress) {
  if (progress.wasCancelled) return { title: 'Import Cancelled', description: progress.message }
  if (progress.status === 'failed') {
    return {
      title: 'Import Failed',
      description: progress.message || 'Failed to import data.',
      isError: true,
    }
  }
  const { totalCustomers, totalTransactions } = progress
  if (totalCustomers === 0 && totalTransactions === 0) return { title: 'Nothing was found to import' }
  return {
    title: 'Import Complete',
    description: `Successfully imported ${totalCustomers} customers and ${totalTransactions} events.`,
  }
}

/** The flag 'data is imported' on the server. */
function useImportedFlag() {
  const toast = useToast()
  const refreshProgress = useRefreshProgress()
  const [isRestarting, setRestarting] = useState(false)
  const markImported = async () => {
    try {
      await call(updateSetupProgress, { body: { dataImported: true } })
    } catch (error) {
      logProblem('The finished import could not be marked', error)
    }
    await refreshProgress()
  }
  const reset = async (): Promise<boolean> => {
    setRestarting(true)
    try {
      await call(updateSetupProgress, { body: { dataImported: false } })
      await refreshProgress()
      toast({ title: 'Import reset', description: 'You can import your Stripe data again.' })
      return true
    } catch (error) {
      const description = serverText(error, 'An error occurred while saving your progress.')
      toast({ title: 'Import Error', description, isError: true })
      return false
    } finally {
      setRestarting(false)
    }
  }
  return { markImported, reset, isRestarting }
}

/** Marks once an import that ended while nobody looked. */
function useFoundComplete(isFound: boolean, markImported: () => Promise<void>) {
  const wasMarked = useRef(false)
  const mark = useEffectEvent(() => {
    if (wasMarked.current) return
    wasMarked.current = true
    void markImported()
  })
  useEffect(() => {
    if (isFound) mark()
  }, [isFound])
}
