import { billedByBillingV2 } from '../billing-v2.ts'
import { isoOfInstant } from '../instant.ts'
import type { InvoiceLine, PaymentInvoice, PaymentPrice, PaymentSubscription } from '../payments.ts'
import { type Charge, type Credit, countsAsEvidence, type IgnoredLine, isInstant } from './evidence.ts'
import { lineDiscountsOf } from './invoice-discount.ts'
import { belongsTo, itemKeysOf } from './item-key.ts'

export type InvoiceReading = {
  charges: Charge[]
  credits: Credit[]
  /** Lines without a part in MRR, by invoice. */
  ignored: Map<string, IgnoredLine[]>
  /** The invoices that are no evidence at all, or not yet, oldest first. */
  passedOver: PaymentInvoice[]
  /** What a person must look at before this subscription can be counted; null when all could be read. */
  problem: string | null
}

/** Sorts the lines of a subscription's invoices into charges, credits and lines that do not matter. */
export function readInvoices(
  subscription: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
  prices: ReadonlyMap<string, PaymentPrice>,
): InvoiceReading {
  const keyOf = itemKeysOf(subscription, invoices)
  const reading: InvoiceReading = {
    charges: [],
    credits: [],
    ignored: new Map(),
    passedOver: [],
    problem: null,
  }
  const currentPrices = new Map(subscription.items.map((item) => [item.priceId, item.price]))
  for (const invoice of invoices) {
    const isEvidence = countsAsEvidence(invoice) && isInCurrencyOf(subscription, invoice)
    if (!isEvidence) reading.passedOver.push(invoice)
    const discounts = lineDiscountsOf(invoice)
    const firstCharge = reading.charges.length
    let credited: string | null = null
    for (const [index, line] of invoice.lines.entries()) {
      const price = line.price ?? prices.get(line.priceId ?? '') ?? currentPrices.get(line.priceId ?? '')
      const ignored = reasonToIgnore(line, invoice, subscription, price)
      if (ignored) {
        noteIgnored(reading.ignored, invoice, line, ignored)
        continue
      }
      reading.problem ??= problemOf(line, invoice)
      const itemKey = keyOf(line)
      if (isCredit(line)) {
        const quantity = line.quantity ?? 1
        reading.credits.push({ at: line.periodStart, itemKey, invoice, line, quantity })
        noteIgnored(reading.ignored, invoice, line, givenBack)
        credited = itemKey
        continue
      }
      const charge = chargeOf(line, invoice, price, itemKey, discounts[index] ?? line.discountCents)
      // A credit between two prorations of an item means two changes, not two tiers of one.
      const isOtherChange = line.isProration && credited === itemKey
      addCharge(reading.charges, isOtherChange ? reading.charges.length : firstCharge, charge)
      if (credited === itemKey) credited = null
    }
  }
  return reading
}

type Reason = { reason: string; rule: string }

const givenBack: Reason = {
  reason: 'Money back for unused time: it ends what was billed before',
  rule: 'R12',
}

/** Notes why a line has no part in MRR. */
export function noteIgnored(
  ignored: Map<string, IgnoredLine[]>,
  invoice: PaymentInvoice,
  { id: lineId, amountCents }: InvoiceLine,
  reason: Reason,
): void {
  const list = ignored.get(invoice.id) ?? []
  list.push({ invoiceId: invoice.id, lineId, amountCents, ...reason })
  ignored.set(invoice.id, list)
}

function reasonToIgnore(
  line: InvoiceLine,
  invoice: PaymentInvoice,
  subscription: PaymentSubscription,
  price: PaymentPrice | undefined,
): Reason | undefined {
  if (!countsAsEvidence(invoice))
    return { reason: `The invoice is ${invoice.status ?? 'not issued'}`, rule: 'R26' }
  if (line.billedBy !== undefined) return { reason: billedByBillingV2, rule: 'R8' }
  if (!belongsTo(line, invoice, subscription)) return { reason: 'Not of this subscription', rule: 'R8' }
  if (!line.isSubscriptionItem && !line.isProration) return { reason: 'One-off item', rule: 'R8' }
  if (price?.usageType === 'metered') return { reason: 'Metered usage', rule: 'R23' }
  if (price && price.interval === null) return { reason: 'One-time price', rule: 'R8' }
  if (line.amountCents < 0 && !isCredit(line)) return { reason: 'A credit that is no proration', rule: 'R29' }
  if (!isInCurrencyOf(subscription, invoice)) return { reason: `In ${invoice.currency}`, rule: 'R34' }
  return undefined
}

