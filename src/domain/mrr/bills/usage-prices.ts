import type { PaymentInvoice, PaymentPrice, PaymentSubscription } from '../../payments.ts'
import { sameRequestSeconds } from '../exact/tolerances.ts'
import { countsAsBill } from './bill.ts'
import { belongsTo } from './line-owner.ts'

/**
 * Deleted prices that were only billed after their periods: usage (R23). Licenses are billed ahead, aside from the time
 * before a backdated creation.
 */
export function usagePricesOf(
  subscription: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
  isKnown: (priceId: string, price: PaymentPrice | undefined) => boolean,
): ReadonlySet<string> {
  const begunBy = subscription.createdAt + sameRequestSeconds
  const billedAfter = new Map<string, boolean>()
  for (const invoice of invoices.filter(countsAsBill)) {
    for (const line of invoice.lines) {
      const { priceId, price, amountCents, isProration, isSubscriptionItem, periodEnd } = line
      if (priceId === null || isProration || !isSubscriptionItem || amountCents <= 0) continue
      if (isKnown(priceId, price) || !belongsTo(line, invoice, subscription)) continue
      const isAfter = invoice.createdAt > begunBy && periodEnd <= invoice.createdAt + sameRequestSeconds
      billedAfter.set(priceId, isAfter && (billedAfter.get(priceId) ?? true))
    }
  }
  return new Set([...billedAfter].flatMap(([priceId, isAfter]) => (isAfter ? priceId : [])))
}
