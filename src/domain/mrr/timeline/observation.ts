import { type Instant, isInstant, isoOfInstant } from '../../instant.ts'
import type { PaymentDiscount, PaymentSubscription, SubscriptionItem } from '../../payments.ts'
import type { Charge, Credit } from '../bills/bill.ts'
import type { MrrPolicy } from '../exact/policy.ts'
import { sameRequestSeconds } from '../exact/tolerances.ts'

type Observed = {
  /** Unique; saving the same id again replaces the earlier observation. */
  id: string
  subscriptionId: string
  /** When it was first observed, or an earlier instant that the subscription itself shows. */
  at: Instant
}

/** A state of a subscription that no invoice shows. */
export type ObservedState = Observed & {
  kind: 'observed'
  /** The status that made the subscription stop counting; null while it continued. */
  endedAs: string | null
  /** Everything that the subscription contained then. */
  items: readonly SubscriptionItem[]
  discounts: readonly PaymentDiscount[]
  /** The ids of the items that this observation dates. */
  changedIds: string[]
  /** The ids of the items that had been removed. */
  endedIds: string[]
  /** Those of `changedIds` inside a billed period: the discounts of that bill remain in force (R4, R6). */
  insidePeriodIds: string[]
}

/**
 * A fact about a subscription that an import observed and no invoice shows. The caller stores it and passes it to every
 * rebuild, so that a change keeps the id and time of its first observation.
 */
export type Observation =
  | ObservedState
  /** A request to cancel later; the subscription loses it when the request is withdrawn (R30). */
  | (Observed & { kind: 'asked' })
  /** The subscription still counted although an invoice was unpaid (R17). */
  | (Observed & { kind: 'counted' })

/** The id of an observation at an instant; 'seen' marks an instant that does not show when it happened. */
export function observationId(subscriptionId: string, at: Instant, isDated: boolean): string {
  return `${subscriptionId}:${isDated ? '' : undatedMark}${isoOfInstant(at)}`
}

const undatedMark = 'seen-'

/** Whether an event of the provider dates an observation, rather than the time of our import. */
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

/**
 * A state without what bills tell of its items: an item whose bill begins at its instant may have changed before an import
 * saw it, and one that was given back later had not ended (R21).
 */
export function withoutBilled(
  state: ObservedState,
  { charges, credits }: { charges: readonly Charge[]; credits: readonly Credit[] },
): ObservedState {
  if (!isDatedObservation(state.id) || state.endedAs !== null) return state
  const isThen = (at: Instant): boolean => Math.abs(at - state.at) <= sameRequestSeconds
  const isSold = (itemId: string): boolean =>
    charges.some(({ itemKey, at }) => itemKey === itemId && isThen(at))
  const isKept = (itemId: string): boolean =>
    credits.some(({ itemKey, at }) => itemKey === itemId && at > state.at && !isThen(at))
  return {
    ...state,
    changedIds: state.changedIds.filter((itemId) => !isSold(itemId)),
    endedIds: state.endedIds.filter((itemId) => !isKept(itemId)),
  }
}

/** Records a request to cancel later. */
export function askedObservation(subscriptionId: string, at: Instant): Observation {
  return { kind: 'asked', id: `${subscriptionId}:asked-${isoOfInstant(at)}`, subscriptionId, at }
}

/** The observed times at which the subscription was asked to cancel later. */
export function askedInstants(
  subscription: PaymentSubscription,
  observations: readonly Observation[],
  asOf: Instant,
): Instant[] {
  return knownBy(asOf, subscription, observations)
    .filter(({ kind }) => kind === 'asked')
    .map(({ at }) => at)
}

/** Records that a subscription still counted although an invoice of this instant was unpaid. */
export function countedObservation(subscriptionId: string, invoicedAt: Instant, at: Instant): Observation {
  return { kind: 'counted', id: `${subscriptionId}:past-due-${isoOfInstant(invoicedAt)}`, subscriptionId, at }
}

/** When the subscription was last observed to count with an unpaid invoice; null for never. */
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
