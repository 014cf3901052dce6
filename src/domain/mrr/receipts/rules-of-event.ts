import type { Judged } from '../events/new-or-returning.ts'
import { isPositive } from '../exact/rational.ts'
import { idsOf } from '../terms/discounts/discount-stack.ts'
import type { ItemTerms } from '../terms/item-terms.ts'
import type { SubscriptionState } from '../timeline/subscription-state.ts'

/** The rules that decided the kind of an event, apart from those of its figure and its date. */
export function rulesOfEvent(judged: Judged): string[] {
  const { change, changeType, rules } = judged
  const { previous, current, kind, subscription } = change
  return [
    ...rules,
    ...(current.cause === 'end' ? rulesOfEnd(judged) : []),
    ...(changeType === 'plan_change' || changeType === 'price_change' || changeType === 'quantity_change'
      ? rulesOfChange(changeType, previous, current)
      : []),
    ...(kind === 'first' && subscription.trialEnd !== null && subscription.trialEnd <= current.at
      ? ['R16']
      : []),
    ...(kind === 'first' && isFreePlan(previous) ? ['R10'] : []),
    ...(current.isNetted ? ['R37'] : []),
  ]
}

function rulesOfEnd({ change }: Judged): string[] {
  const { canceledAt, endedAt } = change.subscription
  return canceledAt !== null && endedAt !== null && canceledAt < endedAt ? ['R30'] : []
}

function rulesOfChange(
  changeType: 'plan_change' | 'price_change' | 'quantity_change',
  previous: SubscriptionState,
  current: SubscriptionState,
): string[] {
  const rules = ['R19']
  if (previous.mrrCents === 0 || current.mrrCents === 0) rules.push('R11')
  if (changeType !== 'plan_change' && isDiscountChanged(previous.items, current.items)) rules.push('R6')
  if (changeType === 'price_change' && previous.quantity !== current.quantity) rules.push('R31')
  return rules
}

/** A free plan that is not a trial: a price of zero that will not pass by itself (R10). */
function isFreePlan({ items, mrrCents }: SubscriptionState): boolean {
  return mrrCents === 0 && items.some(({ zeroBecause }) => zeroBecause === 'lasting')
}

function isDiscountChanged(before: readonly ItemTerms[], after: readonly ItemTerms[]): boolean {
  return after.some((item) => {
    const earlier = before.find(({ itemKey }) => itemKey === item.itemKey)
    if (!earlier) return false
    if (isPositive(earlier.discount) !== isPositive(item.discount)) return true
    const [idsBefore, idsAfter] = [idsOf(earlier.discounts), idsOf(item.discounts)]
    return idsBefore.length > 0 && idsAfter.length > 0 && idsBefore.join() !== idsAfter.join()
  })
}
