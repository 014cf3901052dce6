import type { Instant } from '../../instant.ts'
import type { SubscriptionRebuild } from '../timeline/subscription-rebuild.ts'
import type { SubscriptionState } from '../timeline/subscription-state.ts'

/** The rules behind a subscription's current value, apart from those of the figure. */
export function rulesOfNow(rebuild: SubscriptionRebuild, asOf: Instant): string[] {
  const { subscription, states, now } = rebuild
  const { status, pauseCollection, trialEnd, startedAt, items, canceledAt, endedAt } = subscription
  const isTrial = status === 'trialing' || (states.length === 0 && trialEnd !== null && trialEnd > startedAt)
  const changedAt = lastChangeAt(states) || (states[0]?.at ?? 0)
  const isLastingZero = now.mrrCents === 0 && now.items.some(({ zeroBecause }) => zeroBecause === 'lasting')
  return [
    // The changes add up to the current MRR.
    'R38',
    ...(isLastingZero ? ['R10'] : []),
    ...(isTrial || isNotBilledYet(rebuild) ? ['R16'] : []),
    ...(isDecidedByStatus(status) || pauseCollection !== null ? ['R17'] : []),
    ...(now.cause === 'end' && !isDecidedByStatus(status) ? ['R18'] : []),
    ...(isCarriedOn(now, changedAt, asOf) ? ['R20'] : []),
    ...(items.some(({ price }) => price.usageType === 'metered') ? ['R23'] : []),
    // All items are gone, and the subscription goes on.
    ...(states.length > 0 && now.items.length === 0 && now.cause !== 'end' ? ['R14'] : []),
    ...(now.isNetted ? ['R37'] : []),
    ...(canceledAt !== null && endedAt === null ? ['R30'] : []),
  ]
}

/** Nothing was billed since the start, and nothing else says why: it is free until its first billing day. */
function isNotBilledYet({ subscription, states, passedOver, isUnsupported }: SubscriptionRebuild): boolean {
  const { status, items } = subscription
  const isCounted = isUnsupported === null && (status === 'active' || status === 'canceled')
  if (!isCounted || states.length > 0 || passedOver.length > 0) return false
  return items.length === 0 || items.some(({ price }) => price.usageType !== 'metered')
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
