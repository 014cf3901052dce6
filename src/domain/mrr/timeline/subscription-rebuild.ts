import type { PaymentInvoice, PaymentSubscription } from '../../payments.ts'
import type { Credit, IgnoredLine } from '../bills/bill.ts'
import type { Observation } from './observation.ts'
import type { SubscriptionState } from './subscription-state.ts'

/** What one subscription went through, and what a receipt says beside it. */
export type SubscriptionRebuild = {
  subscription: PaymentSubscription
  /** What it went through, in time; the last is what it is worth now. Empty when it never was worth anything. */
  states: SubscriptionState[]
  /** The last state, its items as their latest bills show them. */
  now: SubscriptionState
  /** Lines without a part in MRR, by invoice. */
  ignored: ReadonlyMap<string, IgnoredLine[]>
  /** The invoices that are no evidence at all, oldest first. */
  passedOver: readonly PaymentInvoice[]
  /** What was given back for unused time. */
  moneyBack: readonly Credit[]
  /** What only the subscription itself tells and no earlier observation does. */
  newObservations: Observation[]
  isUnsupported: string | null
}
