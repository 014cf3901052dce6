import { endSubscription } from '../agreements/ending.ts'
import { noteNothing } from '../agreements/history.ts'
import type { Books } from '../model/books.ts'
import type { Invoice } from '../model/invoice.ts'
import type { Payment, WorldSubscription } from '../model/subscription.ts'
import { logInvoice, logInvoicePaid, logSubscription } from '../rendering/event-log.ts'
import { daySeconds, hourSeconds } from '../time/calendar.ts'

/** Seconds from one failed try to the next. Source: docs.stripe.com/billing/revenue-recovery/smart-retries. */
const retrySeconds = [3 * daySeconds, 5 * daySeconds, 7 * daySeconds]

/** A first payment must succeed within this time. Source: docs.stripe.com/billing/subscriptions/overview. */
const incompleteSeconds = 23 * hourSeconds

/** Makes a draft final, and the customer pays or fails to; drafts of unpaid and paused subscriptions stay drafts. */
export function finalizeInvoice(books: Books, invoice: Invoice, now: number): void {
  const { subscription } = invoice
  if (invoice.status !== 'draft') return
  if (subscription === null) {
    issueNumber(invoice, now)
    logInvoice(books, 'invoice.finalized', invoice)
    if (invoice.amountDue > 0) invoice.paymentId = books.newId('inpay')
    show(invoice)
    pay(books, invoice, now)
    return
  }
  if (subscription.status === 'unpaid' || subscription.endedAt !== null) return
  const pause = subscription.pauseCollection?.behavior
  if (pause === 'keep_as_draft') {
    invoice.nextAttempt = null
    beginPeriod(subscription, invoice, now)
    return
  }
  issueNumber(invoice, now)
  logInvoice(books, 'invoice.finalized', invoice)
  if (pause === 'void') voidInvoice(books, invoice, now)
  else if (pause === 'mark_uncollectible') {
    show(invoice)
    markUncollectible(books, invoice, now, 'subscription_paused')
  } else meet(books, invoice, subscription, now)
  beginPeriod(subscription, invoice, now)
}

/** Voids an invoice; the facts that it showed stay until the caller removes them. */
export function voidInvoice(books: Books, invoice: Invoice, now: number): void {
  invoice.status = 'void'
  invoice.voidedAt = now
  invoice.nextAttempt = null
  logInvoice(books, 'invoice.voided', invoice)
}

function markUncollectible(books: Books, invoice: Invoice, now: number, reason: string): void {
  invoice.status = 'uncollectible'
  invoice.uncollectibleAt = now
  invoice.uncollectibleReason = reason
  invoice.nextAttempt = null
  logInvoice(books, 'invoice.marked_uncollectible', invoice)
}

export function issueNumber(invoice: Invoice, now: number): void {
  const { customer } = invoice
  invoice.status = 'open'
  invoice.finalizedAt = now
  invoice.nextAttempt = null
  invoice.number = `${customer.invoicePrefix}-${String(customer.nextInvoice++).padStart(4, '0')}`
  invoice.startingBalance = customer.balanceCents
  const left = invoice.totalCents + customer.balanceCents
  invoice.amountDue = Math.max(0, left)
  invoice.endingBalance = Math.min(0, left)
  customer.balanceCents = invoice.endingBalance
}

function meet(books: Books, invoice: Invoice, subscription: WorldSubscription, now: number): void {
  const payment: Payment =
    invoice.amountDue === 0
      ? { kind: 'pays', afterSeconds: 0 }
      : subscription.behaviour.pays(subscription, invoice.ordinal)
  const byInvoice = subscription.collection === 'send_invoice'
  if (byInvoice) invoice.dueAt = now + (subscription.daysUntilDue ?? 30) * daySeconds
  if (invoice.amountDue > 0) invoice.paymentId = books.newId('inpay')
  if (payment.kind === 'fails') {
    failFirstTry(books, invoice, subscription, payment, now)
    return
  }
  show(invoice)
  if (payment.kind === 'pays' && payment.afterSeconds === 0) pay(books, invoice, now)
  else {
    if (payment.kind === 'pays') books.agenda.add(now + payment.afterSeconds, (at) => pay(books, invoice, at))
    if (invoice.dueAt !== null)
      books.agenda.add(invoice.dueAt, (at) => overdue(books, invoice, subscription, at))
  }
}

