import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createHubspotObjects, createHubspotObjectsByKey, getHubspotObjects } from '#contract/connections.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { call, endpointKey, serverText, useEndpoint } from '../client.ts'
import { freshMs } from './freshness.ts'
import { type TypedKey, useTypedKey } from './service-key.ts'
import { useRefreshProgress } from './session.ts'

export type CrmObjects = ResponseOf<typeof getHubspotObjects>

/**
 * Says whether the last try to create the custom objects failed. Objects that nobody has tried to create have not
 * failed.
 */
export function haveFailed({ objects }: CrmObjects): boolean {
  return objects.some(({ state }) => state === 'failed')
}

/** Returns the custom objects of the connected portal when they could not be created; null otherwise. */
export function useFailedObjects(isConnected: boolean): CrmObjects | null {
  const { data } = useEndpoint(getHubspotObjects, isConnected ? {} : null, { staleTime: freshMs.records })
  return isConnected && data !== undefined && haveFailed(data) ? data : null
}

/** Whether we still wait to hear if the custom objects could be created. */
export function useObjectsAwaited(isConnected: boolean): boolean {
  const input = isConnected ? {} : null
  return useEndpoint(getHubspotObjects, input, { staleTime: freshMs.records }).isLoading
}

type Telling = {
  onMade: (made: CrmObjects) => void
  /** Receives the text for the person. */
  onFailed: (text: string) => void
}

/** Call this after a try to create the objects, with its result. Other screens read from it whether a sync can run. */
export function useObjectsTried(): (made: CrmObjects) => void {
  const client = useQueryClient()
  const refreshProgress = useRefreshProgress()
  return (made) => {
    client.setQueryData(endpointKey(getHubspotObjects, {}), made)
    void refreshProgress()
  }
}

/** Creates the custom objects with a typed service key, which the server uses once and does not keep. */
export function useCreateByKey({ onMade }: Pick<Telling, 'onMade'>): TypedKey {
  const tried = useObjectsTried()
  return useTypedKey(async (serviceKey) => {
    const made = await call(createHubspotObjectsByKey, { body: { serviceKey } })
    tried(made)
    onMade(made)
  })
}

/** Tries again to create the custom objects. */
export function useCreateObjects(tell: Telling): { create: () => void; isCreating: boolean } {
  const tried = useObjectsTried()
  const mutation = useMutation({
    mutationFn: () => call(createHubspotObjects),
    onSuccess: (made) => {
      tried(made)
      tell.onMade(made)
    },
    onError: (error) => tell.onFailed(serverText(error, 'HubSpot could not be reached. Please try again.')),
  })
  return { create: () => mutation.mutate(), isCreating: mutation.isPending }
}
