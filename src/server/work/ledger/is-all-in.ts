import type { Instant } from '#domain/instant.ts'

type Discount = { couponId: string | null }
type Item = { priceId: string; price: { productId: string | null }; discounts: readonly Discount[] }
type Objects = {
  discounts: readonly Discount[]
  subscriptions: readonly {
    id: string
    endedAt: Instant | null
    items: readonly Item[]
    discounts: readonly Discount[]
  }[]
  /** For each subscription id, a lower bound of when we requested it, by the provider's clock. */
  askedAfter: ReadonlyMap<string, Instant>
  invoices: readonly {
    subscriptionId: string | null
    createdAt: Instant
    lines: readonly { priceId: string | null }[]
  }[]
}

/**
 * Whether a customer with complete lists needs nothing that the end of an import fetches by id: no price,
 * product or coupon is missing, and no subscription is older than one of its invoices.
 */
export function isAllIn(
  { subscriptions, invoices, askedAfter, ...customer }: Objects,
  catalog: Readonly<Record<'prices' | 'products' | 'coupons', ReadonlyMap<string, unknown>>>,
): boolean {
  const openIds = new Set(subscriptions.flatMap(({ id, endedAt }) => (endedAt === null ? id : [])))
  const isOutrun = invoices.some(
    ({ subscriptionId, createdAt }) =>
      subscriptionId !== null &&
      openIds.has(subscriptionId) &&
      createdAt > (askedAfter.get(subscriptionId) ?? 0),
  )
  const items = subscriptions.flatMap((subscription) => subscription.items)
  const discounts = [customer, ...subscriptions, ...items].flatMap((one) => one.discounts)
  const priced = [...items, ...invoices.flatMap(({ lines }) => lines)]
  const isIn = (kind: keyof typeof catalog, id: string | null) => id === null || catalog[kind].has(id)
  return (
    !isOutrun &&
    priced.every(({ priceId }) => isIn('prices', priceId)) &&
    items.every(({ price }) => isIn('products', price.productId)) &&
    discounts.every(({ couponId }) => isIn('coupons', couponId))
  )
}
