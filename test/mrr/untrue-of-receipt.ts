/** Checks what a receipt says of the invoices and subscriptions of its account. */
import type { MrrEvent } from '#domain/event.ts'
import type { Instant } from '#domain/instant.ts'
import type { Receipt, ReceiptPart } from '#domain/mrr/receipts/receipt.ts'
import type { InvoiceLine, PaymentInvoice, PaymentSubscription } from '#domain/payments.ts'

/** The rules by which a line bills another amount than the whole period that counts: a part, a trial, or several periods. */
const ofOtherAmounts = ['R12', 'R16', 'R32', 'R33', 'R35']

/** The rules that say why nothing counts. */
const ofNothing = ['R8', 'R10', 'R11', 'R12', 'R14', 'R16', 'R17', 'R18', 'R23', 'R26', 'R33', 'R34']

/** The rules that make the amount of a discount: one of them stands at each. */
const ofDiscounts = ['R4', 'R5', 'R7']

/**
 * What a receipt says of invoice lines that is not so, or leaves unexplained. `at` is the moment of the event; null for a
 * current figure, whose receipt must not depend on the day of the import.
 */
export function untrueOfReceipt(
  receipt: Receipt,
  invoices: readonly PaymentInvoice[],
  at: Instant | null,
): string[] {
  const { parts, ignored, currency, mrrCents, rules, lastBill } = receipt
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
    ...parts
      .filter(({ discount, rules: of }) => discount !== '0' && of.filter(isOfDiscount).length !== 1)
      .map(({ itemId }) => `${itemId} does not name the one rule of its discount`),
    ...parts
      .filter(({ rules: of, ...part }) => of.includes('R20') !== isOver(part, lineOf, at))
      .map(({ itemId }) => `${itemId} has a bill that was over, or not, and says otherwise`),
    ...(lastBill &&
    (byId.get(lastBill.invoiceId)?.status !== lastBill.status ||
      (at !== null && lastBill.from > at) ||
      ignored.some(({ invoiceId }) => invoiceId === lastBill.invoiceId))
      ? ['the last bill is none, or is told twice']
      : []),
    ...(mrrCents === 0 && parts.length === 0 && !rules.some((rule) => ofNothing.includes(rule))
      ? ['nothing counts, and no rule says why']
      : []),
  ]
}

const isOfDiscount = (rule: string) => ofDiscounts.includes(rule)

/** Whether what an item was billed for was over at the instant of the figure. */
function isOver(
  { invoiceId, lineIds, gross }: Omit<ReceiptPart, 'rules'>,
  lineOf: LineOf,
  at: Instant | null,
): boolean {
  if (at === null) return false

  const lines = lineIds.flatMap((id) => lineOf(invoiceId, id) ?? [])
  // Units that were all given back leave nothing to be carried on.
  const isEmptied = gross === '0' && lines.every(({ isCredit }) => isCredit)
  return lines.length > 0 && !isEmptied && lines.every(({ periodEnd }) => periodEnd <= at)
}

/** What a receipt says of the kind of its event that is not so, or leaves unexplained. */
export function untrueOfKind(event: MrrEvent, receipt: Receipt, subscription: PaymentSubscription): string[] {
  const { mrrStatus, changeType, currentMrrCents, occurredAt } = event
  const { kind, endsAt, lastBill } = receipt
  const name = mrrStatus.replace('_', ' ')
  const isFall = currentMrrCents === 0 && changeType !== 'cancellation'
  const isEnd = currentMrrCents === 0 && changeType === 'cancellation'
  const isLast = mrrStatus === 'Planned_Cancellation' && occurredAt === subscription.canceledAt
  return [
    ...(kind &&
    kind.reason !== name &&
    !kind.reason.startsWith(`${name}, `) &&
    !kind.reason.startsWith(`${name};`)
      ? [`${name} is told as '${kind.reason}'`]
      : []),
    ...(isFall && kind?.rule !== 'R11' && mrrStatus === 'Churn'
      ? ['nothing says why a fall to zero is a Churn']
      : []),
    ...(endsAt !== undefined && !isLast ? ['an end stands at what plans none'] : []),
    ...(isLast && (subscription.endedAt ?? subscription.cancelAt ?? endsAt) !== endsAt
      ? ['it ends at another time']
      : []),
    ...(lastBill && !isEnd ? ['a last bill stands at what is no end'] : []),
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
