import { type Instant, isInstant } from '../../instant.ts'
import type { PaymentInvoice, PaymentSubscription } from '../../payments.ts'
import { countsAsBill } from '../bills/bill.ts'
import { belongsTo } from '../bills/line-owner.ts'
import type { DatedBy } from './dating.ts'

/** An instant, and what it was read from. */
export type Proof = { at: Instant; by: DatedBy }

/**
 * The provider gives no time for the switch to unpaid. It lies behind the last invoice that was issued, since those of an
 * unpaid subscription stay drafts: the first proof of it is an invoice given up from then on, or the first one left as a
 * draft. Without either it is the last invoice that was not paid, unless the subscription was seen to count after that:
 * then only when it was first seen unpaid tells. Null: nothing does.
 */
export function unpaidSince(
  { startedAt }: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
  countedAt: Instant | null,
): Proof | null {
  const issuedAt = invoices.findLast(({ status }) => isIssued(status))?.createdAt ?? startedAt
  const proofs: Proof[] = invoices.flatMap(({ status, createdAt, uncollectibleAt }) => {
    if (status === 'draft') return createdAt > issuedAt ? { at: createdAt, by: 'leftDraft' } : []
    const isGivenUp = status === 'uncollectible' && uncollectibleAt != null && uncollectibleAt >= issuedAt
    return isGivenUp ? { at: uncollectibleAt, by: 'uncollectible' } : []
  })
  const [first] = proofs.sort((a, b) => a.at - b.at)
  if (first) return first
  const owed = invoices.slice(invoices.findLastIndex(({ status }) => status === 'paid') + 1)
  const notPaid = owed.findLast(({ status }) => status === 'open' || status === 'uncollectible')
  // What it owes for its first period cannot have ended it before it began.
  if (!notPaid || notPaid.createdAt <= startedAt) return null
  return countedAt !== null && countedAt >= notPaid.createdAt
    ? null
    : { at: notPaid.createdAt, by: 'notPaid' }
}

function isIssued(status: PaymentInvoice['status']): boolean {
  return status === 'paid' || status === 'open' || status === 'uncollectible'
}

/** When a pause began: as the provider says, or the end of the last period that was billed before it. */
export function pausedSince(
  subscription: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
  asOf: Instant,
): Proof | null {
  const { pausedAt } = subscription
  if (pausedAt != null) return { at: pausedAt, by: 'paused' }
  const ends = invoices
    .filter(countsAsBill)
    .flatMap((invoice) => invoice.lines.filter((line) => belongsTo(line, invoice, subscription)))
    .filter((line) => line.isSubscriptionItem && isInstant(line.periodEnd))
    .map(({ periodEnd }) => periodEnd)
  const until = ends.length === 0 ? null : ends.reduce((a, b) => Math.max(a, b))
  return until !== null && until <= asOf ? { at: until, by: 'notBilled' } : null
}
