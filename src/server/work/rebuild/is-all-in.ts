import type { Instant } from '#domain/instant.ts'
import { clockSkewSeconds } from '../../store/subscriptions.ts'

type Objects = {
  subscriptions: readonly { id: string; endedAt: Instant | null; items: readonly { priceId: string }[] }[]
  /** When each subscription was asked for, by its id. */
  readAt: ReadonlyMap<string, Instant>
  invoices: readonly {
    subscriptionId: string | null
    createdAt: Instant
    lines: readonly { priceId: string | null }[]
  }[]
}

/**
 * Whether a customer whose lists are in needs nothing that the end of an import fetches by its id: neither a price that
 * stands in no list, nor a subscription that an invoice has outrun since it was read.
 */
export function isAllIn(
  { subscriptions, invoices, readAt }: Objects,
  { prices }: { prices: ReadonlyMap<string, unknown> },
): boolean {
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
