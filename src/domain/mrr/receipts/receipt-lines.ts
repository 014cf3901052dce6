import type { Instant } from '../../instant.ts'
import type { InvoiceLine, PaymentInvoice } from '../../payments.ts'
import { type IgnoredLine, isGivenBack } from '../bills/bill.ts'
import { billedByBillingV2, isOfBillingV2 } from '../bills/billing-v2.ts'
import { givenBack } from '../bills/why-ignored.ts'
import type { Receipt } from './receipt.ts'

/** The subject of a receipt: a figure at an instant, and the invoice of its change, if any. */
export type ReceiptSubject = { at: Instant; invoiceId: string | null }

/**
 * Adds an explanation for every line of the invoices that a receipt names. A line neither used nor ruled out is evidence
 * of another moment: money back for earlier terms (R12), or terms that applied earlier or later (R21, R37).
 */
export function withEveryLine(
  receipt: Receipt,
  { at, invoiceId }: ReceiptSubject,
  invoices: ReadonlyMap<string, PaymentInvoice>,
): Receipt {
  const told = new Set(receipt.parts.flatMap(({ lineIds }) => lineIds))
  for (const { lineId } of receipt.ignored) told.add(lineId)
  const invoiceIds = new Set([invoiceId, ...receipt.parts.map((part) => part.invoiceId)])
  const rest = [...invoiceIds].flatMap((id) => {
    const invoice = id === null ? undefined : invoices.get(id)
    const left = invoice?.lines.filter((line) => !told.has(line.id)) ?? []
    return left.map((line): IgnoredLine => {
      const { id: lineId, amountCents } = line
      return { invoiceId: invoice?.id ?? '', lineId, amountCents, ...reasonOf(line, at) }
    })
  })
  if (rest.length === 0) return receipt
  const rules = new Set([...receipt.rules, ...rest.map(({ rule }) => rule)])
  return {
    ...receipt,
    ignored: [...receipt.ignored, ...rest],
    rules: [...rules].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))),
  }
}

function reasonOf(line: InvoiceLine, at: Instant): { reason: string; rule: string } {
  if (line.billedBy !== undefined) return { reason: billedByBillingV2, rule: 'R8' }
  if (isGivenBack(line)) return givenBack
  if (line.periodStart > at) return { reason: 'It begins after the moment of this figure', rule: 'R21' }
  if (line.periodStart < at) return { reason: 'It tells of an earlier time than this figure', rule: 'R21' }
  return { reason: 'Another line of the same moment replaced it', rule: 'R37' }
}

/** The most lines of new kinds of billing that the receipt of a Churn shows. */
const shownMax = 12

/** The receipt of a Churn with the first lines that now bill the customer instead. */
export function withLinesInstead(receipt: Receipt, invoices: readonly PaymentInvoice[]): Receipt {
  const told = new Set(receipt.ignored.map(({ lineId }) => lineId))
  const lines = invoices.flatMap((invoice) =>
    invoice.lines
      .filter((line) => isOfBillingV2(line) && !told.has(line.id))
      .map(({ id: lineId, amountCents }): IgnoredLine => {
        const { id: invoiceId, currency } = invoice
        const foreign = currency === '' || currency === receipt.currency ? {} : { currency }
        return { invoiceId, lineId, amountCents, ...foreign, reason: billedByBillingV2, rule: 'R8' }
      }),
  )
  if (lines.length === 0) return receipt
  return {
    ...receipt,
    ignored: [...receipt.ignored, ...lines.slice(0, shownMax)],
    rules: [...new Set([...receipt.rules, 'R8'])].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))),
  }
}
