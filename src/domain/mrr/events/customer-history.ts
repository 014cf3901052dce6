import type { ChangeType, MrrStatus } from '../../event.ts'
import type { MrrPolicy } from '../exact/policy.ts'
import type { Movement } from './movement.ts'

/** `rules`: those by which the customer's history decided. */
export type Judged = {
  movement: Movement
  mrrStatus: MrrStatus
  changeType: ChangeType
  rules: readonly string[]
}

/**
 * Lets the customer's history decide what the first revenue of a subscription is (R15, R22, R35). All changes of one second
 * count together: what falls away then is gone before what begins then is judged. Of several that begin then, the first in the
 * given order brings the customer back; the others are further ones of a paying customer.
 */
export function judgeByHistory(movements: readonly Movement[], policy: MrrPolicy): Judged[] {
  const inTime = [...movements].sort((a, b) => a.at - b.at || a.order - b.order)
  const revenue = new Map<string, number>()
  const judged: Judged[] = []
  let hasPaidBefore = false
  for (let start = 0; start < inTime.length; ) {
    const at = inTime[start]?.at
    let end = start
    while (inTime[end]?.at === at) end += 1
    const group = inTime.slice(start, end)
    start = end
    for (const { subscription, previous, current } of group) {
      if (current.mrrCents < previous.mrrCents) revenue.set(subscription.id, current.mrrCents)
    }
    const standing = new Map(revenue)
    let hasBegun = false
    for (const movement of group) {
      judged.push(judgeOne(movement, { standing, hasBegun, hasPaidBefore, movements, policy }))
      hasBegun ||= movement.kind === 'first'
      revenue.set(movement.subscription.id, movement.current.mrrCents)
    }
    hasPaidBefore ||= group.some(({ current }) => current.mrrCents > 0)
  }
  return judged
}

type History = {
  /** MRR by subscription before this second, without what fell away in it. */
  standing: ReadonlyMap<string, number>
  /** Whether another subscription began in this second before this one in the given order. */
  hasBegun: boolean
  hasPaidBefore: boolean
  movements: readonly Movement[]
  policy: MrrPolicy
}

function judgeOne(movement: Movement, history: History): Judged {
  const { kind, changeType } = movement
  const keepsAnother = hasOther(history.standing, movement)
  const isMerged = history.policy.furtherSubscription === 'movement'
  if (kind === 'first') {
    const isFurther = keepsAnother || history.hasBegun
    const isReplacement = replacesAnother(movement, history)
    if ((history.hasPaidBefore && !isFurther) || isReplacement) {
      const rules = isReplacement ? ['R22', 'R35'] : ['R22']
      return { movement, mrrStatus: 'Reactivation', changeType: 'reactivation', rules }
    }
    return {
      movement,
      mrrStatus: isMerged && isFurther ? 'Upgrade' : 'New',
      changeType,
      rules: isFurther ? ['R15'] : [],
    }
  }
  if (kind === 'Churn' && keepsAnother) {
    return { movement, mrrStatus: isMerged ? 'Downgrade' : 'Churn', changeType, rules: ['R15'] }
  }
  return { movement, mrrStatus: kind, changeType, rules: kind === 'Reactivation' ? ['R22'] : [] }
}

function hasOther(revenue: ReadonlyMap<string, number>, { subscription }: Movement): boolean {
  for (const [id, cents] of revenue) if (id !== subscription.id && cents > 0) return true
  return false
}

/** R35: another subscription of the customer ended within the time given, at the same MRR. */
function replacesAnother(movement: Movement, { movements, policy }: History): boolean {
  if (policy.recreateWithinSeconds <= 0) return false
  return movements.some(
    (other) =>
      other.subscription.id !== movement.subscription.id &&
      other.current.cause === 'end' &&
      other.previous.mrrCents === movement.current.mrrCents &&
      other.subscription.currency === movement.subscription.currency &&
      Math.abs(other.at - movement.at) <= policy.recreateWithinSeconds,
  )
}
