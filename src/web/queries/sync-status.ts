import { useQueryClient } from '@tanstack/react-query'
import { getSyncState, getSyncStatus } from '#contract/sync.ts'
import { endpointKey } from '../client.ts'

/**
 * Marks the state of the sync as out of date, here and in the sidebar, and reads it again, now or on the next screen. A
 * first read on its way may tell what was before, and is given up.
 */
export function useRefreshSyncStatus(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    const readAgain = async (queryKey: ReturnType<typeof endpointKey>) => {
      await client.cancelQueries({ queryKey })
      await client.invalidateQueries({ queryKey })
    }
    await Promise.all([getSyncStatus, getSyncState].map((one) => readAgain(endpointKey(one))))
  }
}
