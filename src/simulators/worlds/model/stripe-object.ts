type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined }
export type StripeJson = { [key: string]: Json | undefined }

/** An object as the provider's API returns it; `id` and `object` are on every one. */
export type WorldObject = StripeJson & { id: string; object: string }

/** The provider's list envelope, with everything on its first page. */
export function listOf(data: WorldObject[], url: string): StripeJson {
  return { object: 'list', data, has_more: false, url }
}

/**
 * A whole simulated account as plain provider objects. Discounts are embedded whole in subscriptions, their items,
 * invoices, their lines and customers, with the coupon as an id: there is no other place they could be fetched from.
 */
export type GeneratedWorld = {
  /** ISO instant at which the account was looked at. */
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
