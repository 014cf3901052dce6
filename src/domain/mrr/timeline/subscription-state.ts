import type { Instant } from '../../instant.ts'
import { type Rational, roundHalfUp, sumOf } from '../exact/rational.ts'
import type { ItemTerms } from '../terms/item-terms.ts'
import type { DatedBy } from './dating.ts'

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
  /** The observation that first told of it, whose id its event keeps for good; null where an invoice was first. */
  observationId: string | null
  /** What `at` was read from. */
  datedBy: DatedBy
  /** Several changes of one item in one instant were netted (R37). */
  isNetted: boolean
}

/** What is known of a state besides its items. */
type Origin = Partial<Pick<SubscriptionState, 'invoiceId' | 'observationId' | 'cause' | 'isNetted'>> &
  Pick<SubscriptionState, 'datedBy'>

export function stateOf(at: Instant, items: readonly ItemTerms[], origin: Origin): SubscriptionState {
  const exactMrr = sumOf(items.map(({ monthly }) => monthly))
  const quantity = items.reduce((sum, item) => sum + item.quantity, 0)
  const { invoiceId = null, observationId = null, cause = 'evidence', isNetted = false, datedBy } = origin
  const mrrCents = roundHalfUp(exactMrr)
  return { at, items, exactMrr, mrrCents, quantity, invoiceId, cause, observationId, datedBy, isNetted }
}

/** Before a subscription is worth anything. */
export const nothingYet: SubscriptionState = stateOf(0, [], { datedBy: 'stated' })
