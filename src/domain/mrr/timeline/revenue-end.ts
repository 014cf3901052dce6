import type { Instant } from '../../instant.ts'
import type { PaymentSubscription } from '../../payments.ts'
import type { Charge, Credit } from '../bills/bill.ts'
import { sameRequestSeconds } from '../exact/tolerances.ts'
import type { DatedBy } from './dating.ts'
import { isDatedObservation, type ObservedState, observationId } from './observation.ts'
import type { RevenueStatus } from './revenue-status.ts'

/** When the revenue of a subscription ended. `fresh`: the observation of it to store; null if it is known, or dated for good. */
export type RevenueEnd = {
  at: Instant
  by: DatedBy
  observationId: string | null
  fresh: ObservedState | null
}

/**
 * When the subscription's revenue ended. An end that may be undone, or that nothing dates, is stored as first observed.
 */
export function endOfRevenue(
  revenue: RevenueStatus,
  subscription: PaymentSubscription,
  charges: readonly Charge[],
  stored: readonly ObservedState[],
): RevenueEnd | null {
  if (revenue.kind !== 'ended') return null
  const { endsAt, by, isSeen } = revenue
  if (!isSeen) return { at: endsAt, by, observationId: null, fresh: null }
  const last = stored.at(-1)
  const isStill = last && (endsAt <= last.at || !charges.some(({ at }) => at > last.at))
  if (last?.endedAs != null && isStill) {
    const at = Math.min(last.at, endsAt)
    return { at, by: at < last.at ? by : datedAsSeen(last, by), observationId: last.id, fresh: null }
  }
  const id = observationId(subscription.id, endsAt, by !== 'statusSeen' && by !== 'endSeen')
  const { status: endedAs, items, discounts } = subscription
  const fresh: ObservedState = {
    kind: 'observed',
    id,
    subscriptionId: subscription.id,
    at: endsAt,
    endedAs,
    items,
    discounts,
    changedIds: [],
    endedIds: [],
    insidePeriodIds: [],
  }
  return { at: endsAt, by, observationId: id, fresh }
}

/** What dates an end that was observed earlier: only the observation, or the evidence of that time. */
function datedAsSeen({ id, endedAs }: ObservedState, now: DatedBy): DatedBy {
  if (!isDatedObservation(id)) return endedAs === 'canceled' ? 'endSeen' : 'statusSeen'
  return now === 'statusSeen' || now === 'endSeen' ? 'statusBefore' : now
}

/** The credits without money back for pauses: what was seen of a pause dates its Churn, also once it is over (R17). */
export function withoutThoseOfPauses(
  credits: readonly Credit[],
  observations: readonly ObservedState[],
): Credit[] {
  const pauses = observations.filter(({ endedAs }) => endedAs === 'paused')
  return credits.filter((credit) =>
    pauses.every((pause) => Math.abs(credit.at - pause.at) > sameRequestSeconds),
  )
}
