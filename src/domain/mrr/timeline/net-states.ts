import type { Instant } from '../../instant.ts'
import { daySeconds } from '../exact/interval.ts'
import { sameRequestSeconds } from '../exact/tolerances.ts'
import type { SubscriptionState } from './subscription-state.ts'

/**
 * Reduces changes of one day on one invoice to their net result (R37): a change reversed the same day makes no event.
 * Changes observed on their own stay, and the first state keeps its beginning.
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

/** Whether partial periods show the state; a renewal later that day is a separate change. */
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
