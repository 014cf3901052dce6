import type { Instant } from '../instant.ts'
import type { ItemTerms } from './item-terms.ts'
import { type Rational, roundHalfUp, sumOf } from './rational.ts'

/** What a subscription is worth from one instant on: all its items summed and rounded once (R3, R28). */
export type SubscriptionState = {
  at: Instant
  items: readonly ItemTerms[]
  exactMrr: Rational
  mrrCents: number
  quantity: number
  /** The invoice that first shows this state. */
  invoiceId: string | null
  cause: 'evidence' | 'end'
  /** The sighting that first told of it, whose id its event keeps for good; null where an invoice was first. */
  sightingId: string | null
}

export function stateOf(
  at: Instant,
  items: readonly ItemTerms[],
  invoiceId: string | null,
  cause: SubscriptionState['cause'],
  sightingId: string | null = null,
): SubscriptionState {
  const exactMrr = sumOf(items.map(({ monthly }) => monthly))
  const quantity = items.reduce((sum, item) => sum + item.quantity, 0)
  return { at, items, exactMrr, mrrCents: roundHalfUp(exactMrr), quantity, invoiceId, cause, sightingId }
}

/** Before a subscription is worth anything. */
export const nothingYet: SubscriptionState = stateOf(0, [], null, 'evidence')
