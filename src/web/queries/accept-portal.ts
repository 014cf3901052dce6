import { useMutation, useQueryClient } from '@tanstack/react-query'
import { acceptHubspotPortal, getConnectionStatus } from '#contract/connections.ts'
import { call, endpointKey } from '../client.ts'

/** Confirms that another HubSpot account than before is meant. */
export function useAcceptPortal(onFailed: (error: unknown) => void): {
  accept: (portalId: string) => void
  isAccepting: boolean
} {
  const client = useQueryClient()
  const accept = useMutation({
    mutationFn: (portalId: string) => call(acceptHubspotPortal, { body: { portalId } }),
    onError: onFailed,
    onSettled: () => client.invalidateQueries({ queryKey: endpointKey(getConnectionStatus) }),
  })
  return { accept: accept.mutate, isAccepting: accept.isPending }
}
