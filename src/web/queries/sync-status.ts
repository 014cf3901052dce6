import { useQueryClient } from '@tanstack/react-query'
import { getSyncStatus } from '#contract/sync.ts'
import { endpointKey } from '../client.ts'

/**
 * Reads the state of the sync again. The mark outlives a screen that is left before the answer: whoever comes back
 * finds the run that has just begun. A mere refetch is forgotten with its screen.
 */
export function useRefreshSyncStatus(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: endpointKey(getSyncStatus) })
}
