import type { Instant } from '../../instant.ts'
import type { PaymentInvoice, PaymentSubscription } from '../../payments.ts'
import { daySeconds } from '../exact/interval.ts'
import type { MrrPolicy } from '../exact/policy.ts'
import type { DatedBy } from './dating.ts'
import { invoicesSincePaid, type Proof, pausedSince, unpaidSince } from './status-proof.ts'

/** What the status of a subscription means for its revenue (R17). */
export type RevenueStatus =
  | { kind: 'counts' }
  /** Counts what was billed; its items alone promise no money, as in a trial. */
  | { kind: 'billed' }
  /**
   * Its revenue ended then, or at the as-of instant when nothing dates the end. `isSeen`: it may resume, or nothing dates
   * it. `notPaid`: the invoice that dates it.
   */
  | { kind: 'ended'; endsAt: Instant; by: DatedBy; isSeen: boolean; notPaid?: PaymentInvoice }
  | { kind: 'never' }
  | { kind: 'unknown' }

const counts: RevenueStatus = { kind: 'counts' }

/**
 * Derives from status and dates when the revenue ended (R17, R18). `countedAt`: when it was last seen to count while past
 * due.
 */
export function revenueStatusOf(
  subscription: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
  policy: MrrPolicy,
  asOf: Instant,
  countedAt: Instant | null,
): RevenueStatus {
  const { status, canceledAt, endedAt } = subscription
  const isRequested = policy.churnAt === 'request' && canceledAt !== null && isPlannedOrEnded(subscription)
  if (isRequested && status !== 'incomplete_expired') return ended({ at: canceledAt, by: 'request' }, asOf)
  switch (status) {
    case 'active':
      return counts
    case 'past_due':
      return pastDueRevenue(invoices, policy, asOf)
    case 'trialing':
      return { kind: 'billed' }
    case 'canceled': {
      const at = endedAt ?? canceledAt
      return at === null
        ? { kind: 'ended', endsAt: asOf, by: 'endSeen', isSeen: true }
        : ended({ at, by: 'ended' }, asOf)
    }
    case 'unpaid':
      return policy.unpaid === 'counts'
        ? counts
        : endedByStatus(unpaidSince(subscription, invoices, countedAt), asOf)
    case 'paused':
      return endedByStatus(pausedSince(subscription, invoices, asOf), asOf)
    case 'incomplete':
    case 'incomplete_expired':
      return { kind: 'never' }
    default:
      return { kind: 'unknown' }
  }
}

function ended({ at, by, notPaid }: Proof, asOf: Instant): RevenueStatus {
  // The object was read before its end, so the subscription still counts.
  if (at > asOf) return { kind: 'billed' }
  return { kind: 'ended', endsAt: at, by, isSeen: false, ...(notPaid && { notPaid }) }
}

/** An end that a status shows, and that a later status may undo. */
function endedByStatus(proof: Proof | null, asOf: Instant): RevenueStatus {
  if (proof !== null && proof.at > asOf) return { kind: 'billed' }
  const { at, by, notPaid }: Proof = proof ?? { at: asOf, by: 'statusSeen' }
  return { kind: 'ended', endsAt: at, by, isSeen: true, ...(notPaid && { notPaid }) }
}

function isPlannedOrEnded(subscription: PaymentSubscription): boolean {
  return subscription.endedAt !== null || subscription.cancelAtPeriodEnd || subscription.cancelAt !== null
}

function pastDueRevenue(
  invoices: readonly PaymentInvoice[],
  policy: MrrPolicy,
  asOf: Instant,
): RevenueStatus {
  if (policy.pastDueChurnAfterDays === null) return counts
  const open = invoicesSincePaid(invoices).find(({ status }) => status === 'open')
  if (!open) return counts
  const cutOff = open.createdAt + policy.pastDueChurnAfterDays * daySeconds
  return cutOff <= asOf ? ended({ at: cutOff, by: 'cutOff', notPaid: open }, asOf) : counts
}
