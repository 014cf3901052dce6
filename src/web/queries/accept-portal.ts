import { useMutation, useQueryClient } from '@tanstack/react-query'
import { acceptHubspotPortal, getConnectionStatus, getHubspotObjects } from '#contract/connections.ts'
import { getAttention } from '#contract/dashboard.ts'
import { call, endpointKey } from '../client.ts'
import { useRefreshProgress } from './session.ts'

/** Confirms that another HubSpot account than before is meant. The custom objects are created in it then. */
export function useAcceptPortal(onFailed: (error: unknown) => void): {
  accept: (portalId: string) => void
  isAccepting: boolean
} {
  const client = useQueryClient()
  const refreshProgress = useRefreshProgress()
  const accept = useMutation({
    mutationFn: (portalId: string) => call(acceptHubspotPortal, { body: { portalId } }),
    onError: onFailed,
    onSettled: () =>
      Promise.all([
        refreshProgress(),
        ...[getConnectionStatus, getHubspotObjects, getAttention].map((endpoint) =>
          client.invalidateQueries({ queryKey: endpointKey(endpoint) }),
        ),
      ]),
  })
  return { accept: accept.mutate, isAccepting: accept.isPending }
}
