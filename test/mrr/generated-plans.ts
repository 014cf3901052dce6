/** The prices and discounts of generated accounts. */
import type { PaymentCoupon, PaymentPrice } from '#domain/payments.ts'
import { coupon, price } from './examples.ts'

export const currencies = ['usd', 'jpy', 'kwd'] as const

const tiers = [
  { upTo: 10, unitAmountDecimal: '900', flatAmountDecimal: '100' },
  { upTo: null, unitAmountDecimal: '750', flatAmountDecimal: null },
]
const packaged = (round: string): Partial<PaymentPrice> => ({ transformQuantity: { divideBy: 5, round } })
const tiered = (tiersMode: string): Partial<PaymentPrice> => ({ billingScheme: 'tiered', tiersMode, tiers })

type Plan = [product: number, unit: number | string | null, every: string, more?: Partial<PaymentPrice>]

/** The plans that cost unit amount x quantity come first. */
const offers: readonly Plan[] = [
  [0, 999, 'month'],
  [1, 2500, 'month'],
  [1, 10_000, 'year'],
  [0, '3333.5', '3 month'],
  [2, 700, 'week'],
  [2, 37, 'day'],
  [3, 48_000, '2 year'],
  [3, '12.5', 'month'],
  [4, 0, 'month'],
  [5, 1200, 'month', packaged('up')],
  [5, 1200, 'month', packaged('down')],
  [6, null, '6 month', tiered('volume')],
  [7, null, 'month', tiered('graduated')],
  [8, 2, 'month', { usageType: 'metered' }],
]

export const planCount = offers.length
export const graduatedPlan = planCount - 2
/** The number of leading plans that cost unit amount x quantity at any quantity. */
export const linearPlanCount = 9

/** The index of the currency, and the item's position in its subscription. */
export type Seller = { currency: number; place: number; name: Naming }

/** Mirrored ids sort the other way, so that a dependence on their order becomes visible. */
export type Naming = (kind: string, ...numbers: number[]) => string
const highestNumber = 99

export function namingOf(isMirrored: boolean): Naming {
  const digits = (n: number): string => String(isMirrored ? highestNumber - n : n).padStart(2, '0')
  return (kind, ...numbers) => `${kind}_${numbers.map(digits).join('-')}`
}

/** A text with every id mirrored. */
export function mirrored(text: string): string {
  return text.replace(
    /\b(sub|si|in|il|di|co|price|prod)_(\d\d(?:-\d\d)*)/g,
    (_, kind: string, numbers: string) => {
      const turned = numbers.split('-').map((n) => String(highestNumber - Number(n)).padStart(2, '0'))
      return `${kind}_${turned.join('-')}`
    },
  )
}

/** A plan as the price of one item; a price is on one item only, as at the provider. */
export function planOf(index: number, { currency, place, name }: Seller): PaymentPrice {
  const [product, unit, every, more] = offers[index] ?? [0, 999, 'month']
  return price(name('price', index, currency, place), unit, every, {
    productId: name('prod', product),
    currency: currencies[currency] ?? 'usd',
    ...more,
  })
}

/** The coupons by number; percentages come first, including once, for months and for ever. */
export function couponOf(index: number, currencyIndex: number, name: Naming): PaymentCoupon {
  const currency = currencies[currencyIndex] ?? 'usd'
  const kinds: Partial<PaymentCoupon>[] = [
    { percentOff: 10 },
    { percentOff: 33.33 },
    { percentOff: 25, appliesToProductIds: [name('prod', 1)] },
    { percentOff: 100 },
    { percentOff: 20, duration: 'once' },
    { percentOff: 100, duration: 'once' },
    { percentOff: 50, duration: 'repeating', durationInMonths: 3 },
    { amountOffCents: 500, currency },
    { amountOffCents: 1200, currency, duration: 'repeating', durationInMonths: 2 },
    { amountOffCents: 90_000, currency, duration: 'once' },
  ]
  return coupon(name('co', index, currencyIndex), kinds[index] ?? {})
}

export const couponCount = 10
/** The number of leading coupons with a percentage. */
export const percentCouponCount = 7
/** The number of leading coupons with a percentage that lasts for ever. */
export const lastingPercentCount = 4
