import type { ChangeType, MrrStatus } from '../../event.ts'
import type { Instant } from '../../instant.ts'
import type { PaymentSubscription } from '../../payments.ts'
import type { Lasting } from '../terms/discounts/coupon.ts'
import { nothingYet, type SubscriptionState } from '../timeline/subscription-state.ts'
import { changeTypeOf } from './change-type.ts'

/** A change of MRR on one subscription, before the customer's history is considered. */
export type MrrChange = {
  subscription: PaymentSubscription
  /** Position of the subscription in the given order. */
  order: number
  at: Instant
  previous: SubscriptionState
  current: SubscriptionState
  /** 'first': the subscription's first revenue; the customer's history decides whether it is New or Reactivation. */
  kind: MrrStatus | 'first'
  changeType: ChangeType
}

/** The changes of MRR between a subscription's states; two states with equal MRR make none (R20, R37). */
export function mrrChangesOf(
  subscription: PaymentSubscription,
  order: number,
  states: readonly SubscriptionState[],
): MrrChange[] {
  const changes: MrrChange[] = []
  let previous = nothingYet
  let hasHadRevenue = false
  for (const [index, current] of states.entries()) {
    if (current.mrrCents !== previous.mrrCents) {
      const { kind, changeType } = judge(previous, current, hasHadRevenue, states.slice(index + 1))
      changes.push({ subscription, order, at: current.at, previous, current, kind, changeType })
      hasHadRevenue = true
    }
    previous = current
  }
  return changes
}

function judge(
  previous: SubscriptionState,
  current: SubscriptionState,
  hasHadRevenue: boolean,
  later: readonly SubscriptionState[],
): Pick<MrrChange, 'kind' | 'changeType'> {
  if (current.cause === 'end') return { kind: 'Churn', changeType: 'cancellation' }
  if (!hasHadRevenue) return { kind: 'first', changeType: 'new_subscription' }
  const changeType = changeTypeOf(previous, current)
  if (current.mrrCents === 0) {
    const isRestored = later.some(({ mrrCents }) => mrrCents > 0)
    // If the subscription ended without being paid again, the customer left at this point.
    const isLeft = !isRestored && later.at(-1)?.cause === 'end'
    return { kind: isPassing(current, isRestored) && !isLeft ? 'Downgrade' : 'Churn', changeType }
  }
  if (previous.mrrCents === 0 && !isPassing(previous, true)) {
    return { kind: 'Reactivation', changeType: 'reactivation' }
  }
  return { kind: current.mrrCents > previous.mrrCents ? 'Upgrade' : 'Downgrade', changeType }
}

/** Whether a fall to zero is temporary (R11). Without a coupon that decides, what happened afterwards does. */
function isPassing(state: SubscriptionState, isRestored: boolean): boolean {
  const reasons = new Set<Lasting | null>(state.items.map(({ zeroBecause }) => zeroBecause))
  return reasons.has('temporary') || (reasons.has('unknown') && isRestored)
}
