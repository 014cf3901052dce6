type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined }
export type StripeJson = { [key: string]: Json | undefined }

/** An object as the provider's API returns it; every object has `id` and `object`. */
export type WorldObject = StripeJson & { id: string; object: string }

/** The provider's list envelope, with everything on its first page. */
export function listOf(data: WorldObject[], url: string): StripeJson {
  return { object: 'list', data, has_more: false, url }
}

/**
 * A whole simulated account as plain provider objects. Subscriptions, items, invoices, lines and customers embed
 * their discounts whole, with the coupon as an id, because no list of discounts exists.
 */
export type GeneratedWorld = {
  /** ISO instant of the snapshot. */
  as_of: string
  account: WorldObject
  customers: WorldObject[]
  products: WorldObject[]
  prices: WorldObject[]
  /** Ids of prices made inline (price_data): retrievable by id, never listed. */
  inline_prices: string[]
  coupons: WorldObject[]
  payment_methods: WorldObject[]
  subscriptions: WorldObject[]
  invoices: WorldObject[]
  invoice_payments: WorldObject[]
  payment_intents: WorldObject[]
  /** The last 30 days, oldest first. */
  events: WorldObject[]
}
