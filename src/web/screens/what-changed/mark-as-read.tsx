import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRecount, listRecounts, markRecountRead, type Recount } from '#contract/recounts.ts'
import { call, endpointKey, serverText } from '../../client.ts'
import { useIsManager, useRefreshUser } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Ends the announcement of a report for all owners and admins. Members can only read the report. */
export function MarkAsRead({ report: { recountId, readAt } }: { report: Recount }) {
  const isManager = useIsManager()
  const toast = useToast()
  const client = useQueryClient()
  const refreshUser = useRefreshUser()
  const mark = useMutation({
    mutationFn: () => call(markRecountRead, { params: { recountId } }),
    onError: (error) => {
      const description = serverText(error, 'An error occurred while marking the report as read.')
      toast({ title: 'Not marked as read', description, isError: true })
    },
    onSettled: async () => {
      await Promise.all([
        refreshUser(),
        client.invalidateQueries({ queryKey: endpointKey(getRecount) }),
        client.invalidateQueries({ queryKey: endpointKey(listRecounts) }),
      ])
    },
  })
  if (readAt !== null || !isManager) return null
  return (
    <StartButton isBusy={mark.isPending} onClick={() => mark.mutate()}>
      Mark as read
    </StartButton>
  )
}
