import { getStripeKeyGuide } from '#contract/connections.ts'
import { useEndpoint } from '../client.ts'

/** Where and how a key is made in Stripe; undefined until the server has answered. It does not change while it runs. */
export function useStripeKeyGuide() {
  return useEndpoint(getStripeKeyGuide, {}, { staleTime: Number.POSITIVE_INFINITY }).data
}
