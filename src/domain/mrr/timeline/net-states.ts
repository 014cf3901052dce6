import type { Instant } from '../../instant.ts'
import { daySeconds } from '../exact/interval.ts'
import { sameRequestSeconds } from '../exact/tolerances.ts'
import type { SubscriptionState } from './subscription-state.ts'

/**
 * Of changes on one day that one invoice bills, only what they come to (R37): a flip that is undone the same day is none.
 * What was seen by itself before stays, and so does the first state, which began when it began.
 */
export function netOfDay(states: readonly SubscriptionState[]): SubscriptionState[] {
  const net: SubscriptionState[] = []
  for (const state of states) {
    const last = net.at(-1)
    if (last && net.length > 1 && isSameChange(last, state))
      net[net.length - 1] = { ...state, isNetted: true }
    else net.push(state)
  }
  return net
}

function isSameChange(before: SubscriptionState, after: SubscriptionState): boolean {
  return (
    before.invoiceId !== null &&
    before.invoiceId === after.invoiceId &&
    before.observationId === null &&
    isBilledInside(before) &&
    isBilledInside(after) &&
    dayOf(before.at) === dayOf(after.at)
  )
}

/** Whether parts of a period show it; a renewal later that day is not the same change. */
function isBilledInside({ at, items, datedBy, invoiceId }: SubscriptionState): boolean {
  if (datedBy === 'credit') return true
  const shown = items.flatMap(({ source }) => (source.kind === 'charge' ? source.charge : []))
  const own = shown.filter(
    (charge) => charge.invoice.id === invoiceId && Math.abs(charge.at - at) <= sameRequestSeconds,
  )
  return datedBy === 'period' && own.length > 0 && own.every(({ isProration }) => isProration)
}

function dayOf(at: Instant): number {
  return Math.floor(at / daySeconds)
}
