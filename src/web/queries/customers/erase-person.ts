import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { eraseCustomer, getErasureQuestion } from '#contract/erasures.ts'
import { getSyncState } from '#contract/sync.ts'
import { call, serverText, useEndpoint } from '../../client.ts'
import { freshMs } from '../freshness.ts'
import { useIsManager } from '../session.ts'

/** Erases a customer, as its menu asks for it; null where the person may not, or it is done already. */
export function useErasing(customer: { customerId: string; erasureId: string | null }) {
  const { customerId } = customer
  const isManager = useIsManager()
  const client = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const { data, error, refetch } = useEndpoint(
    getErasureQuestion,
    isAsked ? { params: { customerId } } : null,
    {
      staleTime: freshMs.records,
    },
  )
  const sync = useEndpoint(getSyncState, isAsked ? {} : null, { staleTime: freshMs.syncLine }).data
  const { mutateAsync, isPending } = useMutation({
    mutationFn: () => call(eraseCustomer, { body: { customerId } }),
    // Any earlier answer may still name the person.
    onSuccess: () => client.invalidateQueries(),
  })
  if (!isManager || customer.erasureId !== null) return null
  /** Tells the pseudonym, or why nobody was erased. */
  const erase = () =>
    mutateAsync().then(
      ({ erasures }) => ({ pseudonym: erasures[0]?.pseudonym ?? '' }),
      (error: unknown) => ({ problem: serverText(error, 'Please try again.') }),
    )
  return {
    lookUp: () => setAsked(true),
    erased: data && { customerId, ...data },
    failure: error,
    lookUpAgain: () => void refetch(),
    isSyncedByHand: sync !== undefined && sync.automatic !== 'on',
    erase,
    isBusy: isPending,
  }
}
