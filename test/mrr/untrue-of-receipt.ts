/** Checks what a receipt says of the invoices of its account. */
import type { Receipt, ReceiptPart } from '#domain/mrr/receipts/receipt.ts'
import type { InvoiceLine, PaymentInvoice } from '#domain/payments.ts'

/** The rules by which a line bills another amount than the whole period that counts: a part, a trial, or several periods. */
const ofOtherAmounts = ['R12', 'R16', 'R32', 'R33', 'R35']

/** The rules that say why nothing counts. */
const ofNothing = ['R8', 'R10', 'R11', 'R12', 'R14', 'R16', 'R17', 'R18', 'R23', 'R26', 'R33', 'R34']

/** What a receipt says of invoice lines that is not so, or leaves unexplained. */
export function untrueOfReceipt(receipt: Receipt, invoices: readonly PaymentInvoice[]): string[] {
  const { parts, ignored, currency, mrrCents, rules } = receipt
  const byId = new Map(invoices.map((invoice) => [invoice.id, invoice]))
  const lineOf = (invoiceId: string | null, lineId: string) =>
    byId.get(invoiceId ?? '')?.lines.find(({ id }) => id === lineId)
  const told = [
    ...parts.flatMap(({ invoiceId, lineIds }) => lineIds.map((lineId) => ({ invoiceId, lineId }))),
    ...ignored,
  ]
  const keys = told.map(({ invoiceId, lineId }) => `${invoiceId} ${lineId}`)
  return [
    ...keys.filter((key, index) => keys.indexOf(key) < index).map((key) => `${key} is told twice`),
    ...told
      .filter(({ invoiceId, lineId }) => !lineOf(invoiceId, lineId))
      .map(({ lineId }) => `${lineId} is on no such invoice`),
    ...ignored
      .filter((line) => {
        const invoice = byId.get(line.invoiceId)
        const isMoney = (line.currency ?? currency) === (invoice?.currency || currency)
        const isAmount = ({ id, amountCents }: InvoiceLine) =>
          id === line.lineId && amountCents === line.amountCents
        return !isMoney || !invoice?.lines.some(isAmount)
      })
      .map(({ lineId }) => `${lineId} has another amount or currency`),
    ...parts.filter((part) => !isExplained(part, lineOf)).map(({ itemId }) => `${itemId} is not its lines`),
    ...(mrrCents === 0 && parts.length === 0 && !rules.some((rule) => ofNothing.includes(rule))
      ? ['nothing counts, and no rule says why']
      : []),
  ]
}

type LineOf = (invoiceId: string | null, lineId: string) => InvoiceLine | undefined

/** Whether the lines of a part bill what it counts, at its quantity, or one of its rules says why not. */
function isExplained({ invoiceId, lineIds, gross, quantity, rules }: ReceiptPart, lineOf: LineOf): boolean {
  if (lineIds.length === 0 || ofOtherAmounts.some((rule) => rules.includes(rule))) return true
  const lines = lineIds.flatMap((id) => lineOf(invoiceId, id) ?? [])
  const [top = '0', bottom = '1'] = gross.split('/')
  const billed = lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const isQuantity = lines.length > 1 || lines.every((line) => (line.quantity ?? quantity) === quantity)
  return isQuantity && Math.abs(Number(top) / Number(bottom) - billed) < 1
}
