import type { Instant } from '../../instant.ts'
import type { InvoiceLine, PaymentInvoice, PaymentPrice } from '../../payments.ts'

/** What an invoice charges for one subscription item over one service period; tiers split it into several lines (R24). */
export type Charge = {
  at: Instant
  until: Instant
  /** Earlier than `at` when the first bill of a backdated subscription came late (R32). */
  countsFrom?: Instant
  itemKey: string
  invoice: PaymentInvoice
  lines: InvoiceLine[]
  /** Undefined when the price was deleted; then only the line is left as evidence. */
  price: PaymentPrice | undefined
  priceId: string | null
  productId: string | null
  isProration: boolean
  quantity: number
  amountCents: number
  discountCents: number
  discountIds: string[]
  inclusiveTaxCents: number
}

/** Money given back for unused time: it only closes the item's previous terms (R12). */
export type Credit = {
  at: Instant
  itemKey: string
  invoice: PaymentInvoice
  line: InvoiceLine
  quantity: number
}

/** Whether a line gives money back for unused time. */
export function isGivenBack({ isProration, isCredit, amountCents }: InvoiceLine): boolean {
  return isProration && (isCredit === true || amountCents < 0)
}

/** A line of an invoice that does not count toward MRR, and the rule that says why. */
export type IgnoredLine = {
  invoiceId: string
  lineId: string
  amountCents: number
  /** The currency of the amount, where it is not that of the subscription. */
  currency?: string
  reason: string
  rule: string
}

/**
 * Invoices whose lines are evidence: issued ones, paid or not. A draft can still change, and a void one never applied
 * (R26).
 */
export function countsAsBill(invoice: PaymentInvoice): boolean {
  const { status } = invoice
  return status === 'paid' || status === 'open' || status === 'uncollectible' || status === null
}
