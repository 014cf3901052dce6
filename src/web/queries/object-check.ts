import { useMutation, useQueryClient } from '@tanstack/react-query'
import { checkHubspotObjects, getHubspotObjectPlan, takeOverHubspotObjects } from '#contract/connections.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getHubspotAmounts } from '#contract/hubspot/hubspot-amounts.ts'
import { call, endpointKey, serverText, useEndpoint } from '../client.ts'
import { useObjectsTried } from './hubspot-objects.ts'

export type ObjectPlan = ResponseOf<typeof getHubspotObjectPlan>['objects'][number]
export type CheckedObject = ResponseOf<typeof checkHubspotObjects>['objects'][number]

export function useObjectPlan() {
  return useEndpoint(getHubspotObjectPlan)
}

/** Compares the objects in HubSpot with ours when the screen opens, and again when a person asks. */
export function useObjectCheck(isPossible: boolean) {
  const check = useEndpoint(checkHubspotObjects, isPossible ? {} : null, { staleTime: 0 })
  return {
    checked: check.data?.objects ?? null,
    isChecking: check.isFetching,
    isAwaited: check.isLoading,
    problem: check.isFetching ? null : check.error,
    checkAgain: () => void check.refetch(),
  }
}

/** Confirms objects that somebody else made. `onDone` receives whether both can be used now, and what is in the way. */
export function useTakeOver(tell: {
  onDone: (isReady: boolean, advice: string) => void
  onFailed: (text: string) => void
}) {
  const client = useQueryClient()
  const tried = useObjectsTried()
  const mutation = useMutation({
    mutationFn: (objects: { name: string; objectTypeId: string }[]) =>
      call(takeOverHubspotObjects, { body: { objects } }),
    onSuccess: (made) => {
      tried(made)
      const reasons = made.objects.flatMap(({ reason }) => reason ?? [])
      tell.onDone(made.isReady, [...new Set(reasons)].join(' '))
    },
    onError: (error) => tell.onFailed(serverText(error, 'HubSpot could not be reached. Please try again.')),
    onSettled: () =>
      Promise.all(
        [checkHubspotObjects, getHubspotAmounts].map((endpoint) =>
          client.invalidateQueries({ queryKey: endpointKey(endpoint) }),
        ),
      ),
  })
  return { takeOver: mutation.mutate, isTaking: mutation.isPending }
}
