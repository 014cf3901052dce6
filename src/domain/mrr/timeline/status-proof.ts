import { type Instant, isInstant } from '../../instant.ts'
import type { PaymentInvoice, PaymentSubscription } from '../../payments.ts'
import { countsAsBill } from '../bills/bill.ts'
import { isBackdated } from '../bills/first-bill.ts'
import { belongsTo } from '../bills/line-owner.ts'
import type { DatedBy } from './dating.ts'

/** An instant, and the evidence for it; `notPaid` is the invoice that proves it. */
export type Proof = { at: Instant; by: DatedBy; notPaid?: PaymentInvoice }

/**
 * The provider does not date the switch to unpaid. First evidence: an invoice given up, or left a draft, after the last
 * issued one; otherwise the last unpaid invoice or, if it counted later, its observation as unpaid; otherwise null.
 */
export function unpaidSince(
  subscription: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
  countedAt: Instant | null,
): Proof | null {
  const { startedAt } = subscription
  const issuedAt = invoices.findLast(({ status }) => isIssued(status))?.createdAt ?? startedAt
  const proofs: Proof[] = invoices.flatMap((invoice) => {
    const { status, createdAt, uncollectibleAt } = invoice
    const notPaid = invoice
    if (status === 'draft') return createdAt > issuedAt ? { at: createdAt, by: 'leftDraft', notPaid } : []
    const isGivenUp = status === 'uncollectible' && uncollectibleAt != null && uncollectibleAt >= issuedAt
    return isGivenUp ? { at: uncollectibleAt, by: 'uncollectible', notPaid } : []
  })
  const [first] = proofs.sort((a, b) => a.at - b.at)
  if (first) return first
  const notPaid = invoicesSincePaid(invoices).findLast(
    ({ status }) => status === 'open' || status === 'uncollectible',
  )
  // A debt for its first period cannot have ended the subscription before it began.
  if (!notPaid || notPaid.createdAt <= startedAt || isFirstBill(notPaid, subscription, invoices)) return null
  return countedAt !== null && countedAt >= notPaid.createdAt
    ? null
    : { at: notPaid.createdAt, by: 'notPaid', notPaid }
}

/** The invoices after the last paid one. `invoices`: oldest first. */
export function invoicesSincePaid(invoices: readonly PaymentInvoice[]): PaymentInvoice[] {
  return invoices.slice(invoices.findLastIndex(({ status }) => status === 'paid') + 1)
}

/** Whether an invoice is the first to ask money for a subscription, for example at the end of a trial. */
function isFirstBill(
  invoice: PaymentInvoice,
  subscription: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
): boolean {
  const first = invoices.find(
    (each) =>
      isIssued(each.status) &&
      each.lines.some((line) => line.amountCents > 0 && belongsTo(line, each, subscription)),
  )
  return first === invoice && !isBackdated(subscription)
}

function isIssued(status: PaymentInvoice['status']): boolean {
  return status === 'paid' || status === 'open' || status === 'uncollectible'
}

/** When a pause began: as the provider says, or at the end of the last billed period before it. */
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
