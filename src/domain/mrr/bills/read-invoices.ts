import { isInstant, isoOfInstant } from '../../instant.ts'
import type { InvoiceLine, PaymentInvoice, PaymentPrice, PaymentSubscription } from '../../payments.ts'
import { compare, type Rational, whole } from '../exact/rational.ts'
import { unitOfPrice } from '../prices/price-currency.ts'
import { type Charge, type Credit, countsAsBill, type IgnoredLine, isGivenBack } from './bill.ts'
import type { GonePrices } from './gone-prices.ts'
import { lineDiscountsOf } from './invoice-discount.ts'
import { itemKeysOf } from './item-keys.ts'
import { isPendingBill } from './line-owner.ts'
import { quantityOfLine } from './line-quantity.ts'
import { settleParts } from './settle-parts.ts'
import { usagePricesOf } from './usage-prices.ts'
import { givenBack, isInCurrencyOf, type Reason, whyIgnored, whyWithoutLength } from './why-ignored.ts'

export type InvoiceReading = {
  charges: Charge[]
  credits: Credit[]
  /** Lines that do not count toward MRR, by invoice. */
  ignored: Map<string, IgnoredLine[]>
  /** The invoices that are no evidence, or not yet, oldest first. */
  passedOver: PaymentInvoice[]
  /** What a person must check before this subscription can be counted; null when everything could be read. */
  problem: string | null
}

/** Sorts the lines of a subscription's invoices into charges, credits and ignored lines. */
export function readInvoices(
  subscription: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
  prices: ReadonlyMap<string, PaymentPrice>,
  gonePrices: GonePrices,
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
  const usage = usagePricesOf(
    subscription,
    invoices,
    (id, price) => price !== undefined || prices.has(id) || currentPrices.has(id),
  )
  const charges: Charge[] = []
  for (const invoice of invoices) {
    const isEvidence =
      countsAsBill(invoice) && isInCurrencyOf(subscription, invoice) && !isPendingBill(subscription, invoice)
    if (!isEvidence) reading.passedOver.push(invoice)
    const discounts = lineDiscountsOf(invoice)
    for (const [index, line] of invoice.lines.entries()) {
      const price = line.price ?? prices.get(line.priceId ?? '') ?? currentPrices.get(line.priceId ?? '')
      const isUsage = price?.usageType === 'metered' || usage.has(line.priceId ?? '')
      const ignored = whyIgnored(line, invoice, subscription, { price, isUsage })
      if (ignored) {
        const { currency } = invoice
        const foreign = isInCurrencyOf(subscription, invoice) ? {} : { currency }
        noteIgnored(reading.ignored, invoice, line, { ...ignored, ...foreign })
        continue
      }
      reading.problem ??= problemOf(line, invoice, price)
      const itemKey = keyOf(line)
      if (isGivenBack(line)) addCredit(reading, line, invoice, itemKey)
      else charges.push(chargeOf(line, invoice, price, itemKey, discounts[index] ?? line.discountCents))
    }
  }
  settle(reading, charges, gonePrices)
  return reading
}

function addCredit(
  { credits, ignored }: InvoiceReading,
  line: InvoiceLine,
  invoice: PaymentInvoice,
  itemKey: string,
): void {
  credits.push({ at: line.periodStart, itemKey, invoice, line, quantity: line.quantity ?? 1 })
  noteIgnored(ignored, invoice, line, givenBack)
}

/** Joins lines of one sale, and removes charges that carry no information. */
function settle(reading: InvoiceReading, lines: readonly Charge[], gonePrices: GonePrices): void {
  const { charges, silentCredits } = settleParts(lines, reading.credits, gonePrices)
  for (const { lines: own, invoice, itemKey } of silentCredits) {
    for (const line of own) addCredit(reading, line, invoice, itemKey)
  }
  for (const charge of charges) {
    const reason = whyWithoutLength(charge, charges, gonePrices)
    if (!reason) reading.charges.push(charge)
    else for (const line of charge.lines) noteIgnored(reading.ignored, charge.invoice, line, reason)
  }
}

/** Records why a line does not count toward MRR. */
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

function problemOf(
  line: InvoiceLine,
  invoice: PaymentInvoice,
  price: PaymentPrice | undefined,
): string | null {
  const problem = line.problem ?? problemOfFigures(line, unitOfPrice(price, invoice.currency))
  if (!problem) return null
  return line.standsForAll
    ? `Invoice ${invoice.id}: ${problem}`
    : `Invoice ${invoice.id}, line ${line.id}: ${problem}`
}

function problemOfFigures(line: InvoiceLine, unit: Rational | undefined): string | undefined {
  const { periodStart, periodEnd, quantity, amountCents, isProration } = line
  if (!isInstant(periodStart) || !isInstant(periodEnd)) return 'the service period is unreadable'
  if (periodStart > periodEnd) {
    const [from, to] = [isoOfInstant(periodStart), isoOfInstant(periodEnd)]
    return `the service period ends at ${to}, before it starts at ${from}`
  }
  if (periodStart < earliestInstant) {
    return `the service period starts at ${isoOfInstant(periodStart)}, before there were subscriptions`
  }
  const isMany = isProration && unit !== undefined && compare(whole(amountCents), unit) > 0
  if (quantity === null && isMany) return 'the quantity of a part of a period is missing'
  if (quantity !== null && quantity < 0) return `the quantity ${quantity} is below 0`
  if (!isGivenBack(line) && line.inclusiveTaxCents > amountCents) {
    return `the tax ${line.inclusiveTaxCents} inside it is more than its amount ${amountCents}`
  }
  return undefined
}

/** 1 January 2000: a period that starts earlier comes from a lost date, usually 0. */
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
    quantity: quantityOfLine(line, price),
    amountCents: line.amountCents,
    discountCents,
    discountIds: line.discounts.filter(({ amountCents }) => amountCents > 0).map(({ id }) => id),
    inclusiveTaxCents: line.inclusiveTaxCents,
  }
}
