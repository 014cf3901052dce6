import { Alert } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useRefreshRecords } from '../queries/records.ts'
import { useIsFirstImport, useSyncState } from '../queries/sync-status.ts'

/** Says on every screen that what it shows is not complete yet, while the first import goes on. */
export function ImportBanner() {
  if (!useIsFirstImport()) return null
  return (
    <Alert
      component="aside"
      aria-label="Import in progress"
      role="note"
      color="blue"
      py="xs"
      icon={<IconRefresh size={18} aria-hidden />}
    >
      Your Stripe history is being imported. Figures and lists are not complete until the import has ended.
    </Alert>
  )
}

/** Reads everything again when a run has ended: nobody may follow it, as an import whose step of the setup was left. */
export function useRunEnd(): void {
  const isRunning = useSyncState()?.state === 'running'
  const wasRunning = useRef(false)
  const refresh = useRefreshRecords()
  const refreshAll = useEffectEvent(() => void refresh())
  useEffect(() => {
    if (wasRunning.current && !isRunning) refreshAll()
    wasRunning.current = isRunning
  }, [isRunning])
}
