import type { PaymentSubscription } from '../../payments.ts'
import type { Judged } from '../events/new-or-returning.ts'
import { isPositive } from '../exact/rational.ts'
import { sameRequestSeconds } from '../exact/tolerances.ts'
import type { Ground } from '../timeline/dating.ts'
import type { SubscriptionState } from '../timeline/subscription-state.ts'

/** Why an event is of its kind and not of another; null where its figures already say so. */
export function kindOfEvent({ change, mrrStatus }: Judged): Ground | null {
  const { previous, current, kind, subscription } = change
  // The MRR settings can count it as another kind.
  if (mrrStatus !== kind) return null
  if (current.cause === 'end') return kindOfEnd(subscription, current)
  const reason =
    current.mrrCents === 0
      ? reasonOfFall(kind, current)
      : kind === 'Upgrade' && previous.mrrCents === 0
        ? 'the fall to zero before it was temporary'
        : null
  return reason === null ? null : { reason: `${kind}, because ${reason}`, rule: 'R11' }
}

/** What the customer chose as the reason when a cancellation was planned. */
export function kindOfRequest({ endFeedback }: PaymentSubscription): Ground | null {
  const feedback = feedbackText(endFeedback)
  return feedback === '' ? null : { reason: `Planned Cancellation${feedback}`, rule: 'R30' }
}

/** What decided between Churn and Downgrade, in the words of R11. */
function reasonOfFall(kind: string, { items }: SubscriptionState): string {
  const because = new Set(items.map(({ zeroBecause }) => zeroBecause))
  const isDiscounted = items.some(({ gross }) => isPositive(gross))
  if (kind === 'Downgrade' && because.has('temporary'))
    return isDiscounted ? 'the discount ends by itself' : 'the free time ends by itself'
  if (kind === 'Downgrade') return 'MRR came back; nothing says how long the discount was for'
  if (because.has('temporary')) return 'the subscription ended before MRR came back'
  if (because.has('unknown')) return 'MRR did not come back; nothing says how long the discount is for'
  if (items.every(({ quantity }) => quantity === 0)) return 'no units are left'
  return isDiscounted ? 'the discount does not end by itself' : 'the price of zero does not end by itself'
}

/** Why the subscription ended, as far as the provider says so. */
function kindOfEnd(subscription: PaymentSubscription, { datedBy }: SubscriptionState): Ground | null {
  if (datedBy !== 'ended' && datedBy !== 'request' && datedBy !== 'endSeen') return null
  const { canceledAt, endedAt, endReason, endFeedback } = subscription
  const isPlanned = canceledAt !== null && endedAt !== null && canceledAt < endedAt - sameRequestSeconds
  const reason = endReason === undefined && isPlanned ? asked : reasonsOfEnd.get(endReason ?? '')
  if (reason === undefined) return null
  return { reason: `Churn, because ${reason}${feedbackText(endFeedback)}`, rule: isPlanned ? 'R30' : 'R18' }
}

const asked = 'the cancellation was asked for'

const reasonsOfEnd: ReadonlyMap<string, string> = new Map([
  ['cancellation_requested', asked],
  ['payment_failed', 'a payment failed'],
  ['payment_disputed', 'a payment was disputed'],
  ['canceled_by_retention_policy', 'a retention policy canceled it'],
])

function feedbackText(feedback: string | undefined): string {
  return feedback !== undefined && /^[a-z_]{1,40}$/.test(feedback)
    ? `; feedback: ${feedback.replaceAll('_', ' ')}`
    : ''
}
