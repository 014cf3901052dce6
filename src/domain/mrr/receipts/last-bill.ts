import type { Instant } from '../../instant.ts'
import type { SubscriptionRebuild } from '../timeline/subscription-rebuild.ts'
import type { LastBill } from './receipt.ts'

/** What was billed last of a subscription up to an instant; null if nothing was. */
export function lastBillOf({ charges }: SubscriptionRebuild, at: Instant): LastBill | null {
  const billed = charges.filter((charge) => charge.at <= at)
  if (billed.length === 0) return null
  const { invoice, ...last } = billed.reduce((latest, charge) => (charge.at >= latest.at ? charge : latest))
  return { invoiceId: invoice.id, from: last.at, until: last.until, status: invoice.status }
}
