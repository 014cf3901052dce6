import type { ChangeType, MrrStatus } from '../event.ts'
import type { Movement } from './movement.ts'
import type { MrrPolicy } from './policy.ts'

export type Judged = { movement: Movement; mrrStatus: MrrStatus; changeType: ChangeType }

/**
 * Lets the customer's history decide what the first revenue of a subscription is (R15, R22, R35). All changes of one second
 * count together: what falls away then is gone before what begins then is judged.
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
    const before = new Map(revenue)
    for (const { subscription, previous, current } of group) {
      if (current.mrrCents < previous.mrrCents) revenue.set(subscription.id, current.mrrCents)
    }
    const standing = new Map(revenue)
    for (const movement of group) {
      judged.push(judgeOne(movement, { before, standing, hasPaidBefore, movements, policy }))
      revenue.set(movement.subscription.id, movement.current.mrrCents)
    }
    hasPaidBefore ||= group.some(({ current }) => current.mrrCents > 0)
  }
  return judged
}

type History = {
  /** MRR by subscription before this second. */
  before: ReadonlyMap<string, number>
  /** The same after what fell away in this second. */
  standing: ReadonlyMap<string, number>
  hasPaidBefore: boolean
  movements: readonly Movement[]
  policy: MrrPolicy
}

function judgeOne(movement: Movement, history: History): Judged {
  const { kind, changeType } = movement
  const keepsAnother = hasOther(history.standing, movement)
  const isMerged = history.policy.furtherSubscription === 'movement'
  if (kind === 'first') {
    const isReturn = history.hasPaidBefore && !keepsAnother
    if (isReturn || replacesAnother(movement, history)) {
      return { movement, mrrStatus: 'Reactivation', changeType: 'reactivation' }
    }
    return { movement, mrrStatus: isMerged && keepsAnother ? 'Upgrade' : 'New', changeType }
  }
  if (kind === 'Churn' && isMerged && keepsAnother) return { movement, mrrStatus: 'Downgrade', changeType }
  return { movement, mrrStatus: kind, changeType }
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
