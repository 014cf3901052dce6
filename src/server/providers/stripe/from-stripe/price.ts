import type { PaymentPrice, PriceAmounts, PriceTier } from '#domain/payments.ts'
import {
  at,
  decimalOrNull,
  fieldsOf,
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
  const currencyOptions = toCurrencyOptions(price['currency_options'])
  return {
    id: idOf(value),
    productId: idOrNull(price['product']),
    createdAt: instantOrNull(price['created']) ?? 0,
    currency: textOr(price['currency'], '').toLowerCase(),
    interval: textOrNull(cadence['interval']),
    intervalCount: integerOr(cadence['interval_count'] ?? 1, 0),
    usageType: textOr(cadence['usage_type'], 'licensed'),
    billingScheme: textOr(price['billing_scheme'], 'per_unit'),
    unitAmountDecimal: unitAmount(price, isPlan ? 'amount' : 'unit_amount'),
    tiersMode: textOrNull(price['tiers_mode']),
    tiers: toTiers(price['tiers']),
    transformQuantity: toTransform(price['transform_quantity'] ?? price['transform_usage']),
    taxBehavior: textOrNull(price['tax_behavior']),
    ...(currencyOptions && { currencyOptions }),
  }
}

/** Amounts in other currencies. Stripe sends them only on request. */
function toCurrencyOptions(value: unknown): Record<string, PriceAmounts> | undefined {
  const options = fieldsOf(value)
  if (!options) return undefined
  return Object.fromEntries(
    Object.entries(options).map(([currency, option]) => [
      currency.toLowerCase(),
      { unitAmountDecimal: unitAmount(at(option), 'unit_amount'), tiers: toTiers(at(option)['tiers']) },
    ]),
  )
}

function toTiers(value: unknown): PriceTier[] | null {
  return Array.isArray(value) ? value.map(toTier) : null
}

/** The decimal field if it exists, otherwise the whole-cent field. */
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
  if (!fieldsOf(value)) return null
  // A package of size 0 is not a known kind of price, so only its invoices show what it costs.
  const divideBy = Math.max(0, integerOr(at(value)['divide_by'], 0))
  return { divideBy, round: textOr(at(value)['round'], 'up') }
}
