import type { Instant } from '#domain/instant.ts'
import type {
  PaymentCoupon,
  PaymentDiscount,
  PaymentInvoice,
  PaymentPrice,
  PaymentProduct,
  PaymentSubscription,
} from '#domain/payments.ts'
import { toCoupon } from '#server/providers/stripe/from-stripe/coupon.ts'
import { toCustomer } from '#server/providers/stripe/from-stripe/customer.ts'
import { toInvoice } from '#server/providers/stripe/from-stripe/invoice.ts'
import { toPrice } from '#server/providers/stripe/from-stripe/price.ts'
import { toProduct } from '#server/providers/stripe/from-stripe/product.ts'
import { entriesOf, idOrNull } from '#server/providers/stripe/from-stripe/read-fields.ts'
import { toSubscription } from '#server/providers/stripe/from-stripe/subscription.ts'
import { BadReplayInput, isRecord } from './field-checks.ts'
import { listChecks } from './stripe-fields.ts'

/** A replay file as our own objects; lists keep the file's order. */
export type ReplayDocument = {
  asOf: Instant
  products: ReadonlyMap<string, PaymentProduct>
  prices: ReadonlyMap<string, PaymentPrice>
  /** Discounts of whole customers, by customer id. */
  customerDiscounts: ReadonlyMap<string, PaymentDiscount[]>
  subscriptions: PaymentSubscription[]
  invoices: PaymentInvoice[]
}

const isoInstant =
  /^(\d{4})-(\d{2})-(\d{2})(?:T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2}))?$/

/** Lists that a file must have; the others are optional. */
const neededLists = ['subscriptions', 'invoices']

/**
 * Reads the bytes of a replay file (README, "Check the figures yourself"). Throws BadReplayInput, which names the field.
 */
export function readReplayFile(bytes: Uint8Array): ReplayDocument {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new BadReplayInput('the document is no UTF-8 text')
  }
  return readReplayDocument(text)
}

/**
 * Reads the JSON text of a replay file. Refuses what Stripe cannot have sent; the rules handle what Stripe may add later.
 */
export function readReplayDocument(text: string): ReplayDocument {
  const root = parse(text)
  const asOf = asOfOf(root['as_of'])
  for (const [name, check] of Object.entries(listChecks)) {
    const list = root[name]
    const isNeeded = neededLists.includes(name)
    if (isNeeded && list === undefined) throw new BadReplayInput(`${name} is missing`)
    if (isNeeded || (list !== undefined && list !== null)) check(list, name)
  }
  return documentOf(root, asOf)
}

/** Reads lists through the import's tolerant readers, which refuse only an object without an id. */
export function documentOf(root: Readonly<Record<string, unknown>>, asOf: Instant): ReplayDocument {
  const products = byId(entriesOf(root['products']).map(toProduct))
  const prices = byId<PaymentPrice>(entriesOf(root['prices']).map(toPrice))
  const coupons = byId<PaymentCoupon>(entriesOf(root['coupons']).map(toCoupon))
  // Files may contain customers without an id; only customers that subscriptions name matter.
  const customers = entriesOf(root['customers']).filter((value) => idOrNull(value) !== null)
  const customerDiscounts = new Map(
    customers.map((value) => toCustomer(value, { coupons })).map(({ id, discounts = [] }) => [id, discounts]),
  )
  const subscriptions = entriesOf(root['subscriptions']).map((value) =>
    toSubscription(value, { coupons, prices }),
  )
  const invoices = entriesOf(root['invoices']).map((value) => toInvoice(value, { coupons }))
  return {
    asOf,
    products,
    prices,
    customerDiscounts,
    subscriptions: [...byId(subscriptions).values()],
    invoices: [...byId(invoices).values()],
  }
}

function parse(text: string): Record<string, unknown> {
  let root: unknown
  try {
    root = JSON.parse(text)
  } catch {
    throw new BadReplayInput('the document is no JSON')
  }
  if (!isRecord(root)) throw new BadReplayInput('the document is no JSON object')
  return root
}

/** The instant of an ISO text with a valid calendar day; a day alone means 00:00 UTC. */
function asOfOf(value: unknown): Instant {
  if (value === undefined) throw new BadReplayInput('as_of is missing')
  const parts = typeof value === 'string' ? isoInstant.exec(value) : null
  const [year = 0, month = 0, day = 0] = (parts ?? []).slice(1, 4).map(Number)
  const isInCalendar = month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month)
  const at = parts && isInCalendar ? Date.parse(parts[0]) : Number.NaN
  if (Number.isNaN(at) || at < 0) throw new BadReplayInput('as_of is no ISO instant')
  return Math.floor(at / 1000)
}

function daysOfMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

function byId<T extends { id: string }>(list: readonly T[]): Map<string, T> {
  return new Map(list.map((entry) => [entry.id, entry]))
}
