import type { ResponseOf } from '#contract/endpoint.ts'
import { type getPushStatus, retryFailed } from '#contract/sync.ts'
import { call, serverText } from '../../client.ts'
import { counted } from '../../components/counted.ts'
import { useFollowedPush } from '../../queries/follow-run.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { useRefreshSyncStatus } from '../../queries/sync-status.ts'
import { useToast } from '../../ui/toast.tsx'

export type Retry = { start: (onStarted?: () => void) => void; isBusy: boolean }

/** Starts a push of what HubSpot refused, follows it to its end and says what came of it. */
export function useRetryFailed(): Retry {
  const toast = useToast()
  const refreshRecords = useRefreshRecords()
  const refreshStatus = useRefreshSyncStatus()
  const failed = (title: string, usual: string) => (error: unknown) => {
    toast({ title, description: serverText(error, usual), isError: true })
    void refreshRecords()
  }
  const run = useFollowedPush(null, {
    onEnd: async (job) => {
      await refreshStatus()
      toast(resultOf(job))
      void refreshRecords()
    },
    onCancelFailed: failed('Failed to cancel', 'Please try again.'),
  })
  const start = async (onStarted?: () => void) => {
    const begin = async () => {
      const { importId } = await call(retryFailed)
      toast({ title: 'Retry started', description: 'Only records that failed are synced again.' })
      onStarted?.()
      void refreshRecords()
      return importId
    }
    await run.start(begin, failed('Retry failed', 'An error occurred while starting the retry.'))
  }
  return { start: (onStarted) => void start(onStarted), isBusy: run.isStarting || run.isRunning }
}

type Job = ResponseOf<typeof getPushStatus>

/** What a retry came to, by the message of its run: it tells how many records are in sync now, and what is left. */
export function resultOf(job: Job): { title: string; description: string; isError?: boolean } {
  const { status, message, error, failedRecords: refused, errorDetails } = job
  if (status === 'cancelled') return { title: 'Retry Canceled', description: message }
  if (status === 'failed') return { title: 'Retry failed', description: error ?? message, isError: true }
  if (refused > 0)
    return {
      title: `HubSpot refused ${counted(refused, 'record')} again`,
      description: message,
      isError: true,
    }
  // Contacts, and links of records that were written.
  if (errorDetails.length > 0)
    return { title: 'Retry complete, with problems', description: message, isError: true }
  return { title: 'Retry complete', description: message }
}
