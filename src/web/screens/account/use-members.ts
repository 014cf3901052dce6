import { useMutation, useQueryClient } from '@tanstack/react-query'
import { listOrganizationMembers } from '#contract/organization.ts'
import { endpointKey, serverText, useEndpoint } from '../../client.ts'
import { useToast } from '../../ui/toast.tsx'

/** For the tab: reads the members of the active organization and its open invitations. The tab shows nothing before. */
export function useAskedMembers(hasOrganization: boolean) {
  return useEndpoint(listOrganizationMembers, hasOrganization ? {} : null, { staleTime: 1_000 })
}

/** For the cards of the tab: reads nothing again when a card opens, since the tab would close it while it waits. */
export function useMembers() {
  return useEndpoint(listOrganizationMembers, {}, { staleTime: 1_000, retryOnMount: false })
}

/** Makes one change at a time to the members, and then reads them again. */
export function useMemberChange(texts: { done: string; failed: string }) {
  const toast = useToast()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: endpointKey(listOrganizationMembers) })
      toast({ title: texts.done })
    },
    onError: (error) =>
      toast({ title: texts.failed, description: serverText(error, 'Please try again.'), isError: true }),
  })
}
