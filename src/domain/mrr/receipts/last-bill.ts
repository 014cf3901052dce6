import type { Instant } from '../../instant.ts'
import type { PaymentInvoice } from '../../payments.ts'
import type { SubscriptionRebuild } from '../timeline/subscription-rebuild.ts'
import type { LastBill } from './receipt.ts'

/** The invoice that billed a subscription last up to an instant, with all that it billed; null if nothing was billed. */
export function lastBillOf({ charges }: SubscriptionRebuild, at: Instant): LastBill | null {
  const billed = charges.filter((charge) => charge.at <= at)
  const latest = Math.max(...billed.map((charge) => charge.at))
  const invoices = billed.filter((charge) => charge.at === latest).map(({ invoice }) => invoice)
  const last = invoices.reduce<PaymentInvoice | undefined>(
    (newest, invoice) => (newest && newest.createdAt > invoice.createdAt ? newest : invoice),
    undefined,
  )
  if (!last) return null
  const ofLast = billed.filter(({ invoice }) => invoice === last)
  return {
    invoiceId: last.id,
    from: Math.min(...ofLast.map((charge) => charge.at)),
    until: Math.max(...ofLast.map(({ until }) => until)),
    status: last.status,
  }
}
