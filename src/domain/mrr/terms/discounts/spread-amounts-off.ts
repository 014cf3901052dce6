import { taxInside } from '../../exact/percent-behind-cents.ts'
import {
  isPositive,
  minus,
  notBelowZero,
  over,
  type Rational,
  smaller,
  sumOf,
  times,
  zero,
} from '../../exact/rational.ts'
import { rateOfTerms } from '../inclusive-rates.ts'
import { completeTerms, type ItemTerms, type Pricing } from '../item-terms.ts'
import { totalOff } from './discount-stack.ts'
import { lastingOfAll } from './is-lasting.ts'

type Items = ReadonlyMap<string, ItemTerms>

/**
 * An amount off the whole invoice stays one amount when one of its items changes inside a period: the earlier sum is
 * spread again over the current items (R5). Returns the items that change.
 */
export function spreadAmountsOff(before: Items, after: Items, pricing: Pricing): ItemTerms[] {
  const changed = new Map<string, ItemTerms>()
  for (const id of amountIdsOf(before)) {
    const earlier = bearersOf(id, before)
    const bearers = bearersOf(id, after).map((terms) => changed.get(terms.itemKey) ?? terms)
    const isShared = earlier.length > 1 || bearers.length > 1
    const hasEnded = earlier.some(
      ({ itemKey }) => after.has(itemKey) && !bearers.some((one) => one.itemKey === itemKey),
    )
    if (!isShared || hasEnded || !areBilledTogether([...earlier, ...bearers])) continue
    const total = sumOf(earlier.map((terms) => offBy(id, terms)))
    const gross = sumOf(bearers.map((terms) => terms.gross))
    for (const terms of bearers) {
      const share = over(times(total, terms.gross), gross)
      changed.set(terms.itemKey, withOff(terms, id, share, pricing))
    }
  }
  return [...changed.values()]
}

function amountIdsOf(items: Items): Set<string> {
  const parts = [...items.values()].flatMap(({ discounts }) => discounts)
  return new Set(
    parts.flatMap(({ id, kind, off }) => (kind === 'amount' && id !== null && isPositive(off) ? id : [])),
  )
}

function bearersOf(discountId: string, items: Items): ItemTerms[] {
  return [...items.values()].filter(({ discounts }) => discounts.some(({ id }) => id === discountId))
}

/** Items with other intervals are billed on other invoices, and each invoice gets the full amount off. */
function areBilledTogether(items: readonly ItemTerms[]): boolean {
  return new Set(items.map(({ cadence }) => `${cadence.count} ${cadence.interval}`)).size === 1
}

function offBy(discountId: string, { discounts }: ItemTerms): Rational {
  return discounts.find(({ id }) => id === discountId)?.off ?? zero
}

function withOff(terms: ItemTerms, discountId: string, off: Rational, pricing: Pricing): ItemTerms {
  const discounts = terms.discounts.map((part) =>
    part.id === discountId ? { ...part, off: smaller(off, terms.gross), kind: 'amount' as const } : part,
  )
  const net = notBelowZero(minus(terms.gross, totalOff(discounts)))
  const inclusiveTax = isPositive(terms.inclusiveTax) ? taxInside(net, rateOfTerms(terms)) : zero
  return completeTerms(
    {
      ...terms,
      isSpread: true,
      discounts,
      inclusiveTax,
      zeroWhenGrossIsZero: terms.zeroBecause ?? 'lasting',
      zeroWhenDiscounted: lastingOfAll(discounts, terms.gross, pricing),
    },
    pricing.policy,
  )
}
