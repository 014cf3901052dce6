import type { PaymentSubscription, SubscriptionItem } from '../../payments.ts'

/** Whether an item counts toward MRR: it is recurring and not metered (R8, R23). */
function isLicensed({ price }: SubscriptionItem): boolean {
  return price.usageType !== 'metered' && price.interval !== null
}

/** Whether the item with this id is in the list and counts toward MRR. */
export function isLicensedIn(items: readonly SubscriptionItem[], itemId: string): boolean {
  return items.some((item) => item.id === itemId && isLicensed(item))
}

/** The items of a subscription that count toward MRR. */
export function licensedItems({ items }: PaymentSubscription): SubscriptionItem[] {
  return items.filter(isLicensed)
}
