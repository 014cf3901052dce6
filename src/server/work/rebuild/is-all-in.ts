import type { Catalog, CustomerObjects } from '../../store/rebuild-evidence.ts'
import { clockSkewSeconds } from '../../store/subscriptions.ts'

/**
 * Whether nothing that the end of an import fetches by its id is a customer's whose lists are in: neither a price that
 * stands in no list, nor a subscription that an invoice has outrun since it was read.
 */
export function isAllIn({ subscriptions, invoices, readAt }: CustomerObjects, { prices }: Catalog): boolean {
  const openIds = new Set(subscriptions.flatMap(({ id, endedAt }) => (endedAt === null ? id : [])))
  const isOutrun = invoices.some(
    ({ subscriptionId, createdAt }) =>
      subscriptionId !== null &&
      openIds.has(subscriptionId) &&
      createdAt >= (readAt.get(subscriptionId) ?? 0) - clockSkewSeconds,
  )
  const priced = [...subscriptions.flatMap(({ items }) => items), ...invoices.flatMap(({ lines }) => lines)]
  return !isOutrun && priced.every(({ priceId }) => priceId === null || prices.has(priceId))
}
