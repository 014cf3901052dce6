import { useMutation, useQueryClient } from '@tanstack/react-query'
import { listOrganizationMembers } from '#contract/organization.ts'
import { endpointKey, serverText, useEndpoint } from '../../client.ts'
import { useToast } from '../../ui/toast.tsx'

/** Does not forget what a hidden tab shows: it would wait for it when shown, and lose what is typed in it. */
export const keptWhileHidden = { gcTime: Number.POSITIVE_INFINITY }

/** For a tab: reads the members of the active organization and its open invitations. The tab waits for them. */
export function useAskedMembers(isAsked: boolean) {
  return useEndpoint(listOrganizationMembers, isAsked ? {} : null, { staleTime: 1_000, ...keptWhileHidden })
}

/** Whether the person is the only owner of the active organization, as far as its members are known. */
export function isOnlyOwner({ data }: ReturnType<typeof useAskedMembers>): boolean {
  const owners = data?.members.filter(({ role }) => role === 'owner') ?? []
  return owners.length === 1 && owners.every(({ isSelf }) => isSelf)
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
