import Stripe from 'stripe'
import type { DeliveredChange } from '../payments.ts'
import { at, instantOrNull, isTrue, textOrNull } from './from-stripe/read-fields.ts'
import { objectsOfEvent } from './read-event.ts'

/** How far a signature's time may be from now. Source: docs.stripe.com/webhooks (replay attacks). */
const toleranceSeconds = 300

type Delivery = { body: Uint8Array; signature: string; secret: string }

/**
 * A webhook's event, once its signature over the bytes as they came is proven against the secret (any of the `v1` that
 * Stripe sends while a secret is being rolled). undefined where it is not, or where the body is no event.
 */
export function readDelivery({ body, signature, secret }: Delivery, now: Date): DeliveredChange | undefined {
  const event = verifiedEvent(body, signature, secret, now)
  const id = textOrNull(at(event)['id'])
  const created = instantOrNull(at(event)['created'])
  if (at(event)['object'] !== 'event' || id === null || created === null) return undefined
  return {
    id,
    at: created,
    isLive: isTrue(at(event)['livemode']),
    accountId: textOrNull(at(event)['account']),
    objects: objectsOfEvent(event),
  }
}

function verifiedEvent(body: Uint8Array, signature: string, secret: string, now: Date): unknown {
  if (isAhead(signature, now)) return undefined
  try {
    // Decoded here, since the SDK would let bytes through that are no UTF-8, or a mark at the beginning.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    return Stripe.webhooks.constructEvent(text, signature, secret, toleranceSeconds, undefined, now.getTime())
  } catch {
    return undefined
  }
}

/** The SDK looks at one side only: a signature of next year would be good until then, and be played again all the time. */
function isAhead(signature: string, now: Date): boolean {
  const latest = now.getTime() / 1000 + toleranceSeconds
  return [...signature.matchAll(/(?:^|,)\s*t=([^,]*)/g)].some(([, time]) => !(Number(time) <= latest))
}
