import { type Instant, isInstant, isoOfInstant } from '../../instant.ts'
import type { PaymentDiscount, PaymentSubscription, SubscriptionItem } from '../../payments.ts'
import type { MrrPolicy } from '../exact/policy.ts'

type Observed = {
  /** Unique; saved again under the same id it takes the place of the earlier one. */
  id: string
  subscriptionId: string
  /** When it was first observed, or the earlier instant that the subscription itself tells. */
  at: Instant
}

/** A state of a subscription that no invoice shows. */
export type ObservedState = Observed & {
  kind: 'observed'
  /** The status under which the subscription stopped counting; null where it went on. */
  endedAs: string | null
  /** Everything the subscription held then. */
  items: readonly SubscriptionItem[]
  discounts: readonly PaymentDiscount[]
  /** The items that this observation dates, by id. */
  changedIds: string[]
  /** The items that were gone. */
  endedIds: string[]
  /** Those of `changedIds` in a period that was billed already: its discounts remain in force (R4, R6). */
  insidePeriodIds: string[]
}

/**
 * What an import observed of a subscription and no invoice shows. The caller keeps it and gives it back on every rebuild, so
 * that a change keeps the id and the time of its first observation.
 */
export type Observation =
  | ObservedState
  /** A request to cancel later, which the subscription forgets when it is taken back (R30). */
  | (Observed & { kind: 'asked' })
  /** The subscription still counted although an invoice was not paid (R17). */
  | (Observed & { kind: 'counted' })

/** The id of what was observed at an instant; 'seen' marks an instant that says nothing about when it happened. */
export function observationId(subscriptionId: string, at: Instant, isDated: boolean): string {
  return `${subscriptionId}:${isDated ? '' : undatedMark}${isoOfInstant(at)}`
}

const undatedMark = 'seen-'

/** Whether an observation is dated by something that happened then, not by when somebody looked. */
export function isDatedObservation(id: string): boolean {
  return !id.slice(id.indexOf(':') + 1).startsWith(undatedMark)
}

/** The observed states of one subscription up to an instant, oldest first. */
export function observedStatesOf(
  subscription: PaymentSubscription,
  observations: readonly Observation[],
  policy: MrrPolicy,
  asOf: Instant,
): ObservedState[] {
  if (observations.length === 0) return []
  return knownBy(asOf, subscription, observations)
    .filter((observation) => observation.kind === 'observed')
    .filter(({ endedAs }) => endedAs !== 'unpaid' || policy.unpaid === 'churn')
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
}

/** Remembers a request to cancel later. */
export function askedObservation(subscriptionId: string, at: Instant): Observation {
  return { kind: 'asked', id: `${subscriptionId}:asked-${isoOfInstant(at)}`, subscriptionId, at }
}

/** When the subscription was asked to cancel later, as far as it was observed. */
export function askedInstants(
  subscription: PaymentSubscription,
  observations: readonly Observation[],
  asOf: Instant,
): Instant[] {
  return knownBy(asOf, subscription, observations)
    .filter(({ kind }) => kind === 'asked')
    .map(({ at }) => at)
}

/** Remembers that a subscription still counted although an invoice of this instant was not paid. */
export function countedObservation(subscriptionId: string, invoicedAt: Instant, at: Instant): Observation {
  return { kind: 'counted', id: `${subscriptionId}:past-due-${isoOfInstant(invoicedAt)}`, subscriptionId, at }
}

/** When the subscription was last observed to count with an invoice that was not paid; null for never. */
export function countedInstant(
  subscription: PaymentSubscription,
  observations: readonly Observation[],
  asOf: Instant,
): Instant | null {
  const counted = knownBy(asOf, subscription, observations)
    .filter(({ kind }) => kind === 'counted')
    .map(({ at }) => at)
  return counted.length === 0 ? null : Math.max(...counted)
}

function knownBy(
  asOf: Instant,
  subscription: PaymentSubscription,
  observations: readonly Observation[],
): Observation[] {
  return observations.filter(
    ({ subscriptionId, at }) => subscriptionId === subscription.id && isInstant(at) && at <= asOf,
  )
}
