import { useQueryClient } from '@tanstack/react-query'
import { getSyncState, getSyncStatus } from '#contract/sync.ts'
import { endpointKey } from '../client.ts'

/**
 * Marks the state of the sync as out of date, here and in the sidebar, and reads it again. If a person leaves the screen
 * before the answer, the mark stays, and the next screen reads it.
 */
export function useRefreshSyncStatus(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    const asked = [getSyncStatus, getSyncState]
    await Promise.all(asked.map((one) => client.invalidateQueries({ queryKey: endpointKey(one) })))
  }
}
