import { discountCents, discountLines, discountsInForce, spendOnce, taxCents } from '../lines/discounting.ts'
import { type Books, draftSeconds } from '../model/books.ts'
import type { BillingReason, Invoice } from '../model/invoice.ts'
import type { TaxRate } from '../model/offer.ts'
import type { Customer, Debit, DraftLine, Effect, WorldSubscription } from '../model/subscription.ts'
import { logInvoice } from '../rendering/event-log.ts'
import { renderLine } from '../rendering/render-line.ts'
import { finalizeInvoice } from './collection.ts'

type InvoiceRequest = {
  /** null for an invoice without a subscription, which bills the customer's waiting lines. */
  subscription: WorldSubscription | null
  reason: BillingReason
  lines: DraftLine[]
  at: number
  /** The changes of worth that this invoice makes known; `besides` are its lines that are not licensed items. */
  effects: (besides: DraftLine[]) => Effect[]
  beginsPeriod: boolean
}

/**
 * Makes an invoice with everything that waits on the subscription. A renewal stays a draft for an hour, any other
 * invoice is final at once; only a final invoice makes anything known.
 */
export function issueInvoice(
  books: Books,
  request: InvoiceRequest & { subscription: WorldSubscription },
): Invoice {
  const { invoice, lines } = writeInvoice(books, request, request.subscription.customer)
  noteDebits(invoice, lines)
  spendOnce(lines)
  if (request.reason !== 'subscription_cycle') finalizeInvoice(books, invoice, request.at)
  else books.agenda.add(request.at + draftSeconds, (now) => finalizeInvoice(books, invoice, now))
  return invoice
}

/** Writes a draft with its lines and makes nothing known; the caller decides what follows. */
export function writeInvoice(
  books: Books,
  request: InvoiceRequest,
  customer: Customer,
  lenders: WorldSubscription[] = lendersTo(request.subscription),
): { invoice: Invoice; lines: DraftLine[] } {
  const { subscription, reason, at } = request
  const waiting = lenders.flatMap((of) => of.pending)
  const waitingEffects = lenders.flatMap((of) => of.pendingEffects.map((effect) => ({ ...effect, of })))
  for (const lender of lenders) {
    lender.pending = []
    lender.pendingEffects = []
    lender.lendsPending = false
  }
  const lines = [...waiting, ...request.lines]
  const discounts = subscription === null ? [] : discountsInForce(subscription, at)
  discountLines(lines, discounts, at)
  const [first] = lenders
  const rate = (subscription ?? first)?.taxRate ?? null
  for (const line of lines)
    line.taxCents = rate === null ? 0 : taxCents(rate, line.amount - discountCents(line))
  const invoice = blankInvoice(books, { customer, subscription, reason, at, rate })
  invoice.lines = lines.map((line) => renderLine(line, invoice.id, books.newId('il'), rate))
  invoice.discounts = discounts
  invoice.currency = first?.currency ?? invoice.currency
  addUp(invoice, lines, rate)
  const besides = lines.filter((line) => line.kind === 'one_off' || line.kind === 'usage')
  const own = request.effects(besides)
  invoice.effects =
    subscription === null
      ? waitingEffects
      : [...waitingEffects, ...own.map((effect) => ({ ...effect, of: subscription }))]
  if (subscription !== null) {
    invoice.period = request.beginsPeriod ? subscription.periods++ : null
    subscription.latestInvoice = invoice
  }
  books.invoices.push(invoice)
  logInvoice(books, 'invoice.created', invoice)
  return { invoice, lines }
}

/** The subscriptions whose waiting lines this invoice bills: its own, and others of the customer that lend theirs. */
function lendersTo(subscription: WorldSubscription | null): WorldSubscription[] {
  if (subscription === null) return []
  const others = subscription.customer.subscriptions.filter(
    (one) => one.lendsPending && one !== subscription && canShareBill(one, subscription),
  )
  return [subscription, ...others]
}

/** An invoice has one currency and, in this simulation, one tax rate. */
export function canShareBill(a: WorldSubscription, b: WorldSubscription): boolean {
  return a.currency === b.currency && a.taxRate === b.taxRate
}

