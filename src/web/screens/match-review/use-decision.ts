import { useMutation } from '@tanstack/react-query'
import {
  createMatchCompany,
  ignoreMatch,
  linkMatch,
  restoreMatch,
  saveMatchRule,
  unlinkMatch,
} from '#contract/matches.ts'
import { call, serverText } from '../../client.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { useToast } from '../../ui/toast.tsx'

export type Decision =
  | { kind: 'link'; companyRecordId: string; alwaysForDomain: boolean }
  | { kind: 'create'; companyName: string }
  | { kind: 'never'; domain: string }
  | { kind: 'unlink' | 'ignore' | 'restore' }

function decide(customerId: string, decision: Decision): Promise<{ message: string }> {
  const params = { customerId }
  switch (decision.kind) {
    case 'link': {
      const { companyRecordId, alwaysForDomain } = decision
      return call(linkMatch, { params, body: { companyRecordId, alwaysForDomain } })
    }
    case 'create':
      return call(createMatchCompany, { params, body: { companyName: decision.companyName } })
    case 'never':
      return call(saveMatchRule, { body: { domain: decision.domain, companyRecordId: null } })
    case 'unlink':
      return call(unlinkMatch, { params })
    case 'ignore':
      return call(ignoreMatch, { params })
    case 'restore':
      return call(restoreMatch, { params })
  }
}

/** Decides about one customer, says how that ended, and refreshes every list and figure. */
export function useDecision(customerId: string, onDecided: () => void) {
  const toast = useToast()
  const refreshRecords = useRefreshRecords()
  const mutation = useMutation({
    mutationFn: (decision: Decision) => decide(customerId, decision),
    onSuccess: ({ message }) => {
      toast({ title: 'Saved', description: message })
      onDecided()
    },
    onError: (error) => {
      const description = serverText(error, 'An error occurred while saving your decision.')
      toast({ title: 'Not saved', description, isError: true })
    },
    // This happens after a failure too, because somebody else may have decided first.
    onSettled: () => void refreshRecords(),
  })
  return { decide: mutation.mutate, isBusy: mutation.isPending }
}
