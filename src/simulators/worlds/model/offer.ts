import type { Interval } from '../time/calendar.ts'

export type Tier = {
  upTo: number | null
  unitCents: number
  flatCents: number
}

export type PriceScheme =
  | { kind: 'flat'; unitCents: string }
  | { kind: 'package'; unitCents: string; divideBy: number; round: 'up' | 'down' }
  | { kind: 'graduated' | 'volume'; tiers: Tier[] }

export type WorldProduct = {
  id: string
  name: string
  created: number
  active: boolean
  unitLabel: string | null
  description: string | null
}

export type Price = {
  id: string
  product: WorldProduct
  currency: string
  /** null for a one-time price. */
  interval: Interval | null
  count: number
  metered: boolean
  scheme: PriceScheme
  created: number
  active: boolean
  inline: boolean
  nickname: string | null
  taxBehavior: 'exclusive' | 'inclusive' | 'unspecified'
}

export type Coupon = {
  id: string
  name: string | null
  percentOff: number | null
  amountOff: number | null
  currency: string | null
  duration: 'once' | 'repeating' | 'forever'
  months: number | null
  created: number
  productsOnly: WorldProduct[] | null
  timesRedeemed: number
}

export type TaxRate = {
  id: string
  name: string
  percentage: string
  inclusive: boolean
  country: string
  kind: string
}

/** Everything the simulated business sells, by the short keys that stories use. */
export type Catalogue = {
  products: Map<string, WorldProduct>
  prices: Map<string, Price>
  coupons: Map<string, Coupon>
  taxRates: Map<string, TaxRate>
}
