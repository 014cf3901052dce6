import type { PaymentInvoice } from '../payments.ts'
import type { Charge } from './evidence.ts'

/** Oldest invoice first, by content alone where two were made in one second, so the order of arrival does not matter. */
export function compareInvoices(a: PaymentInvoice, b: PaymentInvoice): number {
  return (
    a.createdAt - b.createdAt ||
    (a.finalizedAt ?? 0) - (b.finalizedAt ?? 0) ||
    amountOf(a) - amountOf(b) ||
    compareTexts(a.id, b.id)
  )
}

function amountOf(invoice: PaymentInvoice): number {
  return invoice.lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Of charges that start together the later one in this order stands: a proration changes what the renewal billed. */
export function compareCharges(a: Charge, b: Charge): number {
  return (
    a.at - b.at ||
    Number(a.isProration) - Number(b.isProration) ||
    a.invoice.createdAt - b.invoice.createdAt ||
    (a.invoice.finalizedAt ?? 0) - (b.invoice.finalizedAt ?? 0) ||
    a.quantity - b.quantity ||
    a.amountCents - b.amountCents
  )
}
