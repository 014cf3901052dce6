import type { SubscriptionItem } from '../payments.ts'
import type { ItemTerms, Pricing } from './item-terms.ts'
import { areSame, discountsAddedSince } from './last-known.ts'
import type { Seen } from './sighting.ts'
import { statedAmount } from './stated-amount.ts'
import { termsOfDeclaration } from './terms-of-declaration.ts'

/** The items of a subscription along its timeline, by key. */
export type Held = {
  /** What each is sold at now. */
  items: Map<string, ItemTerms>
  /** What each was last billed at, also where it was seen otherwise since. */
  billed: Map<string, ItemTerms>
}

type Sight = {
  isChanged: boolean
  isEnd: boolean
  /** The last sighting of the step; null without any. */
  id: string | null
}

/** Takes sightings of one instant into what is held. What bills show by then already stays as the bills show it. */
export function see(sightings: readonly Seen[], held: Held, pricing: Pricing): Sight {
  const sight: Sight = { isChanged: false, isEnd: false, id: null }
  for (const seen of sightings) {
    sight.id = seen.id
    if (seen.endedAs !== null) {
      sight.isEnd = true
      sight.isChanged ||= held.items.size > 0
      held.items.clear()
      continue
    }
    const then: Pricing = {
      ...pricing,
      subscription: { ...pricing.subscription, items: [...seen.items], discounts: [...seen.discounts] },
    }
    for (const itemId of seen.changed) {
      const item = seen.items.find(({ id }) => id === itemId)
      if (item && seeItem(item, seen, held, then)) sight.isChanged = true
    }
    for (const itemId of seen.closed) sight.isChanged = held.items.delete(itemId) || sight.isChanged
  }
  return sight
}

function seeItem(item: SubscriptionItem, seen: Seen, { items, billed }: Held, pricing: Pricing): boolean {
  const current = items.get(item.id)
  const bill = billed.get(item.id)
  const charge = bill?.source.kind === 'charge' ? bill.source.charge : undefined
  const addedIds = discountsAddedSince(charge, item, seen.at, pricing)
  if (current && isShown(item, current, addedIds, pricing)) return false
  const isInsideBilledPeriod = seen.inside.includes(item.id)
  const declaration = { at: seen.at, item, isInsideBilledPeriod, addedIds }
  items.set(item.id, termsOfDeclaration(declaration, bill, pricing))
  return true
}

function isShown(
  item: SubscriptionItem,
  current: ItemTerms,
  addedIds: ReadonlySet<string>,
  pricing: Pricing,
): boolean {
  const { source, priceId, quantity } = current
  const isSameSale = (priceId === null || priceId === item.priceId) && isSameQuantity(item, quantity, pricing)
  if (source.kind === 'charge') return isSameSale && addedIds.size === 0
  return isSameSale && areSame(addedIds, source.declaration.addedIds)
}

/** Tier lines do not always repeat the quantity; without the tiers the invoice stands. */
export function isSameQuantity(item: SubscriptionItem, quantity: number, pricing: Pricing): boolean {
  if (quantity === (item.quantity ?? 1)) return true
  return item.price.billingScheme === 'tiered' && statedAmount(item, pricing) === undefined
}
