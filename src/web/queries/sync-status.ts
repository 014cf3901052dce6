import { useQueryClient } from '@tanstack/react-query'
import { getSyncStatus } from '#contract/sync.ts'
import { endpointKey } from '../client.ts'

/**
 * Marks the state of the sync as out of date, and reads it again. If a person leaves the screen before the answer, the
 * mark stays, and the next screen reads it. A refetch alone would be forgotten.
 */
export function useRefreshSyncStatus(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: endpointKey(getSyncStatus) })
}
