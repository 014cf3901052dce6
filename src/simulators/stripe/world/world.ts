/**
 * A world: everything in the simulated account, as one JSON document with the shapes of API version
 * 2026-10-28.endive. Embedded lists are whole; the simulator cuts lists and turns embedded objects into ids when it
 * answers.
 */

/** Any Stripe object: times are Unix seconds, money is in the currency's minor unit. */
export type StripeObject = { id: string; object: string; created: number; [field: string]: unknown }

/** The stub of a deleted object; Stripe still retrieves it by id. */
export type DeletedObject = { id: string; object: string; deleted: true }

export type SimulatedWorld = {
  /** The account's current time, as an ISO instant. */
  as_of: string
  customers: readonly (StripeObject | DeletedObject)[]
  products: readonly (StripeObject | DeletedObject)[]
  prices: readonly (StripeObject | DeletedObject)[]
  coupons: readonly (StripeObject | DeletedObject)[]
  subscriptions: readonly StripeObject[]
  invoices: readonly StripeObject[]
  invoice_payments: readonly StripeObject[]
  /** Ids of inline prices (`price_data`): Stripe leaves them out of the list, but retrieves them by id. */
  inline_prices?: readonly string[]
  payment_methods?: readonly StripeObject[]
  payment_intents?: readonly StripeObject[]
  events?: readonly StripeObject[]
  test_clocks?: readonly StripeObject[]
  /** The account object of GET /v1/account. */
  account?: { id: string; object: string; [field: string]: unknown }
  /** API keys that this account accepts in addition to the demonstration keys. */
  keys?: readonly string[]
}

/** The lists that every world must have, and the `object` word of their rows. */
const requiredLists = {
  customers: 'customer',
  products: 'product',
  prices: 'price',
  coupons: 'coupon',
  subscriptions: 'subscription',
  invoices: 'invoice',
  invoice_payments: 'invoice_payment',
} as const

const optionalLists = {
  payment_methods: 'payment_method',
  payment_intents: 'payment_intent',
  events: 'event',
  test_clocks: 'test_helpers.test_clock',
} as const

/** Lists that may contain deleted stubs. */
const mayBeDeleted: ReadonlySet<string> = new Set(['customers', 'products', 'prices', 'coupons'])

const embeddedLists: Readonly<Record<string, string>> = { subscriptions: 'items', invoices: 'lines' }

/** An invalid world; `field` is the path of the bad value, such as `invoices[3].created`. */
export class WorldError extends Error {
  readonly field: string
  constructor(field: string, reason: string) {
    super(`${field} ${reason}`)
    this.name = 'WorldError'
    this.field = field
  }
}

/** Reads a world from parsed JSON. Throws WorldError with the path of the first bad field. */
export function readWorld(json: unknown): SimulatedWorld {
  assertWorld(json)
  return json
}

/** Whether a value is a JSON object (neither null nor an array). */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function assertWorld(json: unknown): asserts json is SimulatedWorld {
  if (!isRecord(json)) throw new WorldError('world', 'must be a JSON object')
  const asOf = json['as_of']
  if (typeof asOf !== 'string' || Number.isNaN(Date.parse(asOf)))
    throw new WorldError('as_of', 'must be an ISO instant')
  for (const [list, object] of Object.entries(requiredLists)) assertList(json[list], list, object)
  for (const [list, object] of Object.entries(optionalLists)) {
    if (json[list] !== undefined) assertList(json[list], list, object)
  }
  const account = json['account']
  if (account !== undefined && !(isRecord(account) && typeof account['id'] === 'string'))
    throw new WorldError('account.id', 'must be a string')
  for (const name of ['keys', 'inline_prices']) {
    const texts = json[name]
    if (texts !== undefined && !(Array.isArray(texts) && texts.every((text) => typeof text === 'string')))
      throw new WorldError(name, 'must be a list of strings')
  }
}

function assertList(rows: unknown, list: string, object: string): void {
  if (!Array.isArray(rows)) throw new WorldError(list, 'must be a list')
  const seen = new Set<string>()
  rows.forEach((row: unknown, index) => {
    const at = `${list}[${index}]`
    if (!isRecord(row)) throw new WorldError(at, 'must be an object')
    const id = row['id']
    if (typeof id !== 'string' || id === '') throw new WorldError(`${at}.id`, 'must be a non-empty string')
    if (seen.has(id)) throw new WorldError(`${at}.id`, `repeats ${id}`)
    seen.add(id)
    if (row['object'] !== object) throw new WorldError(`${at}.object`, `must be '${object}'`)
    if (row['deleted'] === true && mayBeDeleted.has(list)) return
    if (!Number.isSafeInteger(row['created']))
      throw new WorldError(`${at}.created`, 'must be whole Unix seconds')
    const embedded = embeddedLists[list]
    if (embedded !== undefined) assertEmbedded(row[embedded], `${at}.${embedded}`)
  })
}

function assertEmbedded(list: unknown, at: string): void {
  if (!isRecord(list)) throw new WorldError(at, 'must be a list object')
  const rows = list['data']
  if (!Array.isArray(rows)) throw new WorldError(`${at}.data`, 'must be a list')
  rows.forEach((row: unknown, index) => {
    if (!isRecord(row) || typeof row['id'] !== 'string')
      throw new WorldError(`${at}.data[${index}].id`, 'must be a string')
  })
  if (list['has_more'] === true)
    throw new WorldError(`${at}.has_more`, 'must be false: a world embeds lists whole')
}
