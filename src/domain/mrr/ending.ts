import type { Instant } from '../instant.ts'
import type { PaymentInvoice, PaymentSubscription } from '../payments.ts'
import { daySeconds } from './interval.ts'
import type { MrrPolicy } from './policy.ts'

/** What the status of a subscription means for its revenue (R17). */
export type Standing =
  | { kind: 'counts'; endsAt: null }
  /** Counts what was billed; its items are no promise of money, as in a trial. */
  | { kind: 'billed'; endsAt: null }
  /** Its revenue ended then; at the as-of instant where nothing tells when. `isSeen`: it may go on, or nothing tells. */
  | { kind: 'ended'; endsAt: Instant; isSeen: boolean; isDated: boolean }
  | { kind: 'never'; endsAt: null }
  | { kind: 'unknown'; endsAt: null }

const counts: Standing = { kind: 'counts', endsAt: null }

/** Reads status and dates into when the revenue ended (R17, R18). */
export function standingOf(
  subscription: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
  policy: MrrPolicy,
  asOf: Instant,
): Standing {
  const { status, canceledAt } = subscription
  const isRequested = policy.churnAt === 'request' && canceledAt !== null && isPlannedOrEnded(subscription)
  if (isRequested && status !== 'incomplete_expired') return ended(canceledAt, asOf)
  switch (status) {
    case 'active':
      return counts
    case 'past_due':
      return pastDueStanding(invoices, policy, asOf)
    case 'trialing':
      return { kind: 'billed', endsAt: null }
    case 'canceled':
      return ended(subscription.endedAt ?? canceledAt, asOf)
    case 'unpaid':
      return policy.unpaid === 'counts' ? counts : ended(unpaidSince(invoices), asOf, true)
    case 'paused':
      return ended(subscription.pausedAt ?? null, asOf, true)
    case 'incomplete':
    case 'incomplete_expired':
      return { kind: 'never', endsAt: null }
    default:
      return { kind: 'unknown', endsAt: null }
  }
}

function ended(at: Instant | null, asOf: Instant, mayGoOn = false): Standing {
  // Seen from before its end, the subscription still goes on.
  if (at !== null && at > asOf) return { kind: 'billed', endsAt: null }
  return { kind: 'ended', endsAt: at ?? asOf, isSeen: mayGoOn || at === null, isDated: at !== null }
}

function isPlannedOrEnded(subscription: PaymentSubscription): boolean {
  return subscription.endedAt !== null || subscription.cancelAtPeriodEnd || subscription.cancelAt !== null
}

/**
 * The provider gives no time for the switch to unpaid. The first proof of it is the oldest invoice given up, or the first
 * one left as a draft after an open one; without either it is when it was first seen.
 */
function unpaidSince(invoices: readonly PaymentInvoice[]): Instant | null {
  const open = invoices.find(({ status }) => status === 'open')
  const givenUp = invoices.findLast(({ status }) => status === 'uncollectible')?.uncollectibleAt ?? null
  const draft =
    open && invoices.find((invoice) => invoice.status === 'draft' && invoice.createdAt > open.createdAt)
  const proofs = [givenUp, draft?.createdAt ?? null].filter((at) => at !== null)
  return proofs.length > 0 ? Math.min(...proofs) : null
}

function pastDueStanding(invoices: readonly PaymentInvoice[], policy: MrrPolicy, asOf: Instant): Standing {
  if (policy.pastDueChurnAfterDays === null) return counts
  const open = invoices.find(({ status }) => status === 'open')
  const cutOff = open ? open.createdAt + policy.pastDueChurnAfterDays * daySeconds : asOf + 1
  return cutOff <= asOf ? ended(cutOff, asOf) : counts
}
