import { useMutation, useQueryClient } from '@tanstack/react-query'
import { eraseCustomer } from '#contract/erasures.ts'
import { call, serverText } from '../../client.ts'
import { useIsManager } from '../session.ts'

/** `erase` tells the pseudonym, or why nobody was erased. */
type Erasing = {
  erase: () => Promise<{ pseudonym: string } | { problem: string }>
  isBusy: boolean
}

/** Erases a customer; null where the person may not, or it is done already. */
export function useErasing(customer: { customerId: string; erasureId: string | null }): Erasing | null {
  const isManager = useIsManager()
  const client = useQueryClient()
  const { mutateAsync, isPending } = useMutation({
    mutationFn: () => call(eraseCustomer, { body: { customerId: customer.customerId } }),
    // Any earlier answer may still name the person.
    onSuccess: () => client.invalidateQueries(),
  })
  if (!isManager || customer.erasureId !== null) return null
  const erase: Erasing['erase'] = () =>
    mutateAsync().then(
      ({ erasures }) => ({ pseudonym: erasures[0]?.pseudonym ?? '' }),
      (error: unknown) => ({ problem: serverText(error, 'Please try again.') }),
    )
  return { erase, isBusy: isPending }
}
