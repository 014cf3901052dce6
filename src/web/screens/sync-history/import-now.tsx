import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { ResponseOf } from '#contract/endpoint.ts'
import { startImport } from '#contract/imports.ts'
import type { getSyncStatus } from '#contract/sync.ts'
import { call, serverText } from '../../client.ts'
import { lastMonth } from '../../components/runs/last-month.ts'
import { startedImport } from '../../components/runs/started-import.ts'
import { paths } from '../../paths.ts'
import { useRefreshSyncStatus } from '../../queries/sync-status.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { useClock } from '../../ui/clock.ts'
import { useToast } from '../../ui/toast.tsx'

/** Starts an import as Data Sync does, and leads there, where it is followed and then synced to HubSpot. */
export function ImportNow({ status }: { status: ResponseOf<typeof getSyncStatus> }) {
  const toast = useToast()
  const now = useClock()
  const navigate = useNavigate()
  const refreshStatus = useRefreshSyncStatus()
  const start = useMutation({
    mutationFn: () => call(startImport, { body: lastMonth(now()) }),
    onSuccess: async ({ importId }) => {
      startedImport.note(importId)
      toast({ title: 'Import Started' })
      await refreshStatus()
      void navigate(paths.dataSync)
    },
    onError: (error) =>
      toast({
        title: 'Failed to import from Stripe',
        description: serverText(error, 'Please try again.'),
        isError: true,
      }),
  })
  return (
    <StartButton
      isBusy={start.isPending}
      isOff={status.runningImportId !== null || status.runningSyncId !== null}
      onClick={() => start.mutate()}
    >
      Import from Stripe
    </StartButton>
  )
}
