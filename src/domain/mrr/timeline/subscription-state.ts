import type { Instant } from '../../instant.ts'
import type { PaymentInvoice } from '../../payments.ts'
import { type Rational, roundHalfUp, sumOf } from '../exact/rational.ts'
import type { ItemTerms } from '../terms/item-terms.ts'
import type { DatedBy } from './dating.ts'

/** The value of a subscription from one instant on: all its items summed and rounded once (R3, R28). */
export type SubscriptionState = {
  at: Instant
  items: readonly ItemTerms[]
  exactMrr: Rational
  mrrCents: number
  quantity: number
  /** The invoice that first shows this state. */
  invoiceId: string | null
  cause: 'evidence' | 'end'
  /** The observation that first showed it, whose id its event keeps for good; null when an invoice was first. */
  observationId: string | null
  /** The evidence for `at`. */
  datedBy: DatedBy
  /** Several changes of one item in one instant were netted (R37). */
  isNetted: boolean
  /** The invoice that was not paid and dates this end. */
  notPaid?: PaymentInvoice
}

/** What a state records besides its items. */
type Origin = Partial<
  Pick<SubscriptionState, 'invoiceId' | 'observationId' | 'cause' | 'isNetted' | 'notPaid'>
> &
  Pick<SubscriptionState, 'datedBy'>

/** What a subscription is worth with these items. Only the sum of its items is rounded, half up (R28). */
export function stateOf(at: Instant, items: readonly ItemTerms[], origin: Origin): SubscriptionState {
  const exactMrr = sumOf(items.map(({ monthly }) => monthly))
  const quantity = items.reduce((sum, item) => sum + item.quantity, 0)
  const { invoiceId = null, observationId = null, cause = 'evidence', isNetted = false, datedBy } = origin
  const mrrCents = roundHalfUp(exactMrr)
  const { notPaid } = origin
  return {
    ...{ at, items, exactMrr, mrrCents, quantity, invoiceId, cause, observationId, datedBy, isNetted },
    ...(notPaid && { notPaid }),
  }
}

/** The state before a subscription has any value. */
export const nothingYet: SubscriptionState = stateOf(0, [], { datedBy: 'stated' })
