import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ResponseOf } from '#contract/endpoint.ts'
import { bindHubspotAmounts, getHubspotAmounts } from '#contract/hubspot/hubspot-amounts.ts'
import { call, endpointKey, serverText, useEndpoint } from '../client.ts'

export type HubspotAmounts = ResponseOf<typeof getHubspotAmounts>

/** Asks HubSpot which amounts it shows in the currency of their record, when the screen opens and when a person asks. */
export function useAmounts(isPossible: boolean) {
  return useEndpoint(getHubspotAmounts, isPossible ? {} : null, { staleTime: 0 })
}

/** Has HubSpot show amounts in their currency for good. `onDone` receives why some are still plain numbers, if any. */
export function useBindAmounts(tell: {
  onDone: (problem: string | null) => void
  onFailed: (text: string) => void
}) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: (portalId: string) => call(bindHubspotAmounts, { body: { portalId, isConfirmed: true } }),
    onSuccess: ({ problem, ...amounts }) => {
      client.setQueryData(endpointKey(getHubspotAmounts, {}), amounts)
      tell.onDone(problem)
    },
    onError: (error) => {
      tell.onFailed(serverText(error, 'HubSpot could not be reached. Please try again.'))
      return client.invalidateQueries({ queryKey: endpointKey(getHubspotAmounts) })
    },
  })
  return { bind: mutation.mutate, isBinding: mutation.isPending }
}
