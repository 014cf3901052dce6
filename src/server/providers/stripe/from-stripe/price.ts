import type { PaymentPrice, PriceTier } from '#domain/payments.ts'
import {
  at,
  decimalOrNull,
  idOf,
  idOrNull,
  instantOrNull,
  integerOr,
  integerOrNull,
  textOr,
  textOrNull,
} from './read-fields.ts'

/** A price, or a plan of the older shape. Throws UnreadableObject without an id. */
export function toPrice(value: unknown): PaymentPrice {
  const price = at(value)
  const recurring = at(value, 'recurring')
  const isPlan = price['recurring'] === undefined && textOrNull(price['interval']) !== null
  const cadence = isPlan ? price : recurring
  return {
    id: idOf(value),
    productId: idOrNull(price['product']),
    createdAt: instantOrNull(price['created']) ?? 0,
    currency: textOr(price['currency'], '').toLowerCase(),
    interval: textOrNull(cadence['interval']),
    intervalCount: integerOr(cadence['interval_count'], 1),
    usageType: textOr(cadence['usage_type'], 'licensed'),
    billingScheme: textOr(price['billing_scheme'], 'per_unit'),
    unitAmountDecimal: unitAmount(price, isPlan ? 'amount' : 'unit_amount'),
    tiersMode: textOrNull(price['tiers_mode']),
    tiers: Array.isArray(price['tiers']) ? price['tiers'].map(toTier) : null,
    transformQuantity: toTransform(price['transform_quantity'] ?? price['transform_usage']),
    taxBehavior: textOrNull(price['tax_behavior']),
  }
}

/** The decimal field where there is one, else the whole-cent field beside it. */
function unitAmount(fields: Readonly<Record<string, unknown>>, name: string): string | null {
  return decimalOrNull(fields[`${name}_decimal`]) ?? decimalOrNull(integerOrNull(fields[name]))
}

function toTier(value: unknown): PriceTier {
  const tier = at(value)
  return {
    upTo: integerOrNull(tier['up_to']),
    unitAmountDecimal: unitAmount(tier, 'unit_amount'),
    flatAmountDecimal: unitAmount(tier, 'flat_amount'),
  }
}

function toTransform(value: unknown): PaymentPrice['transformQuantity'] {
  const divideBy = integerOrNull(at(value)['divide_by'])
  return divideBy === null || divideBy < 1 ? null : { divideBy, round: textOr(at(value)['round'], 'up') }
}
