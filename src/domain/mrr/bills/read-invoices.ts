import { isInstant, isoOfInstant } from '../../instant.ts'
import type { InvoiceLine, PaymentInvoice, PaymentPrice, PaymentSubscription } from '../../payments.ts'
import { compare, type Rational, whole } from '../exact/rational.ts'
import { sameRequestSeconds } from '../exact/tolerances.ts'
import { unitOfPrice } from '../prices/price-currency.ts'
import { type Charge, type Credit, countsAsBill, type IgnoredLine, isGivenBack } from './bill.ts'
import { billedByBillingV2 } from './billing-v2.ts'
import type { GonePrices } from './gone-prices.ts'
import { lineDiscountsOf } from './invoice-discount.ts'
import { itemKeysOf } from './item-keys.ts'
import { belongsTo, isPendingBill } from './line-owner.ts'
import { quantityOfLine } from './line-quantity.ts'
import { settleParts } from './settle-parts.ts'
import { usagePricesOf } from './usage-prices.ts'

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
      const ignored = reasonToIgnore(line, invoice, subscription, { price, isUsage })
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
    const reason = reasonOfNoLength(charge, charges, gonePrices)
    if (!reason) reading.charges.push(charge)
    else for (const line of charge.lines) noteIgnored(reading.ignored, charge.invoice, line, reason)
  }
}

/** A charge of zero length shows what was sold, unless another charge of the same moment shows it (R12). */
function reasonOfNoLength(
  { at, until, itemKey, isProration, ...charge }: Charge,
  all: readonly Charge[],
  gonePrices: GonePrices,
): Reason | undefined {
  if (!isProration || until > at) return undefined
  const isRenewed = all.some(
    (other) =>
      other.itemKey === itemKey && !other.isProration && Math.abs(other.at - at) <= sameRequestSeconds,
  )
  if (isRenewed)
    return { reason: 'It covers no time: the bill of the next period shows what was sold', rule: 'R12' }
  if (
    unitOfPrice(charge.price, charge.invoice.currency) ||
    charge.price?.tiers ||
    gonePrices.has(charge.priceId ?? '')
  )
    return undefined
  return { reason: 'It covers no time, and its price was deleted', rule: 'R12' }
}

type Reason = Omit<IgnoredLine, 'invoiceId' | 'lineId' | 'amountCents'>

const givenBack: Reason = {
  reason: 'Money back for unused time: it ends what was billed before',
  rule: 'R12',
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

function reasonToIgnore(
  line: InvoiceLine,
  invoice: PaymentInvoice,
  subscription: PaymentSubscription,
  { price, isUsage }: { price: PaymentPrice | undefined; isUsage: boolean },
): Reason | undefined {
  if (!countsAsBill(invoice)) return { reason: `The invoice is ${statusWords(invoice.status)}`, rule: 'R26' }
  if (isPendingBill(subscription, invoice))
    return { reason: 'A change that waits for its payment', rule: 'R26' }
  if (line.billedBy !== undefined) return { reason: billedByBillingV2, rule: 'R8' }
  const isOwn = belongsTo(line, invoice, subscription)
  if (!isOwn && line.subscriptionId !== null) return { reason: 'Of another subscription', rule: 'R3' }
  // Most invoice items name no subscription, even on the invoice of a subscription.
  if (!isOwn || (!line.isSubscriptionItem && !line.isProration)) return { reason: 'One-off item', rule: 'R8' }
  if (isUsage) return { reason: 'Metered usage', rule: 'R23' }
  if (price && price.interval === null) return { reason: 'One-time price', rule: 'R8' }
  if (line.amountCents < 0 && !isGivenBack(line))
    return { reason: 'A credit that is not for unused time', rule: 'R29' }
  if (!isInCurrencyOf(subscription, invoice))
    return {
      reason: `In ${invoice.currency.toUpperCase()}, which is not the currency of the subscription`,
      rule: 'R34',
    }
  return undefined
}

function statusWords(status: string | null): string {
  return status === 'draft' ? 'a draft' : (status ?? 'not issued')
}

/** An invoice without a currency has the currency of its subscription, which never changes. */
function isInCurrencyOf(subscription: PaymentSubscription, { currency }: PaymentInvoice): boolean {
  return currency === '' || currency === subscription.currency
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
