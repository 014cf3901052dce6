import type { ResponseOf } from '#contract/endpoint.ts'
import { type getSyncStatus, pushAll } from '#contract/sync.ts'
import { call, serverText } from '../../client.ts'
import { endOfPush } from '../../components/runs/end-of-push.ts'
import { useFollowedPush } from '../../queries/follow-run.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { useObstacles } from '../../queries/session.ts'
import { useRefreshSyncStatus } from '../../queries/sync-status.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Starts a sync beside what says that the last one failed, and follows it until that is no longer so. */
export function SyncNow({ status }: { status: ResponseOf<typeof getSyncStatus> }) {
  const toast = useToast()
  const refreshRecords = useRefreshRecords()
  const { canSync } = useObstacles()
  const refreshStatus = useRefreshSyncStatus()
  const failed = (title: string) => (error: unknown) =>
    toast({ title, description: serverText(error, 'Please try again.'), isError: true })
  const run = useFollowedPush(status.runningSyncId, {
    onEnd: async (job) => {
      await refreshStatus()
      toast(endOfPush(job))
      void refreshRecords()
    },
    onCancelFailed: failed('Failed to cancel'),
  })
  const begin = async () => {
    const { importId } = await call(pushAll, { body: {} })
    toast({ title: 'HubSpot sync started' })
    void refreshRecords()
    return importId
  }
  // A sync would only fail again. Data Sync says what to do first.
  if (!canSync) return null
  return (
    <StartButton
      isBusy={run.isStarting || run.isRunning}
      isOff={status.runningImportId !== null}
      onClick={() => void run.start(begin, failed('Failed to sync to HubSpot'))}
    >
      Sync to HubSpot
    </StartButton>
  )
}
