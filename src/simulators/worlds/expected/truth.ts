import type { Cause, FactEvidence, Status } from '../model/subscription.ts'

/** One change of a subscription's recurring revenue, as the simulated business knows it. */
export type TruthChange = {
  /** Unix seconds: start of the service period, or the instant of the change, that caused it. */
  at: number
  /** Monthly minor units from this instant on: the exact sum of all items, rounded half up once. */
  mrrCents: number
  /** Seats of all licensed items from this instant on. */
  quantity: number
  cause: Cause
  /** Whether a discount that ends automatically lowers some item. */
  temporary: boolean
  /** Those discounts have ended since, and the worth is the same for another reason. */
  lapsed?: boolean
  evidence: FactEvidence
}

export type TruthSubscription = {
  id: string
  /** The name of the story that the simulated customer plays. */
  story: string
  customer: string
  currency: string
  status: Status
  changes: TruthChange[]
  /** When the cancellation was requested, unless it was withdrawn; Unix seconds. */
  canceledAt: number | null
  endedAt: number | null
}

/** What really happened in a simulated account up to `asOf`, derived from agreements and never from an invoice. */
export type Truth = {
  asOf: number
  subscriptions: TruthSubscription[]
}

/** Minor units a month of one subscription at an instant (a change counts from its own second on). */
export function subscriptionMrrOn(subscription: TruthSubscription, at: number): number {
  return subscription.changes.findLast((change) => change.at <= at)?.mrrCents ?? 0
}

/** Minor units a month by currency at an instant; currencies without revenue at that time are left out. */
export function mrrOn(truth: Truth, at: number): Map<string, number> {
  const total = new Map<string, number>()
  for (const subscription of truth.subscriptions) {
    const cents = subscriptionMrrOn(subscription, at)
    if (cents > 0) total.set(subscription.currency, (total.get(subscription.currency) ?? 0) + cents)
  }
  return total
}

/** Minor units a month by currency now, that is at `truth.asOf`. */
export function currentMrr(truth: Truth): Map<string, number> {
  return mrrOn(truth, truth.asOf)
}

/** The number of subscriptions with recurring revenue at an instant, in any currency and status. */
export function activeSubscriptions(truth: Truth, at: number): number {
  return truth.subscriptions.filter((subscription) => subscriptionMrrOn(subscription, at) > 0).length
}

/** The number with revenue now and the status 'active' (past-due ones excluded). */
export function currentlyActive(truth: Truth): number {
  const bringing = truth.subscriptions.filter((one) => subscriptionMrrOn(one, truth.asOf) > 0)
  return bringing.filter((one) => one.status === 'active').length
}
