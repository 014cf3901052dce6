import type { Instant } from '../instant.ts'
import type { PaymentSubscription } from '../payments.ts'
import { isInstant } from './evidence.ts'
import { nothingYet, type SubscriptionState } from './subscription-state.ts'

export type PlannedCancellation = { at: Instant; state: SubscriptionState }

/**
 * The request to end a subscription later (R30): dated when it was asked for, without a change of MRR. A cancellation at
 * once, and one of a subscription worth nothing, is none.
 */
export function plannedCancellationOf(
  subscription: PaymentSubscription,
  states: readonly SubscriptionState[],
  asOf: Instant,
): PlannedCancellation | undefined {
  const { canceledAt: at, endedAt, cancelAtPeriodEnd, cancelAt } = subscription
  if (at === null || !isInstant(at) || at > asOf) return undefined
  const isPlanned = endedAt === null ? cancelAtPeriodEnd || cancelAt !== null : at < endedAt
  const state = states.findLast((candidate) => candidate.at <= at) ?? nothingYet
  return isPlanned && state.mrrCents > 0 ? { at, state } : undefined
}
