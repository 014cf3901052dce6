import type { ResponseOf } from '#contract/endpoint.ts'
import { getStripeWebhook, receiveStripeWebhook, saveStripeWebhook } from '#contract/webhooks.ts'
import type { Deps } from '../../deps.ts'
import { createFailureLimit } from '../../http/failure-limit.ts'
import { type Router, serve } from '../../http/serve.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { readWebhookState, setWebhookSecret } from '../../work/connections/payment-webhook.ts'
import { receiveWebhook } from '../../work/import/receive-webhook.ts'
import { webhookStanding } from '../standing.ts'

/**
 * How many deliveries without a valid signature one network may send before this process makes its strangers wait.
 */
const unprovenMax = { count: 100, withinMs: 10_000 }

export function serveWebhooks(router: Router): void {
  const { deps } = router
  serve(router, getStripeWebhook, ({ inOrganization }) =>
    inOrganization((tenant) => describeWebhook(deps, tenant)),
  )

  serve(
    router,
    saveStripeWebhook,
    async ({ organizationId, inOrganization }, { body }) => {
      await setWebhookSecret(deps, organizationId, body.signingSecret)
      return inOrganization((tenant) => describeWebhook(deps, tenant))
    },
    webhookStanding,
  )

  const limited = createFailureLimit(unprovenMax, deps.now)
  serve(router, receiveStripeWebhook, async ({ request, callerAddress }, { params: { token }, body }) => {
    const signature = request.headers.get('stripe-signature')
    const delivery = { token, signature, readBody: body, admit: router.limitDeliveries }
    await limited({ address: callerAddress(), caller: token }, () => receiveWebhook(deps, delivery))
    return { received: true as const }
  })
}

async function describeWebhook(
  { config, payments: { guide } }: Deps,
  tenant: Tenant,
): Promise<ResponseOf<typeof getStripeWebhook>> {
  const state = await readWebhookState(tenant)
  const mode = state?.isLive ? 'live' : 'test'
  return {
    page: state ? guide.webhookPages[mode] : null,
    events: guide.webhookEvents,
    address: state ? `${config.publicUrl}/api/stripe/webhooks/${state.token}` : null,
    secretHint: state?.secretHint ?? null,
    lastAcceptedAt: state?.acceptedAt?.toISOString() ?? null,
    lastRefusedAt: state?.refusedAt?.toISOString() ?? null,
    otherMode: state?.otherModeAt
      ? { of: state.isLive ? 'test' : 'live', at: state.otherModeAt.toISOString() }
      : null,
  }
}
