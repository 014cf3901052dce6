import { subscriptionMrrOn, type Truth, type TruthChange, type TruthSubscription } from './truth.ts'

export type ExpectedStatus =
  | 'New'
  | 'Upgrade'
  | 'Downgrade'
  | 'Churn'
  | 'Reactivation'
  | 'Planned_Cancellation'

/** One row of a correct ledger; amounts in minor units a month, `occurredAt` in Unix seconds. */
export type ExpectedEvent = {
  subscriptionId: string
  occurredAt: number
  mrrStatus: ExpectedStatus
  previousMrr: number
  currentMrr: number
  previousQuantity: number
  currentQuantity: number
  currency: string
}

/**
 * Every event of a correct ledger, ascending by instant; events of one instant keep the order of subscriptions.
 * Rules R10, R11, R15, R22 and R30 of the MRR rule book; a change of seats alone makes no event (R31).
 */
export function expectedEvents(truth: Truth): ExpectedEvent[] {
  const byCustomer = Map.groupBy(truth.subscriptions, (subscription) => subscription.customer)
  const events: ExpectedEvent[] = []
  for (const subscription of truth.subscriptions) {
    const others = (byCustomer.get(subscription.customer) ?? []).filter((one) => one !== subscription)
    events.push(...movements(subscription, others), ...plannedCancellation(subscription))
  }
  const order = new Map(truth.subscriptions.map((subscription, index) => [subscription.id, index]))
  const place = (event: ExpectedEvent): number => order.get(event.subscriptionId) ?? 0
  return events.sort((a, b) => a.occurredAt - b.occurredAt || place(a) - place(b))
}

function movements(subscription: TruthSubscription, others: TruthSubscription[]): ExpectedEvent[] {
  const events: ExpectedEvent[] = []
  let before: TruthChange | null = null
  for (const change of subscription.changes) {
    const previousMrr: number = before?.mrrCents ?? 0
    if (previousMrr !== change.mrrCents) {
      events.push({
        subscriptionId: subscription.id,
        occurredAt: change.at,
        mrrStatus: statusOf(subscription, change, before, others),
        previousMrr,
        currentMrr: change.mrrCents,
        previousQuantity: before?.quantity ?? 0,
        currentQuantity: change.quantity,
        currency: subscription.currency,
      })
    }
    before = change
  }
  return events
}

function statusOf(
  subscription: TruthSubscription,
  change: TruthChange,
  before: TruthChange | null,
  others: TruthSubscription[],
): ExpectedStatus {
  if (before === null) return hasLeft(others, change.at) ? 'Reactivation' : 'New'
  if (change.mrrCents === 0)
    return change.temporary && !hasLeftForFree(subscription, change) ? 'Downgrade' : 'Churn'
  if (before.mrrCents === 0) return before.temporary && !before.lapsed ? 'Upgrade' : 'Reactivation'
  return change.mrrCents > before.mrrCents ? 'Upgrade' : 'Downgrade'
}

/**
 * Whether the subscription ended before it brought revenue again: churn then dates from the moment it became free
 * (R11).
 */
function hasLeftForFree({ changes, endedAt }: TruthSubscription, change: TruthChange): boolean {
  return endedAt !== null && changes.every((one) => one.at <= change.at || one.mrrCents === 0)
}

/** Whether the customer had revenue through another subscription before, and has none now. */
function hasLeft(others: TruthSubscription[], at: number): boolean {
  const earlier = others.some((one) => one.changes.some((change) => change.at < at && change.mrrCents > 0))
  return earlier && others.every((one) => subscriptionMrrOn(one, at) === 0)
}

function plannedCancellation(subscription: TruthSubscription): ExpectedEvent[] {
  const { canceledAt, endedAt } = subscription
  if (canceledAt === null || (endedAt !== null && canceledAt >= endedAt)) return []
  const change = subscription.changes.findLast((one) => one.at <= canceledAt)
  if (change === undefined || change.mrrCents === 0) return []
  return [
    {
      subscriptionId: subscription.id,
      occurredAt: canceledAt,
      mrrStatus: 'Planned_Cancellation',
      previousMrr: change.mrrCents,
      currentMrr: change.mrrCents,
      previousQuantity: change.quantity,
      currentQuantity: change.quantity,
      currency: subscription.currency,
    },
  ]
}
