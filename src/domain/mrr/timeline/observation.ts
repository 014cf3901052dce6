import { type Instant, isInstant, isoOfInstant } from '../../instant.ts'
import type { PaymentDiscount, PaymentSubscription, SubscriptionItem } from '../../payments.ts'
import type { MrrPolicy } from '../exact/policy.ts'

/**
 * A state of a subscription that no invoice shows, and the instant by which it is dated. Kept by the caller and given back
 * on every rebuild, so that the change stays what it was when it was first seen, under the same id and time.
 */
export type Sighting = {
  /** Unique; saved again under the same id it takes the place of the earlier one. */
  id: string
  subscriptionId: string
  /** When it was first seen, or the earlier instant that the subscription itself tells. */
  seenAt: Instant
  /** What was seen, as text that only the engine makes and reads. */
  stateKey: string
}

/** A sighting as the engine works with it. */
export type Seen = {
  id: string
  at: Instant
  /** The status under which the subscription stopped counting; null where it went on. */
  endedAs: string | null
  /** Everything the subscription held then. */
  items: readonly SubscriptionItem[]
  discounts: readonly PaymentDiscount[]
  /** The items that this sighting dates, by id. */
  changed: string[]
  /** The items that were gone. */
  closed: string[]
  /** Those of `changed` in a period that was billed already, whose discounts hold on (R4, R6). */
  inside: string[]
}

/** The id of what was seen at an instant; 'seen' marks an instant that says nothing about when it happened. */
export function sightingId(subscriptionId: string, at: Instant, isDated: boolean): string {
  return `${subscriptionId}:${isDated ? '' : undatedMark}${isoOfInstant(at)}`
}

const undatedMark = 'seen-'

/** Whether a sighting is dated by something that happened then, not by when somebody looked. */
export function isDatedSighting(id: string): boolean {
  return !id.slice(id.indexOf(':') + 1).startsWith(undatedMark)
}

export function sightingOf(seen: Seen, subscription: PaymentSubscription): Sighting {
  const { id, at, ...state } = seen
  return { id, subscriptionId: subscription.id, seenAt: at, stateKey: JSON.stringify(state) }
}

/** The sightings of one subscription up to an instant, oldest first. One that cannot be read is left out. */
export function seenOf(
  subscription: PaymentSubscription,
  sightings: readonly Sighting[],
  policy: MrrPolicy,
  asOf: Instant,
): Seen[] {
  if (sightings.length === 0) return []
  return sightings
    .filter(({ subscriptionId, seenAt }) => subscriptionId === subscription.id && isInstant(seenAt))
    .filter(({ seenAt }) => seenAt <= asOf)
    .map(readSighting)
    .filter((seen) => seen !== undefined)
    .filter(({ endedAs }) => endedAs !== 'unpaid' || policy.unpaid === 'churn')
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
}

const askedKey = '{"asked":true}'

/** Remembers a request to cancel later, which the subscription forgets when it is taken back (R30). */
export function askedSighting(subscriptionId: string, at: Instant): Sighting {
  return { id: `${subscriptionId}:asked-${isoOfInstant(at)}`, subscriptionId, seenAt: at, stateKey: askedKey }
}

/** When the subscription was asked to cancel later, as far as it was seen. */
export function askedInstants(
  subscription: PaymentSubscription,
  sightings: readonly Sighting[],
  asOf: Instant,
): Instant[] {
  return sightings
    .filter(({ subscriptionId, stateKey }) => subscriptionId === subscription.id && stateKey === askedKey)
    .map(({ seenAt }) => seenAt)
    .filter((at) => isInstant(at) && at <= asOf)
}

const countedKey = '{"counted":true}'

/** Remembers that a subscription still counted although an invoice of this instant was not paid (R17). */
export function countedSighting(subscriptionId: string, invoicedAt: Instant, seenAt: Instant): Sighting {
  const id = `${subscriptionId}:past-due-${isoOfInstant(invoicedAt)}`
  return { id, subscriptionId, seenAt, stateKey: countedKey }
}

/** When the subscription was last seen to count with an invoice that was not paid; null for never. */
export function countedInstant(
  subscription: PaymentSubscription,
  sightings: readonly Sighting[],
  asOf: Instant,
): Instant | null {
  const counted = sightings
    .filter(({ subscriptionId, stateKey }) => subscriptionId === subscription.id && stateKey === countedKey)
    .map(({ seenAt }) => seenAt)
    .filter((at) => isInstant(at) && at <= asOf)
  return counted.length === 0 ? null : Math.max(...counted)
}

// What is read back here is what `sightingOf` wrote.
type State = Omit<Seen, 'id' | 'at'>

function readSighting({ id, seenAt, stateKey }: Sighting): Seen | undefined {
  try {
    const state: State = JSON.parse(stateKey)
    return Array.isArray(state?.items) ? { ...state, id, at: seenAt } : undefined
  } catch {
    return undefined
  }
}
