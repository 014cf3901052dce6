import type { ReceiptAnswer } from '#contract/receipt.ts'
import { latestInstant } from '#domain/instant.ts'
import type { LastBill, ReceiptPart } from '#domain/mrr/receipts/receipt.ts'
import type { InvoiceLine } from '#domain/payments.ts'
import { type KeptReceipt, loadReceiptNames, type ReceiptNames } from '../../store/ledger/receipts.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import type { Links } from '../links.ts'

/** Converts a receipt to its wire form and adds the names of objects that it knows only by id. */
export async function readReceipt(
  tenant: Tenant,
  receipt: KeptReceipt | null,
  links: Links,
): Promise<ReceiptAnswer | null> {
  if (receipt === null) return null
  const names = await loadReceiptNames(tenant, receipt)
  const parts = receipt.parts.map((part) => toWirePart(part, names, links))
  const ofLines = parts.flatMap(({ lines }) => lines.map(({ rule }) => rule))
  return {
    // Receipts from before versions were recorded have neither.
    ruleBookVersion: receipt.ruleBookVersion ?? 0,
    policyRevision: receipt.policyRevision ?? 0,
    currency: receipt.currency,
    dated: receipt.dated,
    kind: receipt.kind ?? null,
    endsAt: receipt.endsAt === undefined ? null : isoOf(receipt.endsAt),
    lastBill: toWireBill(receipt.lastBill, links),
    parts,
    sum: receipt.sum,
    rounding: receipt.rounding,
    mrr: receipt.mrrCents,
    ignored: receipt.ignored.map(({ invoiceId, lineId, amountCents, currency, reason, rule }) => ({
      invoiceId,
      invoiceLink: links.stripeInvoice(invoiceId),
      lineId,
      description: names.lines.get(lineId)?.description ?? null,
      amount: amountCents,
      currency: currency ?? receipt.currency,
      reason,
      rule,
    })),
    rules: [...new Set([...receipt.rules, ...ofLines])].sort(
      (a, b) => Number(a.slice(1)) - Number(b.slice(1)),
    ),
  }
}

function toWirePart(part: ReceiptPart, names: ReceiptNames, links: Links): ReceiptAnswer['parts'][number] {
  return {
    itemId: part.itemId,
    productId: part.productId,
    productName: (part.productId === null ? undefined : names.products.get(part.productId)) ?? null,
    priceId: part.priceId,
    quantity: part.quantity,
    invoiceId: part.invoiceId,
    invoiceLink: links.stripeInvoice(part.invoiceId),
    lines: part.lineIds.map((lineId) => toWireLine(lineId, names.lines.get(lineId))),
    gross: part.gross,
    discount: part.discount,
    discountIds: part.discountIds,
    discounts: (part.discounts ?? []).map((discount) => ({
      id: discount.id,
      couponId: discount.couponId ?? null,
      couponName: names.coupons.get(discount.couponId ?? '') ?? null,
      percentOff: discount.percentOff ?? null,
      amountOff: discount.amountOffCents ?? null,
      duration: discount.duration ?? null,
      durationInMonths: discount.durationInMonths ?? null,
      holder: discount.holder ?? null,
    })),
    inclusiveTax: part.inclusiveTax,
    net: part.net,
    interval: part.interval,
    intervalCount: part.intervalCount,
    months: part.months,
    monthly: part.monthly,
    rules: part.rules,
  }
}

function toWireBill(bill: LastBill | undefined, links: Links): ReceiptAnswer['lastBill'] {
  if (bill === undefined) return null
  const { invoiceId, from, until, status } = bill
  const period = { periodStart: isoOf(from), periodEnd: isoOf(until) }
  return { invoiceId, invoiceLink: links.stripeInvoice(invoiceId), ...period, status }
}

function toWireLine(lineId: string, line: InvoiceLine | undefined) {
  return {
    lineId,
    description: line?.description ?? null,
    amount: line?.amountCents ?? null,
    periodStart: line ? isoOf(line.periodStart) : null,
    periodEnd: line ? isoOf(line.periodEnd) : null,
    ...reasonToUse(line),
  }
}

function reasonToUse(line: InvoiceLine | undefined): { reason: string; rule: string } {
  if (!line?.isProration) return { reason: 'Recurring charge of a subscription item', rule: 'R8' }
  return line.isCredit === true || line.amountCents < 0
    ? { reason: 'Money back for all units: none are left', rule: 'R12' }
    : { reason: 'Proration: its price and quantity count for a whole period, not its amount', rule: 'R12' }
}

function isoOf(instant: number): string | null {
  return instant >= 0 && instant <= latestInstant ? new Date(instant * 1000).toISOString() : null
}
