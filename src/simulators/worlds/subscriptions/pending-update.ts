import { agreedWorth, standingNow } from '../agreements/agreed.ts'
import { issueNumber, pay, show, voidInvoice } from '../billing/collection.ts'
import { noteDebits, writeInvoice } from '../billing/issue-invoice.ts'
import type { Books } from '../model/books.ts'
import type { Invoice } from '../model/invoice.ts'
import type { DraftLine, Item, WorldSubscription, Worth } from '../model/subscription.ts'
import { logInvoice, logSubscription } from '../rendering/event-log.ts'
import { hourSeconds } from '../time/calendar.ts'
import { type Change, carryOut, causeOf, isChangeable, type Outcome } from './change.ts'

/** Source: docs.stripe.com/billing/subscriptions/pending-updates ("expires after 23 hours"). */
const pendingSeconds = 23 * hourSeconds

/**
 * Requests changes that take effect when their invoice is paid; the first payment fails. A payment after
 * `paidAfterHours` makes them count from the request; null lets the request expire.
 * Sources: docs.stripe.com/billing/subscriptions/pending-updates, …/pending-updates-reference.
 */
export function requestChange(
  books: Books,
  subscription: WorldSubscription,
  changes: Change[],
  now: number,
  paidAfterHours: number | null,
): boolean {
  const renewal = Math.min(...subscription.items.map((item) => item.periodEnd))
  const isPossible =
    subscription.collection === 'charge_automatically' && now + pendingSeconds + hourSeconds < renewal
  if (!isPossible || !isChangeable(subscription, now)) return false
  const copies = new Map(subscription.items.map((item) => [item, { ...item }]))
  const wanted: WorldSubscription = { ...subscription, items: [...copies.values()] }
  const outcome: Outcome = { lines: [], changed: [], gone: [] }
  for (const change of changes) {
    const ofCopy =
      change.kind === 'add' ? change : { ...change, item: copies.get(change.item) ?? change.item }
    carryOut(books, wanted, ofCopy, now, outcome)
  }
  const { invoice } = writeInvoice(
    books,
    {
      subscription,
      reason: 'subscription_update',
      lines: outcome.lines,
      at: now,
      effects: () => [],
      beginsPeriod: false,
    },
    subscription.customer,
  )
  issueNumber(invoice, now)
  logInvoice(books, 'invoice.finalized', invoice)
  const apply = (at: number): void => {
    invoice.effects = [{ ...effectOf(subscription, wanted, outcome, changes, now), of: subscription }]
    takeOver(subscription, wanted, copies, outcome.lines, now)
    noteDebits(invoice, outcome.lines)
    show(invoice)
    pay(books, invoice, at)
  }
  if (invoice.amountDue === 0) {
    apply(now)
    logSubscription(books, 'updated', subscription)
    return true
  }
  hold(books, subscription, invoice, wanted.items, now)
  books.agenda.add(now + (paidAfterHours === null ? pendingSeconds : paidAfterHours * hourSeconds), (at) => {
    subscription.pendingUpdate = null
    if (paidAfterHours === null) expire(books, invoice, at)
    else apply(at)
    logSubscription(
      books,
      paidAfterHours === null ? 'pending_update_expired' : 'pending_update_applied',
      subscription,
    )
    logSubscription(books, 'updated', subscription)
  })
  return true
}

function hold(
  books: Books,
  subscription: WorldSubscription,
  invoice: Invoice,
  items: Item[],
  now: number,
): void {
  invoice.paymentId = books.newId('inpay')
  invoice.attempts = 1
  subscription.pendingUpdate = { expiresAt: now + pendingSeconds, items }
  logInvoice(books, 'invoice.payment_failed', invoice)
  logSubscription(books, 'updated', subscription)
}

/** Returns to the customer's balance what the invoice took from it. */
function expire(books: Books, invoice: Invoice, at: number): void {
  invoice.customer.balanceCents += invoice.startingBalance - (invoice.endingBalance ?? 0)
  voidInvoice(books, invoice, at)
}

function effectOf(
  subscription: WorldSubscription,
  wanted: WorldSubscription,
  { changed, gone }: Outcome,
  asked: Change[],
  at: number,
) {
  const worths = new Map<string, Worth | null>(agreedWorth(wanted, changed, standingNow(subscription, at)))
  for (const { id } of gone) worths.set(id, null)
  return { at, cause: causeOf(asked), worths }
}

/** Replaces the items by the requested ones; items that remain keep their identity. */
function takeOver(
  subscription: WorldSubscription,
  wanted: WorldSubscription,
  copies: Map<Item, Item>,
  lines: DraftLine[],
  at: number,
): void {
  const originals = new Map([...copies].map(([item, copy]) => [copy, item]))
  const settled = (copy: Item): Item => {
    const item = originals.get(copy)
    return item === undefined ? copy : Object.assign(item, { price: copy.price, quantity: copy.quantity })
  }
  for (const item of subscription.items)
    if (!wanted.items.some(({ id }) => id === item.id)) subscription.removed.set(item.id, at)
  subscription.items = wanted.items.map(settled)
  for (const line of lines) if (line.item !== null) line.item = originals.get(line.item) ?? line.item
}
