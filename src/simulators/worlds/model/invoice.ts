import type { TaxRate } from './offer.ts'
import type { WorldObject } from './stripe-object.ts'
import type { Customer, Discount, Effect, WorldSubscription } from './subscription.ts'

export type BillingReason = 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'manual'

export type Invoice = {
  id: string
  customer: Customer
  /** Copied when the invoice is made: later changes of the customer do not affect it. */
  customerName: string | null
  customerEmail: string | null
  subscription: WorldSubscription | null
  reason: BillingReason
  created: number
  currency: string
  periodStart: number
  periodEnd: number
  lines: WorldObject[]
  discounts: Discount[]
  discountTotals: Map<string, number>
  taxRate: TaxRate | null
  subtotalCents: number
  /** First the inclusive tax within the subtotal, then all tax within or on top of the total. */
  subtotalTaxCents: number
  taxCents: number
  taxableCents: number
  totalCents: number
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'
  number: string | null
  startingBalance: number
  endingBalance: number | null
  amountDue: number
  amountPaid: number
  attempts: number
  nextAttempt: number | null
  dueAt: number | null
  finalizedAt: number | null
  paidAt: number | null
  voidedAt: number | null
  uncollectibleAt: number | null
  uncollectibleReason: string | null
  paymentId: string | null
  paymentIntent: string
  /** Ordinal among the subscription's invoices, from 0. */
  ordinal: number
  /** The service period that begins with this invoice, from 0; null when none does. */
  period: number | null
  effects: OwnEffect[]
}

/** A change of worth and its subscription: one invoice may bill changes of several. */
type OwnEffect = Effect & { of: WorldSubscription }
