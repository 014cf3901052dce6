import { useEffect, useEffectEvent } from 'react'
import { getSubscriptionSample, getTransactionSample } from '#contract/diagnostics.ts'
import { useEndpoint } from '../../client.ts'
import { logProblem } from '../../ui/problems/log-problem.ts'
import { useToast } from '../../ui/toast.tsx'

export type Samples = { transactionId: string | null; subscriptionId: string | null }

/**
 * Fetches one event and one subscription that HubSpot holds. The screen fetches them, because a hidden tab would
 * fetch nothing.
 */
export function useSamples(): Samples {
  const transactions = useEndpoint(getTransactionSample)
  const subscriptions = useEndpoint(getSubscriptionSample)
  useSampleError(transactions.error ?? subscriptions.error)
  return {
    transactionId: transactions.data?.transactionId ?? null,
    subscriptionId: subscriptions.data?.subscriptionId ?? null,
  }
}

function useSampleError(error: Error | null): void {
  const toast = useToast()
  const show = useEffectEvent((problem: Error) => {
    logProblem('Samples could not be fetched', problem)
    const description = 'Could not load transaction and subscription samples. Check console for details.'
    toast({ title: 'Error fetching samples', description, isError: true })
  })
  useEffect(() => {
    if (error !== null) show(error)
  }, [error])
}
