import type { Instant } from './instant.ts'

/** How an event changes recurring revenue, spelled as in the API and the CRM. */
export const mrrStatuses = [
  'New',
  'Upgrade',
  'Downgrade',
  'Churn',
  'Reactivation',
  'Planned_Cancellation',
] as const
export type MrrStatus = (typeof mrrStatuses)[number]

/** Why the revenue changed. */
export const changeTypes = [
  'new_subscription',
  'price_change',
  'quantity_change',
  'plan_change',
  'cancellation',
  'reactivation',
] as const
export type ChangeType = (typeof changeTypes)[number]

/** One change of a subscription's monthly recurring revenue. Amounts are minor units of `currency` (cents). */
export type MrrEvent = {
  /** Derived from (subscription, cause, kind) alone, so it stays the same across rebuilds. */
  id: string
  subscriptionId: string
  customerId: string | null
  /** The invoice that first shows the change; null when no invoice does (a cancellation). */
  invoiceId: string | null
  occurredAt: Instant
  mrrStatus: MrrStatus
  changeType: ChangeType
  previousMrrCents: number
  currentMrrCents: number
  /** Always currentMrrCents - previousMrrCents. */
  mrrChangeCents: number
  previousQuantity: number
  currentQuantity: number
  /** Lower-case ISO 4217. */
  currency: string
  productName: string | null
}
