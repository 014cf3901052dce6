import Stripe from 'stripe'
import type { DeliveredChange } from '../payments.ts'
import { at, instantOrNull, isTrue, textOrNull } from './from-stripe/read-fields.ts'
import { parseJson } from './parse-json.ts'
import { objectsOfEvent } from './read-event.ts'
import { accountOfContext, readThinEvent } from './read-thin-event.ts'

/** How old a signature may be. Source: docs.stripe.com/webhooks (replay attacks). */
const toleranceSeconds = 300

type Delivery = { body: Uint8Array; signature: string; secret: string }

/**
 * Reads a webhook's event after a signature over its exact bytes is verified. Stripe sends several `v1` while a
 * secret is replaced; one must match. Undefined for an invalid signature, or when the body is no event.
 */
export function readDelivery({ body, signature, secret }: Delivery, now: Date): DeliveredChange | undefined {
  const event = verifiedEvent(body, signature, secret, now)
  if (at(event)['object'] === 'v2.core.event') return readThinEvent(event)
  const id = textOrNull(at(event)['id'])
  const created = instantOrNull(at(event)['created'])
  if (at(event)['object'] !== 'event' || id === null || created === null) return undefined
  return {
    id,
    at: created,
    isLive: isTrue(at(event)['livemode']),
    // Connect names the account; a webhook of an organization of accounts names it as the context.
    accountId: textOrNull(at(event)['account']) ?? accountOfContext(at(event)['context']),
    objects: objectsOfEvent(event),
  }
}

function verifiedEvent(body: Uint8Array, signature: string, secret: string, now: Date): unknown {
  if (isAhead(signature, now)) return undefined
  try {
    // Decoded here, because the SDK would accept invalid UTF-8 and a byte order mark.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    const isSigned = Stripe.webhooks.signature?.verifyHeader(
      text,
      signature,
      secret,
      toleranceSeconds,
      undefined,
      now.getTime(),
    )
    return isSigned === true ? parseJson(text) : undefined
  } catch {
    return undefined
  }
}

/**
 * The SDK checks only for old signatures. One with a future time would stay valid until then and could be
 * replayed.
 */
function isAhead(signature: string, now: Date): boolean {
  const latest = now.getTime() / 1000 + toleranceSeconds
  return [...signature.matchAll(/(?:^|,)\s*t=([^,]*)/g)].some(([, time]) => !(Number(time) <= latest))
}
