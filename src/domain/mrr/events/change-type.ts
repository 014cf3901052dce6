import type { ChangeType } from '../../event.ts'
import { compare, distance, minus, times, whole } from '../exact/rational.ts'
import { idsOf } from '../terms/discounts/discount-stack.ts'
import type { ItemTerms } from '../terms/item-terms.ts'
import type { SubscriptionState } from '../timeline/subscription-state.ts'

/** Why the MRR of an active subscription changed: the first that fits of plan, price and quantity (R19, R31). */
export function changeTypeOf(previous: SubscriptionState, current: SubscriptionState): ChangeType {
  if (mixOf(previous.items) !== mixOf(current.items)) return 'plan_change'
  if (isPriceChanged(previous.items, current.items)) return 'price_change'
  return quantitiesOf(previous.items) === quantitiesOf(current.items) ? 'price_change' : 'quantity_change'
}

function sortedText(values: Iterable<string>): string {
  return [...new Set(values)].sort().join(' ')
}

/** The set of products with their billing intervals. */
function mixOf(items: readonly ItemTerms[]): string {
  return sortedText(items.map((item) => `${productKey(item)}@${item.cadence.count}${item.cadence.interval}`))
}

function productKey(item: ItemTerms): string {
  return item.productId ?? item.priceId ?? item.itemKey
}

function quantitiesOf(items: readonly ItemTerms[]): string {
  return items
    .map((item) => `${productKey(item)}=${item.quantity}`)
    .sort()
    .join(' ')
}

function isPriceChanged(previous: readonly ItemTerms[], current: readonly ItemTerms[]): boolean {
  const units = (items: readonly ItemTerms[]): string =>
    sortedText(items.map((item) => `${productKey(item)}=${item.unitKey}`))
  if (units(previous) !== units(current)) return true
  return previous.some((before) => {
    const after = current.find(
      (item) => productKey(item) === productKey(before) && item.unitKey === before.unitKey,
    )
    return after !== undefined && !isSameDiscount(before, after)
  })
}

/** The same discount objects or, without ids, the same amount or percentage within a cent. */
function isSameDiscount(a: ItemTerms, b: ItemTerms): boolean {
  const [idsBefore, idsAfter] = [idsOf(a.discounts), idsOf(b.discounts)]
  if (idsBefore.length > 0 && idsAfter.length > 0) return sortedText(idsBefore) === sortedText(idsAfter)
  if (compare(distance(a.discount, b.discount), whole(0)) === 0) return true
  const cross = minus(times(a.discount, b.gross), times(b.discount, a.gross))
  const tolerance = compare(a.gross, b.gross) > 0 ? a.gross : b.gross
  return compare(distance(cross, whole(0)), tolerance) <= 0
}
