import type { ChangeType, MrrStatus } from '../../event.ts'
import type { MrrPolicy } from '../exact/policy.ts'
import type { MrrChange } from './mrr-change.ts'

/** `rules`: the rules by which the customer's history decided. */
export type Judged = {
  change: MrrChange
  mrrStatus: MrrStatus
  changeType: ChangeType
  rules: readonly string[]
}

/**
 * The customer's history decides what a subscription's first revenue is (R15, R22, R35). Within one second, losses count
 * before gains; of several subscriptions that start, the first in the given order brings the customer back.
 */
export function judgeByHistory(changes: readonly MrrChange[], policy: MrrPolicy): Judged[] {
  const inTime = [...changes].sort((a, b) => a.at - b.at || a.order - b.order)
  const revenue = new Map<string, number>()
  const judged: Judged[] = []
  const moved = new Set<MrrChange>()
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
    const revenueBefore = new Map(revenue)
    let hasBegun = false
    for (const change of group) {
      judged.push(judgeOne(change, { revenueBefore, hasBegun, hasPaidBefore, inTime, moved, policy }))
      hasBegun ||= change.kind === 'first'
      revenue.set(change.subscription.id, change.current.mrrCents)
    }
    hasPaidBefore ||= group.some(({ current }) => current.mrrCents > 0)
  }
  return judged
}

type History = {
  /** MRR by subscription before this second, minus what was lost within it. */
  revenueBefore: ReadonlyMap<string, number>
  /** Whether another subscription, earlier in the given order, began in this second. */
  hasBegun: boolean
  hasPaidBefore: boolean
  inTime: readonly MrrChange[]
  /** The ends that are paired with an earlier start. */
  moved: Set<MrrChange>
  policy: MrrPolicy
}

function judgeOne(change: MrrChange, history: History): Judged {
  const { kind, changeType } = change
  const keepsAnother = hasOther(history.revenueBefore, change)
  const isMerged = history.policy.furtherSubscription === 'movement'
  if (kind === 'first') {
    const isFurther = keepsAnother || history.hasBegun
    const isReplacement = replacesAnother(change, history)
    const isReturn = history.hasPaidBefore && !isFurther
    if (isReturn || isReplacement) {
      // A customer who still pays for the old subscription has not been away.
      const rules = [...(isReturn ? ['R22'] : []), ...(isReplacement ? ['R35'] : [])]
      return { change, mrrStatus: 'Reactivation', changeType: 'reactivation', rules }
    }
    return {
      change,
      mrrStatus: isMerged && isFurther ? 'Upgrade' : 'New',
      changeType,
      rules: isFurther ? ['R15'] : [],
    }
  }
  if (kind === 'Churn' && keepsAnother) {
    return { change, mrrStatus: isMerged ? 'Downgrade' : 'Churn', changeType, rules: ['R15'] }
  }
  return { change, mrrStatus: kind, changeType, rules: kind === 'Reactivation' ? ['R22'] : [] }
}

function hasOther(revenue: ReadonlyMap<string, number>, { subscription }: MrrChange): boolean {
  for (const [id, cents] of revenue) if (id !== subscription.id && cents > 0) return true
  return false
}

/**
 * R35: another subscription of the customer ended within the allowed time at the same MRR. It moves to one start only: what
 * else starts then is additional.
 */
function replacesAnother(change: MrrChange, { inTime, moved, policy }: History): boolean {
  if (policy.recreateWithinSeconds <= 0) return false
  const end = inTime.find(
    (other) =>
      !moved.has(other) &&
      other.subscription.id !== change.subscription.id &&
      other.current.cause === 'end' &&
      other.previous.mrrCents === change.current.mrrCents &&
      other.subscription.currency === change.subscription.currency &&
      Math.abs(other.at - change.at) <= policy.recreateWithinSeconds,
  )
  if (end) moved.add(end)
  return end !== undefined
}
