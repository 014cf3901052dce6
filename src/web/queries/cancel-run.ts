import { useMutation, useQueryClient } from '@tanstack/react-query'
import { cancelRun } from '#contract/sync.ts'
import { call } from '../client.ts'

/** Stops a running import or push. The queries that show it ask again at once, and so notice the end. */
export function useCancelRun(onFailed: (error: unknown) => void): {
  cancel: (id: string) => void
  isCancelling: boolean
} {
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: (id: string) => call(cancelRun, { params: { id } }),
    onError: onFailed,
    // This happens after a failure too, because the run may have ended in the meantime.
    onSettled: () =>
      client.refetchQueries({ type: 'active', predicate: (query) => query.meta?.['isPolled'] === true }),
  })
  return { cancel: cancel.mutate, isCancelling: cancel.isPending }
}
