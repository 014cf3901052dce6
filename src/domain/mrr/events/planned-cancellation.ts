import { type Instant, isInstant } from '../../instant.ts'
import type { PaymentSubscription } from '../../payments.ts'
import { sameRequestSeconds } from '../exact/tolerances.ts'
import { nothingYet, type SubscriptionState } from '../timeline/subscription-state.ts'

export type PlannedCancellation = { at: Instant; state: SubscriptionState }

/**
 * Requests to end a subscription later (R30): dated when they were made, without a change of MRR. `asked`: requests seen
 * earlier, perhaps withdrawn since. An immediate cancellation, or that of a subscription worth nothing, makes no event.
 */
export function plannedCancellationsOf(
  subscription: PaymentSubscription,
  states: readonly SubscriptionState[],
  asked: readonly Instant[],
  asOf: Instant,
): PlannedCancellation[] {
  const now = requestOf(subscription, asOf)
  return [...new Set(now === null ? asked : [...asked, now])]
    .map((at) => ({ at, state: states.findLast((candidate) => candidate.at <= at) ?? nothingYet }))
    .filter(({ state }) => state.mrrCents > 0)
    .sort((a, b) => a.at - b.at)
}

/** When the subscription ended, or ends by its current request; null if its items end at different times. */
export function plannedEndOf(subscription: PaymentSubscription): Instant | null {
  const { endedAt, cancelAt, cancelAtPeriodEnd, items } = subscription
  if (endedAt !== null || cancelAt !== null) return endedAt ?? cancelAt
  const ends = new Set(items.map(({ periodEnd }) => periodEnd))
  const [end] = ends
  return cancelAtPeriodEnd && ends.size === 1 && end !== undefined ? end : null
}

/** When the current cancellation, or one that took effect after its request, was requested. */
function requestOf(subscription: PaymentSubscription, asOf: Instant): Instant | null {
  const { canceledAt: at, endedAt, cancelAtPeriodEnd, cancelAt } = subscription
  if (at === null || !isInstant(at) || at > asOf) return null
  const isPlanned =
    endedAt === null ? cancelAtPeriodEnd || cancelAt !== null : at < endedAt - sameRequestSeconds
  return isPlanned ? at : null
}
