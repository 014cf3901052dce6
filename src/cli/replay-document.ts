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
import { idOrNull, UnreadableObject } from '#server/providers/stripe/from-stripe/read-fields.ts'
import { toSubscription } from '#server/providers/stripe/from-stripe/subscription.ts'

/** A replay file as our own objects; lists keep the order of the file. */
export type ReplayDocument = {
  asOf: Instant
  products: ReadonlyMap<string, PaymentProduct>
  prices: ReadonlyMap<string, PaymentPrice>
  /** Discounts of whole customers, by customer. */
  customerDiscounts: ReadonlyMap<string, PaymentDiscount[]>
  subscriptions: PaymentSubscription[]
  invoices: PaymentInvoice[]
}

/** Says which field of a replay file cannot be used, as in 'invoices[3].id is missing'. */
export class BadReplayInput extends Error {}

const isoInstant = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2}))?$/

/** Reads the JSON text of a replay file (design section 7). Throws BadReplayInput naming the field. */
export function readReplayDocument(text: string): ReplayDocument {
  const root = parse(text)
  if (!isRecord(root)) throw new BadReplayInput('the document is no JSON object')
  const asOf = asOfOf(root['as_of'])
  const products = byId(listOf(root, 'products', toProduct))
  const prices = byId<PaymentPrice>(listOf(root, 'prices', toPrice))
  const coupons = byId<PaymentCoupon>(listOf(root, 'coupons', toCoupon))
  entriesIn(root, 'invoice_payments')
  // Files may hold customers without an id; only those that subscriptions name matter.
  const customers = entriesIn(root, 'customers').filter((value) => isRecord(value) && 'discount' in value)
  const customerDiscounts = new Map(
    customers
      .filter((value) => idOrNull(value) !== null)
      .map((value) => toCustomer(value, { coupons }))
      .map(({ id, discounts = [] }) => [id, discounts]),
  )
  const subscriptions = listOf(root, 'subscriptions', (value) => {
    requireComplete(value, 'items')
    return toSubscription(value, { coupons, prices })
  })
  const invoices = listOf(root, 'invoices', (value) => {
    requireComplete(value, 'lines')
    return toInvoice(value, { coupons })
  })
  return {
    asOf,
    products,
    prices,
    customerDiscounts,
    subscriptions: [...byId(subscriptions).values()],
    invoices: [...byId(invoices).values()],
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadReplayInput('the document is no JSON')
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asOfOf(value: unknown): Instant {
  const at = typeof value === 'string' && isoInstant.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at) || at < 0) throw new BadReplayInput('as_of is missing or no ISO instant')
  return Math.floor(at / 1000)
}

/** The entries of a list field, bare or as Stripe's list object; none where the field is missing. */
function entriesIn(root: Record<string, unknown>, name: string): unknown[] {
  const value = root[name]
  if (value === undefined || value === null) return []
  const entries = isRecord(value) ? value['data'] : value
  if (!Array.isArray(entries)) throw new BadReplayInput(`${name} is no list`)
  return entries
}

function listOf<T>(root: Record<string, unknown>, name: string, read: (value: unknown) => T): T[] {
  return entriesIn(root, name).map((value, index) => {
    if (!isRecord(value)) throw new BadReplayInput(`${name}[${index}] is no object`)
    try {
      return read(value)
    } catch (error) {
      if (error instanceof UnreadableObject) throw new BadReplayInput(`${name}[${index}].${error.message}`)
      throw error
    }
  })
}

/** Figures from the first page of a list would be wrong in silence. */
function requireComplete(value: unknown, name: string): void {
  const list = isRecord(value) ? value[name] : undefined
  if (isRecord(list) && list['has_more'] === true) {
    throw new UnreadableObject(`${name}.has_more`, 'is true: the list has to be embedded whole')
  }
}

function byId<T extends { id: string }>(list: readonly T[]): Map<string, T> {
  return new Map(list.map((entry) => [entry.id, entry]))
}
