import type { PaymentPrice, PriceTier } from '../../payments.ts'
import { type Rational, rationalOfDecimal, sumOf, times, whole, zero } from '../exact/rational.ts'

/**
 * What a price charges for one billing period at a quantity, in exact minor units; undefined when it cannot be
 * determined.
 */
export function amountAtQuantity(price: PaymentPrice, quantity: number): Rational | undefined {
  const lines = linesAtQuantity(price, quantity)
  return lines && sumOf(lines)
}

/**
 * The same amount split into invoice lines: one for the units of each tier that is reached, one for its flat fee (R24).
 */
export function linesAtQuantity(price: PaymentPrice, quantity: number): Rational[] | undefined {
  if (!isKnownKind(price)) return undefined
  if (price.billingScheme === 'tiered') return tieredLines(price, quantity)
  const unit = price.unitAmountDecimal === null ? undefined : rationalOfDecimal(price.unitAmountDecimal)
  return unit && [times(unit, whole(billedUnits(price, quantity)))]
}

/** Whether we know every setting that decides the amount; otherwise only invoices show it. */
export function isKnownKind({ billingScheme, tiersMode, transformQuantity }: PaymentPrice): boolean {
  const isKnownRound =
    !transformQuantity ||
    (transformQuantity.divideBy > 0 &&
      (transformQuantity.round === 'up' || transformQuantity.round === 'down'))
  if (billingScheme === 'tiered') return tiersMode === 'graduated' || tiersMode === 'volume'
  return billingScheme === 'per_unit' && isKnownRound
}

/** Units after the package division of R25; people always see the undivided quantity. */
export function billedUnits(price: PaymentPrice | undefined, quantity: number): number {
  const packaging = price?.transformQuantity
  if (!packaging || !(packaging.divideBy > 0)) return quantity
  const packages = quantity / packaging.divideBy
  return packaging.round === 'down' ? Math.floor(packages) : Math.ceil(packages)
}

/** For each tier that has a line of its own at a quantity: its units, and their cost without the flat fee. */
export function seatsByTier(
  { tiersMode, tiers }: PaymentPrice,
  quantity: number,
): { units: number; amount: Rational }[] | undefined {
  if (!tiers || !areReadable(tiers)) return undefined
  const at = ({ unitAmountDecimal }: PriceTier, units: number) => ({
    units,
    amount: times(decimalOrZero(unitAmountDecimal), whole(units)),
  })
  if (tiersMode === 'volume') {
    const tier = tiers.find(({ upTo }) => upTo === null || quantity <= upTo)
    return tier && [at(tier, quantity)]
  }
  let below = 0
  const seats = tiers.map((tier) => {
    const units = Math.max(0, Math.min(quantity, tier.upTo ?? quantity) - below)
    below = tier.upTo ?? quantity
    return at(tier, units)
  })
  return seats.filter(({ units }) => units > 0)
}

function tieredLines(price: PaymentPrice, quantity: number): Rational[] | undefined {
  if (!price.tiers || !areReadable(price.tiers)) return undefined
  return price.tiersMode === 'volume'
    ? volumeLines(price.tiers, quantity)
    : graduatedLines(price.tiers, quantity)
}

/** Whether there is at least one tier, they ascend, and their amounts are numbers. */
function areReadable(tiers: readonly PriceTier[]): boolean {
  let below = 0
  for (const { upTo, unitAmountDecimal, flatAmountDecimal } of tiers) {
    const amounts = [unitAmountDecimal, flatAmountDecimal].filter((text) => text !== null)
    if (amounts.some((text) => rationalOfDecimal(text) === undefined)) return false
    if (upTo !== null && upTo <= below) return false
    below = upTo ?? Number.POSITIVE_INFINITY
  }
  return tiers.length > 0
}

function decimalOrZero(text: string | null): Rational {
  return (text === null ? undefined : rationalOfDecimal(text)) ?? zero
}

function linesOfTier({ unitAmountDecimal, flatAmountDecimal }: PriceTier, units: number): Rational[] {
  return [times(decimalOrZero(unitAmountDecimal), whole(units)), decimalOrZero(flatAmountDecimal)]
}

/** Prices every unit at the tier that contains the whole quantity. */
function volumeLines(tiers: readonly PriceTier[], quantity: number): Rational[] | undefined {
  const tier = tiers.find(({ upTo }) => upTo === null || quantity <= upTo)
  return tier && linesOfTier(tier, quantity)
}

/** Prices each unit at its own tier; a tier's flat fee is added once the tier is reached. */
function graduatedLines(tiers: readonly PriceTier[], quantity: number): Rational[] | undefined {
  const lines: Rational[] = []
  let below = 0
  for (const [index, tier] of tiers.entries()) {
    const reached = quantity > below || (index === 0 && quantity >= 0)
    if (!reached) return lines
    const top = tier.upTo === null ? quantity : Math.min(quantity, tier.upTo)
    lines.push(...linesOfTier(tier, Math.max(0, top - below)))
    if (tier.upTo === null || quantity <= tier.upTo) return lines
    below = tier.upTo
  }
  return undefined
}
