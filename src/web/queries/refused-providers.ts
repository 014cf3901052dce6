import { getSyncState, type SyncState } from '#contract/sync.ts'
import { useEndpoint } from '../client.ts'
import { freshMs } from './freshness.ts'

/** The providers that refuse the connection; none while that is not known. */
export function useRefusedProviders(): SyncState['refused'] {
  return useEndpoint(getSyncState, {}, { staleTime: freshMs.syncLine }).data?.refused ?? []
}
