import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createHubspotObjects, getHubspotObjects } from '#contract/connections.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { call, endpointKey, serverText, useEndpoint } from '../client.ts'
import { freshMs } from './freshness.ts'

export type CrmObjects = ResponseOf<typeof getHubspotObjects>

/** Whether the last try to make the custom objects failed; those that nobody has tried to make yet have not. */
export function haveFailed({ objects }: CrmObjects): boolean {
  return objects.some(({ state }) => state === 'failed')
}

/** The custom objects of the connected portal where they could not be made; null otherwise. */
export function useFailedObjects(isConnected: boolean): CrmObjects | null {
  const { data } = useEndpoint(getHubspotObjects, isConnected ? {} : null, { staleTime: freshMs.records })
  return isConnected && data !== undefined && haveFailed(data) ? data : null
}

/** Tries once more to make them. */
export function useCreateObjects(tell: {
  onMade: (made: CrmObjects) => void
  /** With what to say of it. */
  onFailed: (text: string) => void
}): { create: () => void; isCreating: boolean } {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: () => call(createHubspotObjects),
    onSuccess: (made) => {
      client.setQueryData(endpointKey(getHubspotObjects, {}), made)
      tell.onMade(made)
    },
    onError: (error) => tell.onFailed(serverText(error, 'HubSpot could not be reached. Please try again.')),
  })
  return { create: () => mutation.mutate(), isCreating: mutation.isPending }
}
