import type { Instant } from '../instant.ts'
import type { PaymentSubscription, SubscriptionItem } from '../payments.ts'
import type { Charge, Closing, Declaration } from './evidence.ts'
import type { Pricing } from './item-terms.ts'
import { compareCharges } from './sort-evidence.ts'
import { statedAmount } from './stated-amount.ts'

const renewalDriftSeconds = 7200
/** Items made in the request that made the subscription carry its time, give or take. */
const sameRequestSeconds = 60

/** Items with a part in MRR: recurring and not metered (R8, R23). */
export function licensedItems(subscription: PaymentSubscription): SubscriptionItem[] {
  return subscription.items.filter(({ price }) => price.usageType !== 'metered' && price.interval !== null)
}

type Statement = { declarations: Declaration[]; closings: Closing[] }

/**
 * Holds the subscription's own items against what its invoices showed last. An item that no invoice shows as it is now is
 * declared, at the earliest instant that can be shown: its creation, the start of its period, or else the as-of instant
 * (when it was first seen). An item that is gone without a credit closes at the end of what was billed (R14).
 */
export function stateItems(
  charges: readonly Charge[],
  pricing: Pricing,
  isCounting: boolean,
  asOf: Instant,
): Statement {
  const { subscription } = pricing
  const last = lastCharges(charges)
  const statement: Statement = { declarations: [], closings: [] }
  const stated = new Set(subscription.items.map(({ id }) => id))
  const adopted = adoptedKeys(last, subscription)
  for (const [itemKey, charge] of last) {
    if (subscription.items.length === 0 || stated.has(itemKey) || adopted.has(itemKey)) continue
    statement.closings.push({ at: Math.min(charge.until, asOf), itemKey })
  }
  if (!isCounting) return statement
  const adoptedItems = new Set(adopted.values())
  for (const item of licensedItems(subscription)) {
    if (adoptedItems.has(item.id)) continue
    const declaration = declarationOf(item, last, charges, pricing, asOf)
    if (declaration) statement.declarations.push(declaration)
  }
  return statement
}

function lastCharges(charges: readonly Charge[]): Map<string, Charge> {
  const last = new Map<string, Charge>()
  for (const charge of charges) {
    const before = last.get(charge.itemKey)
    if (!before || before.at < charge.at || (before.at === charge.at && compareCharges(before, charge) < 0)) {
      last.set(charge.itemKey, charge)
    }
  }
  return last
}

/** Invoices that name another item id for the same price and quantity mean the item that has no invoice of its own. */
function adoptedKeys(
  last: ReadonlyMap<string, Charge>,
  subscription: PaymentSubscription,
): Map<string, string> {
  const adopted = new Map<string, string>()
  for (const item of licensedItems(subscription)) {
    if (last.has(item.id)) continue
    for (const [itemKey, charge] of last) {
      const isFree = !adopted.has(itemKey) && !subscription.items.some(({ id }) => id === itemKey)
      if (isFree && charge.priceId === item.priceId && charge.quantity === (item.quantity ?? 1)) {
        adopted.set(itemKey, item.id)
        break
      }
    }
  }
  return adopted
}

function declarationOf(
  item: SubscriptionItem,
  last: ReadonlyMap<string, Charge>,
  charges: readonly Charge[],
  pricing: Pricing,
  asOf: Instant,
): Declaration | undefined {
  const charge = last.get(item.id)
  if (charge && isAsCharged(item, charge, pricing)) return undefined
  if (charge) {
    const isInside = item.periodStart < charge.until - renewalDriftSeconds || item.periodStart > asOf
    return { at: isInside ? asOf : item.periodStart, itemKey: item.id, item, isInsideBilledPeriod: isInside }
  }
  const { subscription } = pricing
  const firstCharge = charges.reduce<Instant | undefined>(
    (at, { at: other }) => Math.min(at ?? other, other),
    undefined,
  )
  const isAddedLater = item.createdAt > subscription.createdAt + sameRequestSeconds
  const begin = firstCharge === undefined ? beginningOf(subscription, asOf) : item.periodStart
  const at = isAddedLater ? Math.max(item.createdAt, firstCharge ?? begin) : begin
  return { at: Math.min(at, asOf), itemKey: item.id, item, isInsideBilledPeriod: false }
}

/** When a subscription without any invoice began to be worth something: after its trial, at its start (R16, R32). */
function beginningOf(subscription: PaymentSubscription, asOf: Instant): Instant {
  const { startedAt, trialEnd } = subscription
  return trialEnd !== null && trialEnd > startedAt && trialEnd <= asOf ? trialEnd : startedAt
}

function isAsCharged(item: SubscriptionItem, charge: Charge, pricing: Pricing): boolean {
  const isSamePrice = charge.priceId === null || charge.priceId === item.priceId
  if (!isSamePrice) return false
  if (charge.quantity === (item.quantity ?? 1)) return true
  // Tier lines do not always repeat the quantity; without the tiers the invoice stands.
  return item.price.billingScheme === 'tiered' && statedAmount(item, pricing) === undefined
}
