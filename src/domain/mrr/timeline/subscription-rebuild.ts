import type { PaymentInvoice, PaymentSubscription } from '../../payments.ts'
import type { Charge, Credit, IgnoredLine } from '../bills/bill.ts'
import type { DiscountBook } from '../terms/discounts/coupon.ts'
import type { Observation } from './observation.ts'
import type { SubscriptionState } from './subscription-state.ts'

/** The history of one subscription, with the extra facts that a receipt shows. */
export type SubscriptionRebuild = {
  subscription: PaymentSubscription
  /** Its states in order of time; the last is its current value. Empty if it never had a value. */
  states: SubscriptionState[]
  /** The last state, its items as on their latest bills. */
  now: SubscriptionState
  /** Lines that do not count toward MRR, by invoice. */
  ignored: ReadonlyMap<string, IgnoredLine[]>
  /** The invoices that are no evidence, oldest first. */
  passedOver: readonly PaymentInvoice[]
  /** What its invoices charge for. */
  charges: readonly Charge[]
  /** Credits for unused time. */
  moneyBack: readonly Credit[]
  /** The discounts that it has or had. */
  discounts: DiscountBook
  /** What only the subscription itself shows and no earlier observation recorded. */
  newObservations: Observation[]
  isUnsupported: string | null
}