type Head = {
  customer: Customer
  subscription: WorldSubscription | null
  reason: BillingReason
  at: number
  rate: TaxRate | null
}

function blankInvoice(books: Books, { customer, subscription, reason, at, rate }: Head): Invoice {
  return {
    id: books.newId('in'),
    customer,
    customerName: customer.name,
    customerEmail: customer.email,
    subscription,
    reason,
    created: at,
    currency: subscription?.currency ?? customer.currency,
    periodStart: subscription === null ? at : windowStart(subscription, reason, at),
    periodEnd: at,
    lines: [],
    discounts: [],
    discountTotals: new Map(),
    taxRate: rate,
    subtotalCents: 0,
    subtotalTaxCents: 0,
    taxCents: 0,
    taxableCents: 0,
    totalCents: 0,
    status: 'draft',
    number: null,
    startingBalance: 0,
    endingBalance: null,
    amountDue: 0,
    amountPaid: 0,
    attempts: 0,
    nextAttempt: reason === 'subscription_cycle' ? at + draftSeconds : null,
    dueAt: null,
    finalizedAt: null,
    paidAt: null,
    voidedAt: null,
    uncollectibleAt: null,
    uncollectibleReason: null,
    paymentId: null,
    paymentIntent: books.newId('pi'),
    ordinal: subscription === null ? 0 : subscription.invoices++,
    period: null,
    effects: [],
  }
}

/**
 * The invoice's `period_start`: since when items could be added to it. Sources: docs.stripe.com/api/invoices/object,
 * recorded answers of 2026.
 */
function windowStart(subscription: WorldSubscription, reason: BillingReason, at: number): number {
  const previous = subscription.lastInvoicedAt ?? subscription.created
  subscription.lastInvoicedAt = at
  if (reason === 'subscription_cycle') return previous
  if (reason !== 'subscription_update') return at
  return Math.min(at, ...subscription.items.map((item) => item.periodStart))
}

/** The subtotal is net of item discounts; the total is also net of the invoice's discounts and includes tax. */
function addUp(invoice: Invoice, lines: DraftLine[], rate: TaxRate | null): void {
  let gross = 0
  let itemDiscounts = 0
  let allDiscounts = 0
  for (const line of lines) {
    gross += line.amount
    invoice.taxCents += line.taxCents
    invoice.taxableCents += line.amount - discountCents(line) - (rate?.inclusive ? line.taxCents : 0)
    for (const { discount, amount } of line.discounts) {
      allDiscounts += amount
      if (discount.item !== null) itemDiscounts += amount
      invoice.discountTotals.set(discount.id, (invoice.discountTotals.get(discount.id) ?? 0) + amount)
    }
    if (rate?.inclusive) invoice.subtotalTaxCents += taxCents(rate, line.amount)
  }
  invoice.subtotalCents = gross - itemDiscounts
  invoice.totalCents = gross - allDiscounts + (rate !== null && !rate.inclusive ? invoice.taxCents : 0)
  invoice.amountDue = Math.max(0, invoice.totalCents + invoice.customer.balanceCents)
}

/** Remembers what each item was charged in advance, so that a later credit can return it. */
export function noteDebits(invoice: Invoice, lines: DraftLine[]): void {
  const debits = new Map<string, Debit>()
  for (const [index, line] of lines.entries()) {
    if (line.item === null || line.isCredit || line.kind === 'usage' || line.kind === 'trial') continue
    const { item, start, end, quantity, listed, amount: grossCents } = line
    const part = {
      line: invoice.lines[index]?.id ?? '',
      quantity,
      listed,
      grossCents,
      discounts: line.discounts,
    }
    const debit = debits.get(item.id)
    if (debit?.start === start) debit.parts.push(part)
    else {
      const opened = {
        invoice: invoice.id,
        billedAt: invoice.created,
        shown: false,
        parts: [part],
        start,
        end,
      }
      debits.set(item.id, opened)
      item.debit = opened
    }
  }
}
