import { useQueryClient } from '@tanstack/react-query'
import { getSyncState, getSyncStatus, type SyncState } from '#contract/sync.ts'
import { endpointKey, useEndpoint } from '../client.ts'
import { freshMs } from './freshness.ts'
import { useCurrentUser } from './session.ts'

/** How often a run that goes on is asked for. */
export const runPollMs = 5_000

/** How syncing stands in the person's organization; undefined until it is known. While a run goes on, it is asked for again. */
export function useSyncState(): SyncState | undefined {
  const { data: user } = useCurrentUser()
  const { data } = useEndpoint(getSyncState, user?.organization ? {} : null, {
    staleTime: freshMs.syncLine,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? runPollMs : false),
    // Who comes back to the page sees what a run of the schedule, or of a colleague, has brought meanwhile.
    refetchOnWindowFocus: true,
    meta: { isPolled: true },
  })
  return data
}

/** Whether the first import of the organization goes on, so that figures and lists are not complete yet. */
export function useIsFirstImport(): boolean {
  const sync = useSyncState()
  return sync?.running === 'import' && sync.lastCompletedAt === null
}

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
