import type { PaymentProduct, SubscriptionItem } from '../../payments.ts'
import { billingIntervalDays } from '../../subscription.ts'
import { compare } from '../exact/rational.ts'
import type { ItemTerms } from '../terms/item-terms.ts'
import { licensedItems } from '../timeline/licensed-items.ts'
import type { SubscriptionRebuild } from '../timeline/subscription-rebuild.ts'

/** The value of a subscription at the as-of instant. */
export type SubscriptionMrr = {
  subscriptionId: string
  status: string
  currentMrrCents: number
  /** Sum of its licensed quantities, whatever its status (R14). */
  quantity: number
  /** Lower-case ISO 4217. */
  currency: string
  /** The product of the item with the highest MRR. */
  productName: string | null
  billingIntervalDays: number | null
  /** Why the subscription is not counted; null when it is. */
  isUnsupported: string | null
}

/** The current figures of a subscription; its product is that of the item with the highest MRR, also after its end. */
export function subscriptionMrrOf(
  rebuild: SubscriptionRebuild,
  products: ReadonlyMap<string, PaymentProduct>,
): SubscriptionMrr {
  const { subscription, states } = rebuild
  const now = states.at(-1)
  const items = licensedItems(subscription)
  const main = mainItemOf((now?.items.length ? now : states.at(-2))?.items ?? [], products)
  const stated = items.find(({ id }) => id === main?.itemKey) ?? items[0] ?? subscription.items[0]
  const productId = main?.productId ?? stated?.price.productId ?? null
  return {
    subscriptionId: subscription.id,
    status: subscription.status,
    currentMrrCents: now?.mrrCents ?? 0,
    quantity: quantityOf(items) ?? now?.quantity ?? 0,
    currency: subscription.currency,
    productName: (productId === null ? undefined : products.get(productId)?.name) ?? null,
    billingIntervalDays: main
      ? billingIntervalDays(main.cadence.interval, main.cadence.count)
      : stated
        ? billingIntervalDays(stated.price.interval, stated.price.intervalCount)
        : null,
    isUnsupported: rebuild.isUnsupported,
  }
}

/** The quantity that the items state; undefined without items, or when one has no valid quantity. */
function quantityOf(items: readonly SubscriptionItem[]): number | undefined {
  if (items.length === 0) return undefined
  const sum = items.reduce<number | undefined>(
    (before, { quantity }) =>
      before === undefined || quantity === null || quantity < 0 ? undefined : before + quantity,
    0,
  )
  return Number.isSafeInteger(sum) ? sum : undefined
}

/** The item with the highest MRR; ties are decided by displayed content, so that the order of lines does not matter. */
export function mainItemOf(
  items: readonly ItemTerms[],
  products: ReadonlyMap<string, PaymentProduct>,
): ItemTerms | undefined {
  const shownOf = ({ productId, cadence }: ItemTerms): string =>
    `${products.get(productId ?? '')?.name ?? ''}\n${cadence.interval}\n${cadence.count}`
  return items.reduce<ItemTerms | undefined>((main, item) => {
    const order = main ? compare(main.monthly, item.monthly) : -1
    return main && (order > 0 || (order === 0 && shownOf(main) <= shownOf(item))) ? main : item
  }, undefined)
}

/** Current MRR in cents by currency; currencies are never added up (R34). A currency without revenue has 0. */
export function currentMrrOf(subscriptions: readonly SubscriptionMrr[]): Record<string, number> {
  const byCurrency = new Map<string, number>()
  for (const { currency, currentMrrCents, isUnsupported } of subscriptions) {
    if (isUnsupported !== null) continue
    byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + currentMrrCents)
  }
  return Object.fromEntries([...byCurrency].sort(([a], [b]) => (a < b ? -1 : 1)))
}
