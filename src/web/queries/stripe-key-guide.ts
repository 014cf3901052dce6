import { getStripeKeyGuide } from '#contract/connections.ts'
import { useEndpoint } from '../client.ts'

/** Where and how a key is made in Stripe. It does not change while the server runs. */
export function useStripeKeyGuide() {
  return useEndpoint(getStripeKeyGuide, {}, { staleTime: Number.POSITIVE_INFINITY })
}
