import type { PaymentPrice, PriceTier } from '../payments.ts'
import { plus, type Rational, rationalOfDecimal, times, whole, zero } from './rational.ts'

/** What a price asks for one billing period at a number of units, exact minor units; undefined when it cannot be told. */
export function amountAtQuantity(price: PaymentPrice, quantity: number): Rational | undefined {
  if (!isKnownKind(price)) return undefined
  if (price.billingScheme === 'tiered') return tieredAmount(price, quantity)
  const unit = price.unitAmountDecimal === null ? undefined : rationalOfDecimal(price.unitAmountDecimal)
  return unit && times(unit, whole(billedUnits(price, quantity)))
}

/** Whether every word that decides the amount is one that is known; of another kind only invoices tell. */
export function isKnownKind({ billingScheme, tiersMode, transformQuantity }: PaymentPrice): boolean {
  const isKnownRound =
    !transformQuantity || transformQuantity.round === 'up' || transformQuantity.round === 'down'
  if (billingScheme === 'tiered') return tiersMode === 'graduated' || tiersMode === 'volume'
  return billingScheme === 'per_unit' && isKnownRound
}

/** Units after the package division of R25; the quantity shown to people stays the raw one. */
export function billedUnits(price: PaymentPrice | undefined, quantity: number): number {
  const packaging = price?.transformQuantity
  if (!packaging || !(packaging.divideBy > 0)) return quantity
  const packages = quantity / packaging.divideBy
  return packaging.round === 'down' ? Math.floor(packages) : Math.ceil(packages)
}

function tieredAmount(price: PaymentPrice, quantity: number): Rational | undefined {
  if (!price.tiers || price.tiers.length === 0) return undefined
  return price.tiersMode === 'volume'
    ? volumeAmount(price.tiers, quantity)
    : graduatedAmount(price.tiers, quantity)
}

function decimalOrZero(text: string | null): Rational {
  return (text === null ? undefined : rationalOfDecimal(text)) ?? zero
}

/** Every unit at the price of the tier that holds the whole quantity. */
function volumeAmount(tiers: readonly PriceTier[], quantity: number): Rational | undefined {
  const tier = tiers.find(({ upTo }) => upTo === null || quantity <= upTo)
  if (!tier) return undefined
  const units = times(decimalOrZero(tier.unitAmountDecimal), whole(quantity))
  return plus(units, decimalOrZero(tier.flatAmountDecimal))
}

/** Each unit at the price of the tier it falls into; a tier's flat fee once it is reached. */
function graduatedAmount(tiers: readonly PriceTier[], quantity: number): Rational | undefined {
  let sum = zero
  let below = 0
  for (const [index, tier] of tiers.entries()) {
    const reached = quantity > below || (index === 0 && quantity >= 0)
    if (!reached) return sum
    const top = tier.upTo === null ? quantity : Math.min(quantity, tier.upTo)
    sum = plus(sum, times(decimalOrZero(tier.unitAmountDecimal), whole(Math.max(0, top - below))))
    sum = plus(sum, decimalOrZero(tier.flatAmountDecimal))
    if (tier.upTo === null || quantity <= tier.upTo) return sum
    below = tier.upTo
  }
  return undefined
}
