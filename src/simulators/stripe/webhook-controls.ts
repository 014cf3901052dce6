import type { Env, Hono } from 'hono'
import type { WebhookSender } from './webhooks.ts'
import { isRecord, type SimulatedWorld } from './world/world.ts'

/**
 * The control calls for webhooks, without a key: POST /_webhooks {url, secret, style} adds an endpoint on this machine that
 * receives every later event; GET lists the endpoints, DELETE removes them.
 */
export function mountWebhookControls<E extends Env>(
  app: Hono<E>,
  sender: WebhookSender,
  world: () => SimulatedWorld,
): void {
  app.get('/_webhooks', (context) => context.json({ endpoints: sender.endpoints }))
  app.post('/_webhooks', async (context) => {
    const given: unknown = await context.req.json().catch(() => undefined)
    const { url, secret, style = 'snapshot' } = isRecord(given) ? given : {}
    const host = typeof url === 'string' ? URL.parse(url)?.hostname : undefined
    if (
      typeof url !== 'string' ||
      typeof secret !== 'string' ||
      (style !== 'snapshot' && style !== 'thin') ||
      !['localhost', '127.0.0.1'].includes(host ?? '')
    )
      return context.json(
        { error: 'url: an address of this machine; secret: a text; style: snapshot or thin' },
        400,
      )
    sender.add({ url, secret, style }, world().events ?? [])
    return context.json({ endpoints: sender.endpoints }, 201)
  })
  app.delete('/_webhooks', (context) => {
    sender.clear()
    return context.json({ endpoints: [] })
  })
}
