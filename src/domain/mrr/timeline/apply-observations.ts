import type { Instant } from '../../instant.ts'
import type { SubscriptionItem } from '../../payments.ts'
import { compare, isPositive } from '../exact/rational.ts'
import { type ItemTerms, type Pricing, pricingWith } from '../terms/item-terms.ts'
import { statedAmount } from '../terms/stated-amount.ts'
import { termsOfDeclaration } from '../terms/terms-of-declaration.ts'
import { areSame, discountsAddedSince } from './last-known.ts'
import { isDatedObservation, type ObservedState } from './observation.ts'

/** The items of a subscription at one point of its timeline, by key. */
export type Held = {
  /** The current terms of each item. */
  items: Map<string, ItemTerms>
  /** The terms on each item's last bill, even if observed differently since. */
  billed: Map<string, ItemTerms>
}

type Outcome = {
  /** What shows the change; null without one. */
  datedBy: 'stated' | 'seen' | 'statusBefore' | 'statusSeen' | null
  isEnd: boolean
  /** The last observation of the step; null without any. */
  id: string | null
}

/** Applies the observations of one instant. What bills have shown by then keeps the terms of the bills. */
export function applyObservations(
  observations: readonly ObservedState[],
  held: Held,
  pricing: Pricing,
): Outcome {
  const outcome: Outcome = { datedBy: null, isEnd: false, id: null }
  for (const observed of observations) {
    outcome.id = observed.id
    if (observed.endedAs !== null) {
      outcome.isEnd = true
      if (held.items.size > 0)
        outcome.datedBy = isDatedObservation(observed.id) ? 'statusBefore' : 'statusSeen'
      held.items.clear()
      continue
    }
    const then = pricingWith(pricing, { items: [...observed.items], discounts: [...observed.discounts] })
    let isChanged = false
    for (const itemId of observed.changedIds) {
      const item = observed.items.find(({ id }) => id === itemId)
      if (item && applyObservedItem(item, observed, held, then)) isChanged = true
    }
    for (const itemId of observed.endedIds) isChanged = held.items.delete(itemId) || isChanged
    if (isChanged) outcome.datedBy = isDatedObservation(observed.id) ? 'stated' : 'seen'
  }
  return outcome
}

function applyObservedItem(
  item: SubscriptionItem,
  observed: ObservedState,
  { items, billed }: Held,
  pricing: Pricing,
): boolean {
  const current = items.get(item.id)
  const bill = billed.get(item.id)
  const charge = bill?.source.kind === 'charge' ? bill.source.charge : undefined
  const addedIds = discountsAddedSince(charge, item, observed.at, pricing)
  if (current && !isFreeUntil(current, observed.at) && isShown(item, current, addedIds, pricing)) return false
  const isInsideBilledPeriod = observed.insidePeriodIds.includes(item.id)
  const declaration = { at: observed.at, item, isInsideBilledPeriod, addedIds }
  // A bill of nothing does not show the rate of the included tax (R9).
  const isTelling = bill && compare(bill.gross, bill.discount) > 0
  const taxedAs = isTelling ? bill : taxedLike(item, billed)
  items.set(item.id, termsOfDeclaration(declaration, bill, pricing, taxedAs))
  return true
}

/**
 * A bill that shows the included tax of a new item: the largest one of another item whose price treats tax the same way
 * (R9).
 */
function taxedLike({ price }: SubscriptionItem, billed: Held['billed']): ItemTerms | undefined {
  const taxed = [...billed.values()].filter(({ inclusiveTax, source }) => {
    const taxBehavior = source.kind === 'charge' ? source.charge.price?.taxBehavior : undefined
    return isPositive(inclusiveTax) && (taxBehavior === undefined || taxBehavior === price.taxBehavior)
  })
  return taxed.reduce<ItemTerms | undefined>(
    (most, each) => (most && compare(most.inclusiveTax, each.inclusiveTax) >= 0 ? most : each),
    undefined,
  )
}

/** A trial or another free stretch that is over by then: its bill says nothing about the time after it (R16). */
function isFreeUntil({ source, gross, zeroBecause }: ItemTerms, at: Instant): boolean {
  const isFree = zeroBecause === 'temporary' && !isPositive(gross)
  return isFree && source.kind === 'charge' && source.charge.until <= at
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

/**
 * An item without a quantity is no contradiction. Tier lines do not always repeat the quantity; without known tiers the
 * invoice decides.
 */
export function isSameQuantity(item: SubscriptionItem, quantity: number, pricing: Pricing): boolean {
  if (item.quantity === null || quantity === item.quantity) return true
  return item.price.billingScheme === 'tiered' && statedAmount(item, pricing) === undefined
}
