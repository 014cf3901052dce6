import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { instant } from './fields.ts'

const webhookState = z.object({
  /** The address that Stripe has to send events to; null while Stripe is not connected. */
  address: z.string().nullable(),
  /** Stripe's page that adds an endpoint; null while Stripe is not connected. */
  page: z.string().nullable(),
  /** The events to choose there. */
  events: z.array(z.string()),
  /**
   * The part of the signing secret that may be shown; null without a secret, and then the server accepts no delivery.
   */
  secretHint: z.string().nullable(),
  lastAcceptedAt: instant.nullable(),
  lastRefusedAt: instant.nullable(),
  /** When an event of the mode in which the connected key is not arrived last; null before any did. */
  otherMode: z.object({ of: z.enum(['test', 'live']), at: instant }).nullable(),
})

export const getStripeWebhook = endpoint({
  method: 'GET',
  path: '/api/stripe/webhook',
  access: 'member',
  summary: 'Where Stripe may send events to, and how the last deliveries went.',
  response: webhookState,
})

export const saveStripeWebhook = endpoint({
  method: 'PUT',
  path: '/api/stripe/webhook',
  access: 'admin',
  audit: 'stripe_webhook_changed',
  summary: 'Keeps the signing secret of the webhook endpoint sealed; null ends the webhooks.',
  body: z.strictObject({ signingSecret: z.string().max(1_000).nullable() }),
  response: webhookState,
})

export const receiveStripeWebhook = endpoint({
  method: 'POST',
  path: '/api/stripe/webhooks/{token}',
  access: 'public',
  audit: 'none',
  summary:
    'Where Stripe sends events to. Proves itself by its signature; what it tells is fetched again from Stripe.',
  params: z.strictObject({ token: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'is not an address') }),
  body: z.custom<() => Promise<Uint8Array>>((read) => typeof read === 'function'),
  reads: 'bytes',
  response: z.object({ received: z.literal(true) }),
})
