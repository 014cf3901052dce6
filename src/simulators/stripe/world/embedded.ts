import { isRecord, type SimulatedWorld } from './world.ts'

type Found = Map<string, Readonly<Record<string, unknown>>>

/**
 * Inline prices (`price_data`): those that the world names, and those only on subscription items. Stripe leaves them
 * out of the list, but retrieves them by id.
 */
export function collectInlinePrices(world: SimulatedWorld): Found {
  const found: Found = new Map()
  const listed = new Set(world.prices.map((price) => price.id))
  const named = new Set(world.inline_prices)
  for (const price of world.prices) if (named.has(price.id)) found.set(price.id, price)
  for (const subscription of world.subscriptions) {
    for (const item of rowsOf(subscription['items'])) {
      const price = item['price']
      if (isRecord(price) && typeof price['id'] === 'string' && !listed.has(price['id']))
        found.set(price['id'], price)
    }
  }
  return found
}

/** Discounts have no list and no retrieve call, so they come from where the world embeds them. */
export function collectDiscounts(world: SimulatedWorld): Found {
  const found: Found = new Map()
  for (const customer of world.customers)
    add(found, 'discount' in customer ? customer['discount'] : undefined)
  for (const subscription of world.subscriptions) {
    addAll(found, subscription['discounts'])
    for (const item of rowsOf(subscription['items'])) addAll(found, item['discounts'])
  }
  for (const invoice of world.invoices) {
    addAll(found, invoice['discounts'])
    for (const line of rowsOf(invoice['lines'])) addAll(found, line['discounts'])
  }
  return found
}

/** The rows of an embedded list object. */
export function rowsOf(list: unknown): Readonly<Record<string, unknown>>[] {
  if (!isRecord(list) || !Array.isArray(list['data'])) return []
  return list['data'].filter(isRecord)
}

function addAll(found: Found, values: unknown): void {
  if (Array.isArray(values)) for (const value of values) add(found, value)
}

function add(found: Found, value: unknown): void {
  if (isRecord(value) && typeof value['id'] === 'string') found.set(value['id'], value)
}