export function pay(books: Books, invoice: Invoice, now: number): void {
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') return
  const { subscription } = invoice
  invoice.status = 'paid'
  invoice.paidAt = now
  invoice.amountPaid = invoice.amountDue
  invoice.nextAttempt = null
  if (invoice.amountDue > 0 && invoice.subscription?.collection === 'charge_automatically')
    invoice.attempts += 1
  invoice.customer.delinquent = false
  if (subscription?.status === 'past_due' || subscription?.status === 'incomplete') {
    subscription.status = 'active'
    logSubscription(books, 'updated', subscription)
  }
  logInvoicePaid(books, invoice)
}

function overdue(books: Books, invoice: Invoice, subscription: WorldSubscription, now: number): void {
  if (invoice.status !== 'open' || subscription.status !== 'active' || now < (invoice.dueAt ?? now)) return
  subscription.status = 'past_due'
  invoice.customer.delinquent = true
  logSubscription(books, 'updated', subscription)
}

type Failure = Extract<Payment, { kind: 'fails' }>

function failFirstTry(
  books: Books,
  invoice: Invoice,
  subscription: WorldSubscription,
  failure: Failure,
  now: number,
): void {
  invoice.attempts = 1
  if (invoice.reason === 'subscription_create') {
    subscription.status = 'incomplete'
    if (failure.outcome === 'recovers') {
      books.agenda.add(now + 2 * hourSeconds, (at) => {
        show(invoice)
        pay(books, invoice, at)
        subscription.behaviour.onPeriod(subscription, 0, at)
      })
    } else books.agenda.add(now + incompleteSeconds, (at) => expire(books, invoice, subscription, at))
  } else {
    subscription.status = 'past_due'
    invoice.customer.delinquent = true
    show(invoice)
    scheduleRetry(books, invoice, subscription, failure, now)
  }
  logInvoice(books, 'invoice.payment_failed', invoice)
  logSubscription(books, 'updated', subscription)
}

function scheduleRetry(
  books: Books,
  invoice: Invoice,
  subscription: WorldSubscription,
  failure: Failure,
  now: number,
): void {
  const wait = retrySeconds[invoice.attempts - 1]
  if (wait === undefined) {
    invoice.nextAttempt = null
    return
  }
  invoice.nextAttempt = now + wait
  books.agenda.add(now + wait, (at) => {
    const { status } = subscription
    // The provider collects nothing automatically from an unpaid or paused subscription.
    if (invoice.status !== 'open' || status === 'canceled' || status === 'unpaid' || status === 'paused')
      return
    if (failure.outcome === 'recovers' && invoice.attempts >= failure.attempts) {
      pay(books, invoice, at)
      return
    }
    invoice.attempts += 1
    logInvoice(books, 'invoice.payment_failed', invoice)
    if (invoice.attempts <= retrySeconds.length) scheduleRetry(books, invoice, subscription, failure, at)
    else giveUp(books, invoice, subscription, failure, at)
  })
}

function giveUp(
  books: Books,
  invoice: Invoice,
  subscription: WorldSubscription,
  failure: Failure,
  now: number,
): void {
  invoice.nextAttempt = null
  if (failure.outcome === 'canceled') {
    markUncollectible(books, invoice, now, 'max_payment_attempts')
    endSubscription(books, subscription, now, 'payment_failed')
  } else if (failure.outcome === 'unpaid') {
    markUncollectible(books, invoice, now, 'max_payment_attempts')
    subscription.status = 'unpaid'
    noteNothing(subscription, now, 'unpaid', 'status')
    logSubscription(books, 'updated', subscription)
  }
}

function expire(books: Books, invoice: Invoice, subscription: WorldSubscription, now: number): void {
  if (subscription.status !== 'incomplete') return
  voidInvoice(books, invoice, now)
  subscription.status = 'incomplete_expired'
  subscription.endedAt = now
  subscription.cycle += 1
  logSubscription(books, 'updated', subscription)
}

/** Makes known the facts that go with the invoice: from now on the account shows them. */
export function show(invoice: Invoice): void {
  for (const { of, ...effect } of invoice.effects) {
    of.facts.push({ ...effect, evidence: 'line' })
    for (const item of of.items) if (effect.worths.has(item.id)) item.unshown = false
  }
  for (const { items } of invoice.customer.subscriptions)
    for (const { debit } of items) if (debit?.invoice === invoice.id) debit.shown = true
  invoice.effects = []
}

function beginPeriod(subscription: WorldSubscription, invoice: Invoice, now: number): void {
  if (invoice.period === null || subscription.endedAt !== null || subscription.status === 'incomplete') return
  subscription.behaviour.onPeriod(subscription, invoice.period, now)
}
