import { type ChangedObject, changedKinds, type DeliveredChange } from '../payments.ts'
import { at, isTrue, textOrNull } from './from-stripe/read-fields.ts'

/**
 * Reads an event of Stripe's thin payload style, which names its object and brings nothing of it. Undefined without an
 * id or a time. Source: docs.stripe.com/api/v2/core/events/object.
 */
export function readThinEvent(event: unknown): DeliveredChange | undefined {
  const id = textOrNull(at(event)['id'])
  const createdMs = Date.parse(textOrNull(at(event)['created']) ?? '')
  if (id === null || Number.isNaN(createdMs)) return undefined
  return {
    // A webhook of each style brings the same change once.
    id: textOrNull(at(event)['snapshot_event']) ?? id,
    at: Math.floor(createdMs / 1000),
    isLive: isTrue(at(event)['livemode']),
    accountId: accountOfContext(at(event)['context']),
    objects: objectsOf(event),
  }
}

/** The account of a context, which begins with the organization where a webhook serves several accounts. */
export function accountOfContext(context: unknown): string | null {
  return textOrNull(context)?.split('/').at(-1) ?? null
}

/**
 * The object that the address leads to or through: a discount has no id, and is part of its customer or subscription.
 */
function objectsOf(event: unknown): ChangedObject[] {
  const url = textOrNull(at(event, 'related_object')['url']) ?? ''
  const [, collection, id, part] = /^\/v1\/([a-z_]+)\/([^/?]+)(\/[^?]+)?/.exec(url) ?? []
  const kind = changedKinds.find((one) => one === collection)
  if (kind === undefined || id === undefined) return []
  const isGone =
    part === undefined &&
    kind !== 'subscriptions' &&
    (textOrNull(at(event)['type'])?.endsWith('.deleted') ?? false)
  return [{ kind, id, createdAt: null, isGone }]
}
