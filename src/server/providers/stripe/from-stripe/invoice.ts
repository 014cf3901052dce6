import type { ImportedInvoice, InvoiceLine, PaymentDiscount } from '#domain/payments.ts'
import { type Coupons, toDiscount, toDiscounts } from './coupon.ts'
import { missingLines, toInvoiceLine } from './invoice-line.ts'
import { noJoins } from './joins.ts'
import {
  at,
  entriesOf,
  type Fields,
  fieldsOf,
  idOf,
  idOrNull,
  instantOrNull,
  integerOr,
  integerOrNull,
  isList,
  isRedacted,
  personalOrNull,
  textOr,
  textOrNull,
} from './read-fields.ts'

/** The sources of invoices whose lines we count. Stripe may add values to the enum. */
const countedParents = new Set(['subscription_details', 'quote_details'])

/**
 * An invoice with all of its lines. If the list is missing, a single line says so. Throws UnreadableObject without
 * an id.
 */
export function toInvoice(value: unknown, { coupons }: { coupons: Coupons } = noJoins): ImportedInvoice {
  const invoice = at(value)
  const transitions = at(value, 'status_transitions')
  const subscriptionId =
    idOrNull(at(value, 'parent', 'subscription_details')['subscription']) ?? idOrNull(invoice['subscription'])
  const lines = entriesOf(invoice['lines'])
  const discounts = discountsOf(value, lines, coupons)
  const parentType = textOrNull(at(value, 'parent')['type'])
  const billedBy = parentType === null || countedParents.has(parentType) ? undefined : parentType
  return {
    id: idOf(value),
    customerId: idOrNull(invoice['customer']),
    subscriptionId,
    status: textOrNull(invoice['status']),
    billingReason: textOrNull(invoice['billing_reason']),
    currency: textOr(invoice['currency'], '').toLowerCase(),
    createdAt: instantOrNull(invoice['created']) ?? 0,
    finalizedAt: instantOrNull(transitions['finalized_at']),
    totalDiscountCents: totalDiscount(value),
    customerAccount: textOrNull(invoice['customer_account']),
    customerName: personalOrNull(invoice['customer_name']),
    customerEmail: personalOrNull(invoice['customer_email']),
    number: textOrNull(invoice['number']),
    uncollectibleAt: instantOrNull(transitions['marked_uncollectible_at']),
    lines: hasLines(invoice)
      ? linesOf(invoice, lines, subscriptionId, billedBy)
      : [missingLines(subscriptionId, billedBy)],
    ...(discounts.length > 0 ? { discounts } : {}),
    ...(isRedacted(invoice['customer_name']) || isRedacted(invoice['customer_email'])
      ? { isRedacted: true }
      : {}),
  }
}

/** Whether its lines were sent: an empty list says nothing of an invoice that bills something. */
function hasLines({ lines, subtotal }: Fields): boolean {
  return isList(lines) && (entriesOf(lines).length > 0 || integerOr(subtotal, 0) === 0)
}

/** The lines. Each line is marked when their sum does not fit the invoice's subtotal. */
function linesOf(
  invoice: Fields,
  values: readonly unknown[],
  subscriptionId: string | null,
  billedBy: InvoiceLine['billedBy'],
): InvoiceLine[] {
  const lines = values.map((line) => toInvoiceLine(line, subscriptionId, billedBy))
  const subtotal = integerOrNull(invoice['subtotal'])
  const sum = lines.reduce((cents, { amountCents }) => cents + amountCents, 0)
  // Discounts of single items reduce the subtotal and are returned with a credit; discounts of the whole invoice
  // do neither.
  const discounts = values
    .flatMap((line) => entriesOf(at(line)['discount_amounts']))
    .map((entry) => integerOr(at(entry)['amount'], 0))
  const off = discounts.reduce((total, cents) => total + Math.max(0, cents), 0)
  const back = discounts.reduce((total, cents) => total + Math.min(0, cents), 0)
  if (subtotal === null || lines.length === 0) return lines
  if (subtotal >= sum - off && subtotal <= sum - back) return lines
  const problem = `the lines add up to ${sum} and the subtotal says ${subtotal}: look at the invoice in Stripe`
  return lines.map((line) => ({ ...line, problem: line.problem ?? problem }))
}

/**
 * Stripe's own sum. Older invoices lack the field, so the single discount's amount is the difference between
 * subtotal and total.
 */
function totalDiscount(value: unknown): number {
  const invoice = at(value)
  const amounts = entriesOf(invoice['total_discount_amounts'])
  if (amounts.length > 0)
    return amounts.reduce<number>((sum, entry) => sum + integerOr(at(entry)['amount'], 0), 0)
  const [subtotal, total] = [integerOrNull(invoice['subtotal']), integerOrNull(invoice['total'])]
  if (!fieldsOf(invoice['discount']) || subtotal === null || total === null) return 0
  return Math.max(0, subtotal - (total - integerOr(invoice['tax'], 0)))
}

/** Every expanded discount, anywhere on the invoice. */
function discountsOf(invoice: unknown, lines: readonly unknown[], coupons: Coupons): PaymentDiscount[] {
  const onAmounts = [invoice, ...lines]
    .flatMap((owner) => [
      ...entriesOf(at(owner)['discount_amounts']),
      ...entriesOf(at(owner)['total_discount_amounts']),
    ])
    .map((entry) => toDiscount(at(entry)['discount'], coupons))
    .filter((discount) => discount !== null)
  return [...[invoice, ...lines].flatMap((owner) => toDiscounts(owner, coupons)), ...onAmounts]
}
