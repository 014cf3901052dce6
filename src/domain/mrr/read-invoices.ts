import type { InvoiceLine, PaymentInvoice, PaymentPrice, PaymentSubscription } from '../payments.ts'
import { type Charge, type Credit, countsAsEvidence, type IgnoredLine, isInstant } from './evidence.ts'
import { lineDiscountsOf } from './invoice-discount.ts'
import { belongsTo, itemKeysOf } from './item-key.ts'

export type InvoiceReading = {
  charges: Charge[]
  credits: Credit[]
  /** Lines without a part in MRR, by invoice. */
  ignored: Map<string, IgnoredLine[]>
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
  const reading: InvoiceReading = { charges: [], credits: [], ignored: new Map(), problem: null }
  const currentPrices = new Map(subscription.items.map((item) => [item.priceId, item.price]))
  for (const invoice of invoices) {
    const discounts = lineDiscountsOf(invoice)
    const firstCharge = reading.charges.length
    let credited: string | null = null
    for (const [index, line] of invoice.lines.entries()) {
      const price = line.price ?? prices.get(line.priceId ?? '') ?? currentPrices.get(line.priceId ?? '')
      const ignored = reasonToIgnore(line, invoice, subscription, price)
      if (ignored) {
        const list = reading.ignored.get(invoice.id) ?? []
        list.push({ invoiceId: invoice.id, lineId: line.id, amountCents: line.amountCents, ...ignored })
        reading.ignored.set(invoice.id, list)
        continue
      }
      reading.problem ??= problemOf(line, invoice)
      const itemKey = keyOf(line)
      if (isCredit(line)) {
        const quantity = line.quantity ?? 1
        reading.credits.push({ at: line.periodStart, itemKey, invoice, line, quantity })
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

function reasonToIgnore(
  line: InvoiceLine,
  invoice: PaymentInvoice,
  subscription: PaymentSubscription,
  price: PaymentPrice | undefined,
): Reason | undefined {
  if (!countsAsEvidence(invoice))
    return { reason: `The invoice is ${invoice.status ?? 'not issued'}`, rule: 'R26' }
  if (!belongsTo(line, invoice, subscription)) return { reason: 'Not of this subscription', rule: 'R8' }
  if (!line.isSubscriptionItem && !line.isProration) return { reason: 'One-off item', rule: 'R8' }
  if (price?.usageType === 'metered') return { reason: 'Metered usage', rule: 'R23' }
  if (price && price.interval === null) return { reason: 'One-time price', rule: 'R8' }
  if (line.amountCents < 0 && !isCredit(line)) return { reason: 'A credit that is no proration', rule: 'R8' }
  if (invoice.currency !== subscription.currency) return { reason: `In ${invoice.currency}`, rule: 'R34' }
  return undefined
}

function isCredit(line: InvoiceLine): boolean {
  return line.isProration && (line.isCredit === true || line.amountCents < 0)
}

function problemOf(line: InvoiceLine, invoice: PaymentInvoice): string | null {
  if (line.problem) return `Invoice ${invoice.id}, line ${line.id}: ${line.problem}`
  const isReadable = isInstant(line.periodStart) && isInstant(line.periodEnd)
  return isReadable ? null : `Invoice ${invoice.id}, line ${line.id}: the service period is unreadable`
}

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
    // A flat fee of a tier has no units; any other line stands for at least one.
    quantity: line.quantity ?? (price?.billingScheme === 'tiered' ? 0 : 1),
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
