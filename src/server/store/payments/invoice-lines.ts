// A fast path. Instead of: lines as JSON objects with names. Gain: 260 bytes instead of 560 for a line, of which most of what an
// import writes consists. To take it out: store named fields in a migration, and let this file write and read those. No
// other file knows the places.

import { sql } from 'kysely'
import type { InvoiceLine } from '#domain/payments.ts'
import { type JsonText, storableJson } from '../postgres/json-rows.ts'

/**
 * A stored invoice line: common fields by position, because names would take more than half the space; rare fields by
 * name at the end. Invoices are most of what an import writes and the rebuild reads.
 */
export type KeptLine = readonly [
  id: string,
  subscriptionId: string | null,
  subscriptionItemId: string | null,
  priceId: string | null,
  productId: string | null,
  amountCents: number,
  quantity: number | null,
  unitAmountDecimal: string | null,
  periodStart: number,
  periodEnd: number,
  isProration: boolean,
  isDiscountable: boolean,
  isSubscriptionItem: boolean,
  description: string | null,
  rest?: Partial<InvoiceLine>,
]

/** In SQL over a stored `line`: its id, and the subscription that it names. */
export const lineIdInSql = sql<string>`line ->> 0`
export const lineSubscriptionInSql = sql<string | null>`line ->> 1`

/** The lines of an invoice as the JSON text in its row. */
export function keptLines(lines: readonly InvoiceLine[]): JsonText {
  return storableJson(lines.map(keptLine))
}

/** The number of fields of a line without rare ones. */
const plainFieldCount = 17

function keptLine(line: InvoiceLine): KeptLine {
  const byPlace = [
    line.id,
    line.subscriptionId,
    line.subscriptionItemId,
    line.priceId,
    line.productId,
    line.amountCents,
    line.quantity,
    line.unitAmountDecimal,
    line.periodStart,
    line.periodEnd,
    line.isProration,
    line.isDiscountable,
    line.isSubscriptionItem,
    line.description,
  ] as const
  const isPlain = line.discountCents === 0 && line.discounts.length === 0 && line.inclusiveTaxCents === 0
  if (isPlain && Object.keys(line).length === plainFieldCount) return byPlace
  const rest = restOf(line)
  const { discountCents, discounts, inclusiveTaxCents, ...rare } = rest
  return [...byPlace, isPlain ? rare : rest]
}

/**
 * The fields without a position. Call it only for lines that have some: omitting each name separately costs more than
 * all other steps here.
 */
function restOf(line: InvoiceLine) {
  const { id, subscriptionId, subscriptionItemId, priceId, productId, ...amounts } = line
  const { amountCents, quantity, unitAmountDecimal, periodStart, periodEnd, ...kind } = amounts
  const { isProration, isDiscountable, isSubscriptionItem, description, ...rest } = kind
  return rest
}

/** The line from its stored form, which omits absent discounts and taxes. */
export function lineOf(kept: KeptLine): InvoiceLine {
  const line: InvoiceLine = {
    id: kept[0],
    subscriptionId: kept[1],
    subscriptionItemId: kept[2],
    priceId: kept[3],
    productId: kept[4],
    amountCents: kept[5],
    quantity: kept[6],
    unitAmountDecimal: kept[7],
    periodStart: kept[8],
    periodEnd: kept[9],
    isProration: kept[10],
    isDiscountable: kept[11],
    isSubscriptionItem: kept[12],
    description: kept[13],
    discountCents: 0,
    discounts: [],
    inclusiveTaxCents: 0,
  }
  return kept[14] ? { ...line, ...kept[14] } : line
}
