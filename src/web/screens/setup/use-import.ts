import { useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getHistoricalImportProgress, getImportStatus, startHistoricalImport } from '#contract/imports.ts'
import { updateSetupProgress } from '#contract/setup.ts'
import { ApiError, call, serverText, useEndpoint } from '../../client.ts'
import { useIsNarrow } from '../../components/list-page/use-is-narrow.ts'
import { importedText } from '../../components/runs/import-words.ts'
import { pollMs, useFollowedRun } from '../../queries/follow-run.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { useCurrentUser, useRefreshProgress } from '../../queries/session.ts'
import { useRefreshSyncStatus } from '../../queries/sync-status.ts'
import { logProblem } from '../../ui/problems/log-problem.ts'
import { useToast } from '../../ui/toast.tsx'
import { useOnce } from '../../ui/use-once.ts'

type Progress = NonNullable<ResponseOf<typeof getImportStatus>>
export type ImportPhase = 'idle' | 'starting' | 'running' | 'failed' | 'cancelled' | 'complete'

export type WizardImport = {
  phase: ImportPhase
  progress: Progress | null
  /** Says why it is unknown whether there was an import; null when it is known. */
  unread: Error | null
  retryRead: () => void
  start: () => void
  restart: () => void
  isRestarting: boolean
  cancel: () => void
  isCancelling: boolean
}

/** Starts the import of the wizard or finds it running, follows it to its end, and lets the person start again. */
export function useImport(): WizardImport {
  const toast = useToast()
  const isNarrow = useIsNarrow()
  const { data: user } = useCurrentUser()
  const refreshRecords = useRefreshRecords()
  const refreshStatus = useRefreshSyncStatus()
  const latest = useEndpoint(getImportStatus, {}, { staleTime: 0 })
  const [wasReset, setWasReset] = useState(false)
  const { markImported, reset, isRestarting } = useImportedFlag()
  const found = wasReset ? null : (latest.data ?? null)
  const run = useFollowedRun(
    getHistoricalImportProgress,
    found?.status === 'started' ? found.importId : null,
    {
      inputOf: (id) => ({ params: { id } }),
      everyMs: pollMs.importProgress,
      hasEnded: (progress) => progress.status !== 'started',
      keepsEnded: true,
      onEnd: async (progress) => {
        if (progress.status === 'completed') void markImported()
        await refreshStatus()
        // On a phone, the toast would lie on what the step shows green.
        if (progress.status !== 'completed' || !isNarrow) toast(endToast(progress))
        void refreshRecords()
      },
      onCancelFailed: (error) =>
        toast({ title: 'Cancel Failed', description: serverText(error, 'Please try again.'), isError: true }),
    },
  )
  const isImported = user?.setupProgress?.dataImported === true
  // The import may have ended while nobody had this screen open.
  useOnce(found?.status === 'completed' && user !== undefined && !isImported, () => void markImported())

  const begin = async () => {
    const started = await call(startHistoricalImport, { body: wasReset ? { restart: true } : {} })
    if (!started.success) throw new ApiError(200, started.message)
    toast({ title: 'Import Started', description: started.message })
    return started.importId
  }
  const restart = async () => {
    if (!(await reset())) return
    run.forget()
    setWasReset(true)
  }
  const progress = run.answer ?? found
  const isFollowed = run.id !== null
  return {
    phase: phaseOf({ isStarting: run.isStarting, isFollowed, progress, isImported, wasReset }),
    progress,
    unread: latest.error,
    retryRead: () => void latest.refetch(),
    start: () => void run.start(begin, (error) => toast({ ...startFailure(error), isError: true })),
    restart: () => void restart(),
    isRestarting,
    cancel: run.cancel,
    isCancelling: run.isCancelling,
  }
}

function phaseOf(state: {
  isStarting: boolean
  isFollowed: boolean
  progress: Progress | null
  isImported: boolean
  wasReset: boolean
}): ImportPhase {
  const { progress } = state
  if (state.isStarting) return 'starting'
  if (state.isFollowed && (progress === null || progress.status === 'started')) return 'running'
  if (state.wasReset && !state.isFollowed) return 'idle'
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
  if (progress.wasCancelled) return { title: 'Import Canceled', description: progress.message }
  if (progress.status === 'failed') {
    return {
      title: 'Import Failed',
      description: progress.message || 'Failed to import data.',
      isError: true,
    }
  }
  const description = importedText(progress)
  return description === null
    ? { title: 'Nothing was found to import' }
    : { title: 'Import Complete', description }
}

/** Sets the server's flag that the data is imported. */
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
