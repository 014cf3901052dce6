import type { Instant } from '../../instant.ts'
import type { InvoiceLine, PaymentInvoice, PaymentPrice } from '../../payments.ts'

/** What an invoice asks for one subscription item over one service period; tiers make it several lines (R24). */
export type Charge = {
  at: Instant
  until: Instant
  /** Earlier than `at` where the first bill of a backdated subscription came late (R32). */
  countsFrom?: Instant
  itemKey: string
  invoice: PaymentInvoice
  lines: InvoiceLine[]
  /** Undefined where the price is gone; then the line alone has to do. */
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

/** Money given back for unused time: it closes what the item was, nothing more (R12). */
export type Credit = {
  at: Instant
  itemKey: string
  invoice: PaymentInvoice
  line: InvoiceLine
  quantity: number
}

/** Why a line of an invoice has no part in MRR, with the rule that says so. */
export type IgnoredLine = {
  invoiceId: string
  lineId: string
  amountCents: number
  reason: string
  rule: string
}

/** Invoices whose lines are evidence: issued ones, whoever paid; a draft can still change and a void one never was (R26). */
export function countsAsBill(invoice: PaymentInvoice): boolean {
  const { status } = invoice
  return status === 'paid' || status === 'open' || status === 'uncollectible' || status === null
}
