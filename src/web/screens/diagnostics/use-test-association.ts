import { useMutation } from '@tanstack/react-query'
import { testAssociation } from '#contract/diagnostics.ts'
import { call, serverText } from '../../client.ts'
import { logProblem } from '../../ui/problems/log-problem.ts'
import { useToast } from '../../ui/toast.tsx'

const failed = 'Failed to test association. Check console for details.'

/** Makes one association by hand and says how it ended. */
export function useTestAssociation() {
  const toast = useToast()
  const test = useMutation({
    mutationFn: (ids: { transactionId: string; subscriptionId: string }) =>
      call(testAssociation, { body: ids }),
    onSuccess: ({ success, message }) =>
      toast({ title: success ? 'Success' : 'Error', description: message, isError: !success }),
    onError: (error) => {
      logProblem('The association could not be tested', error)
      toast({ title: 'Error', description: serverText(error, failed), isError: true })
    },
  })
  return {
    result: test.data ?? null,
    problem: test.error === null ? null : serverText(test.error, failed),
    isBusy: test.isPending,
    test: (ids: { transactionId: string; subscriptionId: string }) => {
      if (ids.transactionId !== '' && ids.subscriptionId !== '') test.mutate(ids)
      else
        toast({
          title: 'Missing selection',
          description: 'Please select both a transaction and a subscription.',
          isError: true,
        })
    },
  }
}