/** An invoice that names no currency has its subscription's, which never changes. */
function isInCurrencyOf(subscription: PaymentSubscription, { currency }: PaymentInvoice): boolean {
  return currency === '' || currency === subscription.currency
}

/** The units of a line that names none: a flat fee of a tier has none, any other as many as its amount says, at least one. */
function quantityOf(
  { amountCents, unitAmountDecimal }: InvoiceLine,
  price: PaymentPrice | undefined,
): number {
  if (price?.billingScheme === 'tiered') return 0
  const units = amountCents / Number(unitAmountDecimal ?? amountCents)
  return Number.isSafeInteger(units) && units > 0 && !price?.transformQuantity ? units : 1
}

function isCredit(line: InvoiceLine): boolean {
  return line.isProration && (line.isCredit === true || line.amountCents < 0)
}

function problemOf(line: InvoiceLine, invoice: PaymentInvoice): string | null {
  const problem = line.problem ?? problemOfFigures(line)
  if (!problem) return null
  return line.standsForAll
    ? `Invoice ${invoice.id}: ${problem}`
    : `Invoice ${invoice.id}, line ${line.id}: ${problem}`
}

function problemOfFigures(line: InvoiceLine): string | undefined {
  const { periodStart, periodEnd, quantity, amountCents, unitAmountDecimal, isProration } = line
  if (!isInstant(periodStart) || !isInstant(periodEnd)) return 'the service period is unreadable'
  if (periodStart > periodEnd) {
    const [from, to] = [isoOfInstant(periodStart), isoOfInstant(periodEnd)]
    return `the service period ends at ${to}, before it starts at ${from}`
  }
  if (periodStart < earliestInstant) {
    return `the service period starts at ${isoOfInstant(periodStart)}, before there were subscriptions`
  }
  const isMany = isProration && amountCents > Number(unitAmountDecimal ?? amountCents)
  if (quantity === null && isMany) return 'the quantity of a part of a period is missing'
  if (quantity !== null && quantity < 0) return `the quantity ${quantity} is below 0`
  if (!isCredit(line) && line.inclusiveTaxCents > amountCents) {
    return `the tax ${line.inclusiveTaxCents} inside it is more than its amount ${amountCents}`
  }
  return undefined
}

/** 1 January 2000: a period that starts earlier is a date that was lost, usually 0. */
const earliestInstant = 946_684_800

function chargeOf(
  line: InvoiceLine,
  invoice: PaymentInvoice,
  price: PaymentPrice | undefined,
  itemKey: string,
  discountCents: number,
): Charge {
  return {
    at: line.periodStart,
    until: line.periodEnd,
    itemKey,
    invoice,
    lines: [line],
    price,
    priceId: line.priceId,
    productId: line.productId ?? price?.productId ?? null,
    isProration: line.isProration,
    quantity: line.quantity ?? quantityOf(line, price),
    amountCents: line.amountCents,
    discountCents,
    discountIds: line.discounts.filter(({ amountCents }) => amountCents > 0).map(({ id }) => id),
    inclusiveTaxCents: line.inclusiveTaxCents,
  }
}

/** Joins the lines that one tiered item has on one invoice for one period (R24); any other line is a charge of its own. */
function addCharge(charges: Charge[], firstOfInvoice: number, charge: Charge): void {
  const isTiered = charge.price ? charge.price.billingScheme === 'tiered' : !charge.isProration
  const same = isTiered
    ? charges.findLastIndex((other, index) => index >= firstOfInvoice && isSameSale(other, charge))
    : -1
  const earlier = charges[same]
  if (!earlier) {
    charges.push(charge)
    return
  }
  charges[same] = {
    ...earlier,
    lines: [...earlier.lines, ...charge.lines],
    quantity: earlier.quantity + charge.quantity,
    amountCents: earlier.amountCents + charge.amountCents,
    discountCents: earlier.discountCents + charge.discountCents,
    discountIds: [...new Set([...earlier.discountIds, ...charge.discountIds])],
    inclusiveTaxCents: earlier.inclusiveTaxCents + charge.inclusiveTaxCents,
  }
}

function isSameSale(a: Charge, b: Charge): boolean {
  return (
    a.itemKey === b.itemKey &&
    a.priceId === b.priceId &&
    a.at === b.at &&
    a.until === b.until &&
    a.isProration === b.isProration
  )
}
