import type { Instant } from '../../instant.ts'
import type { SubscriptionRebuild } from '../timeline/subscription-rebuild.ts'
import type { SubscriptionState } from '../timeline/subscription-state.ts'

/** The rules behind a subscription's current value, apart from those of the figure. */
export function rulesOfNow({ subscription, states, now }: SubscriptionRebuild, asOf: Instant): string[] {
  const { status, pauseCollection, trialEnd, startedAt, items, canceledAt, endedAt } = subscription
  const isTrial = status === 'trialing' || (states.length === 0 && trialEnd !== null && trialEnd > startedAt)
  const isLastingZero = now.mrrCents === 0 && now.items.some(({ zeroBecause }) => zeroBecause === 'lasting')
  return [
    // The changes add up to the current MRR.
    'R38',
    ...(isLastingZero ? ['R10'] : []),
    ...(isTrial ? ['R16'] : []),
    ...(isDecidedByStatus(status) || pauseCollection !== null ? ['R17'] : []),
    ...(status === 'canceled' && now.cause === 'end' ? ['R18'] : []),
    ...(isCarriedOn(now, lastChangeAt(states), asOf) ? ['R20'] : []),
    ...(items.some(({ price }) => price.usageType === 'metered') ? ['R23'] : []),
    ...(now.isNetted ? ['R37'] : []),
    ...(canceledAt !== null && endedAt === null ? ['R30'] : []),
  ]
}

function isDecidedByStatus(status: string): boolean {
  return status !== 'active' && status !== 'trialing' && status !== 'canceled'
}

/** When the MRR last changed; 0 for never. */
export function lastChangeAt(states: readonly SubscriptionState[]): Instant {
  const index = states.findLastIndex(
    ({ mrrCents }, at) => mrrCents !== (at === 0 ? 0 : states[at - 1]?.mrrCents),
  )
  return states[index]?.at ?? 0
}

/** Whether later bills repeat the last change, or the last billed period ended without a new bill. */
function isCarriedOn({ items }: SubscriptionState, changedAt: Instant, asOf: Instant): boolean {
  return items.some(
    ({ source }) => source.kind === 'charge' && (source.charge.at > changedAt || source.charge.until <= asOf),
  )
}
