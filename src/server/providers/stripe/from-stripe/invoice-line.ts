import type { InvoiceLine } from '#domain/payments.ts'
import { toPrice } from './price.ts'
import {
  at,
  decimalOrNull,
  entriesOf,
  fieldsOf,
  idOrNull,
  instantOrNull,
  integerOr,
  integerOrNull,
  isTrue,
  isUnreadable,
  textOr,
  textOrNull,
} from './read-fields.ts'

/** The sources and pricing of lines that we count. Stripe may add values to both enums. */
const countedParents = new Set(['subscription_item_details', 'invoice_item_details'])
const countedPricing = new Set(['price_details'])

/**
 * Reads an invoice line in the shape since 2025-03-31 (parent, pricing, taxes) or the older one (type, price,
 * tax_amounts). Lines that do not name their subscription, or what bills them, use the invoice's.
 */
export function toInvoiceLine(
  value: unknown,
  invoiceSubscriptionId: string | null,
  invoiceBilledBy?: string,
): InvoiceLine {
  const line = at(value)
  const ofItem = at(value, 'parent', 'subscription_item_details')
  const ofInvoiceItem = at(value, 'parent', 'invoice_item_details')
  const isProration =
    isTrue(ofItem['proration']) || isTrue(ofInvoiceItem['proration']) || isTrue(line['proration'])
  const type = textOrNull(at(value, 'parent')['type']) ?? textOrNull(line['type'])
  const isOfItem = type === 'subscription_item_details' || type === 'subscription'
  const ownSubscriptionId =
    idOrNull(ofItem['subscription']) ??
    idOrNull(ofInvoiceItem['subscription']) ??
    idOrNull(line['subscription'])
  const subscriptionId = ownSubscriptionId ?? (isOfItem || isProration ? invoiceSubscriptionId : null)
  const amountCents = integerOrNull(line['amount'])
  const price = priceOf(value)
  const discounts = discountAmounts(line['discount_amounts'])
  const period = periodOf(value)
  const problem = problemOf(value, amountCents, period)
  const billedBy = billedByOf(value) ?? (type === null ? invoiceBilledBy : undefined)
  return {
    id: textOr(line['id'], ''),
    subscriptionId,
    subscriptionItemId: idOrNull(ofItem['subscription_item']) ?? idOrNull(line['subscription_item']),
    priceId: price.id,
    productId: price.productId,
    amountCents: amountCents ?? 0,
    quantity: integerOrNull(line['quantity']) ?? wholePart(line['quantity_decimal']),
    unitAmountDecimal: price.unitAmountDecimal,
    periodStart: period?.start ?? 0,
    periodEnd: period?.end ?? 0,
    isProration,
    discountCents: discounts.reduce((sum, discount) => sum + discount.amountCents, 0),
    discounts,
    inclusiveTaxCents: inclusiveTax(value),
    isDiscountable: line['discountable'] !== false,
    isSubscriptionItem: isOfItem || (isProration && subscriptionId !== null),
    description: textOrNull(line['description']),
    ...(isProration && isUnusedTime(value, amountCents ?? 0) ? { isCredit: true } : {}),
    ...(price.embedded ? { price: price.embedded } : {}),
    ...(billedBy === undefined ? {} : { billedBy }),
    ...(problem ? { problem } : {}),
  }
}

/** The source of a line with an unknown source or unknown pricing. */
function billedByOf(value: unknown): string | undefined {
  const parent = at(value, 'parent')
  const isOfKnown = [...countedParents].some((name) => fieldsOf(parent[name]) !== undefined)
  const type = textOrNull(parent['type'])
  if (type !== null && !isOfKnown && !countedParents.has(type)) return type
  const pricing = textOrNull(at(value, 'pricing')['type'])
  return pricing === null || countedPricing.has(pricing) ? undefined : pricing
}

/** Replaces the lines of an invoice that was sent without a list of them. */
export function missingLines(subscriptionId: string | null, invoiceBilledBy?: string): InvoiceLine {
  const nothing = invoiceBilledBy
    ? toInvoiceLine({}, subscriptionId, invoiceBilledBy)
    : toInvoiceLine({ type: 'subscription' }, subscriptionId)
  return { ...nothing, standsForAll: true, problem: 'its lines are missing: look at the invoice in Stripe' }
}

type Period = { start: number; end: number }

function periodOf(value: unknown): Period | null {
  const { start, end } = at(value, 'period')
  const [from, to] = [instantOrNull(start), instantOrNull(end)]
  return from === null || to === null ? null : { start: from, end: to }
}

function problemOf(value: unknown, amountCents: number | null, period: Period | null): string | undefined {
  if (amountCents === null) return 'the amount is missing or no whole number'
  if (period === null) return 'the service period is missing or unreadable'
  const { quantity, discount_amounts: off, taxes, tax_amounts: older } = at(value)
  if (isUnreadable(quantity, integerOrNull)) return 'the quantity is unreadable'
  const parts = [...entriesOf(off), ...entriesOf(taxes), ...entriesOf(older)]
  const isWhole = parts.every((part) => integerOrNull(at(part)['amount']) !== null)
  return isWhole ? undefined : 'the amount of a discount or tax is missing or no whole number'
}

function priceOf(value: unknown) {
  const line = at(value)
  const pricing = at(value, 'pricing')
  const details = at(value, 'pricing', 'price_details')
  const source = details['price'] ?? line['price'] ?? line['plan']
  const embedded = fieldsOf(source) && idOrNull(source) !== null ? toPrice(source) : undefined
  return {
    embedded,
    id: idOrNull(source),
    productId: idOrNull(details['product']) ?? embedded?.productId ?? null,
    unitAmountDecimal:
      decimalOrNull(pricing['unit_amount_decimal']) ??
      decimalOrNull(line['unit_amount_decimal']) ??
      embedded?.unitAmountDecimal ??
      null,
  }
}

function discountAmounts(value: unknown): InvoiceLine['discounts'] {
  return entriesOf(value).map((entry) => ({
    id: idOrNull(at(entry)['discount']) ?? '',
    amountCents: Math.max(0, integerOr(at(entry)['amount'], 0)),
  }))
}

function inclusiveTax(value: unknown): number {
  const { taxes, tax_amounts: older } = at(value)
  return [...entriesOf(taxes), ...entriesOf(older)]
    .map((entry) => at(entry))
    .filter((tax) => tax['tax_behavior'] === 'inclusive' || tax['inclusive'] === true)
    .reduce((sum, tax) => sum + integerOr(tax['amount'], 0), 0)
}

/** A credit of a proration: negative, or zero and linked to the line that it credits. */
function isUnusedTime(value: unknown, amountCents: number): boolean {
  if (amountCents !== 0) return amountCents < 0
  const credited = [
    at(value, 'parent', 'subscription_item_details', 'proration_details')['credited_items'],
    at(value, 'parent', 'invoice_item_details', 'proration_details')['credited_items'],
    at(value, 'proration_details')['credited_items'],
  ]
  const description = textOrNull(at(value)['description']) ?? ''
  return credited.some((items) => fieldsOf(items) !== undefined) || description.startsWith('Unused time')
}

function wholePart(value: unknown): number | null {
  const text = decimalOrNull(value)
  return text === null ? null : integerOrNull(Math.trunc(Number(text)))
}
