import { readFileSync } from 'node:fs'
import type { MrrEvent } from '#domain/event.ts'
import { isoOfInstant } from '#domain/instant.ts'
import {
  type BillingV2Totals,
  billedByBillingV2,
  billingV2TotalsOf,
  invoicesInstead,
} from '#domain/mrr/bills/billing-v2.ts'
import { currentMrrOf, type SubscriptionMrr } from '#domain/mrr/events/subscription-mrr.ts'
import { defaultPolicy } from '#domain/mrr/exact/policy.ts'
import { snapshotsOf } from '#domain/mrr/ledger/snapshots.ts'
import { type CustomerMrr, rebuildCustomer } from '#domain/mrr/rebuild-customer.ts'
import type { Receipt } from '#domain/mrr/receipts/receipt.ts'
import { type ReceiptSubject, withEveryLine, withLinesInstead } from '#domain/mrr/receipts/receipt-lines.ts'
import type { PaymentInvoice, PaymentSubscription } from '#domain/payments.ts'
import { BadReplayInput } from './field-checks.ts'
import { type ReplayDocument, readReplayFile } from './replay-document.ts'

/** The command's access to files and output. */
export type ReplayIo = {
  readBytes: (path: string) => Uint8Array
  writeOut: (text: string) => void
  writeError: (text: string) => void
}

const processIo: ReplayIo = {
  readBytes: (path) => readFileSync(path),
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
}

const usage = 'Usage: tributary replay [--receipts] FILE...'

/**
 * `tributary replay FILE...`: rebuilds MRR from files of provider objects, one JSON line per file in order. Returns exit
 * code 0, or 2 after one line on stderr that names the bad file and field.
 */
export function replay(args: readonly string[], io: ReplayIo = processIo): number {
  const paths = args.filter((arg) => !arg.startsWith('--'))
  const unknown = args.find((arg) => arg.startsWith('--') && arg !== '--receipts')
  if (unknown !== undefined || paths.length === 0) {
    io.writeError(`${unknown === undefined ? usage : `Unknown option ${unknown}. ${usage}`}\n`)
    return 2
  }
  for (const path of paths) {
    try {
      const answer = replayDocument(readReplayFile(readFile(path, io)), args.includes('--receipts'))
      io.writeOut(`${JSON.stringify(answer)}\n`)
    } catch (error) {
      if (!(error instanceof BadReplayInput)) throw error
      io.writeError(`${path}: ${error.message}\n`)
      return 2
    }
  }
  return 0
}

function readFile(path: string, io: ReplayIo): Uint8Array {
  try {
    return io.readBytes(path)
  } catch {
    throw new BadReplayInput('the file cannot be read')
  }
}

/**
 * The result for one document, as the README describes under "Check the figures yourself"; an uncounted subscription also
 * gives the reason.
 */
export function replayDocument(document: ReplayDocument, withReceipts: boolean): object {
  const { asOf, subscriptions } = document
  const order = new Map(subscriptions.map(({ id }, index) => [id, index]))
  const orderOf = (subscriptionId: string): number => order.get(subscriptionId) ?? 0
  const rebuilds = rebuildAll(document)
  const events = rebuilds
    .flatMap(({ events: own, receipts }) => own.map((event) => ({ event, receipts })))
    .sort(
      (a, b) =>
        a.event.occurredAt - b.event.occurredAt ||
        orderOf(a.event.subscriptionId) - orderOf(b.event.subscriptionId),
    )
  const states = rebuilds
    .flatMap(({ subscriptions: own, receipts }) => own.map((state) => ({ state, receipts })))
    .sort((a, b) => orderOf(a.state.subscriptionId) - orderOf(b.state.subscriptionId))
  const first = events[0]?.event.occurredAt ?? asOf
  const ledger = events.map(({ event }) => event)
  const invoices = new Map(document.invoices.map((invoice) => [invoice.id, invoice]))
  const billedOf = Map.groupBy(document.invoices, ({ customerId }) => customerId)
  const instead = new Map(
    subscriptions.map((one) => [one.id, invoicesInstead(one, billedOf.get(one.customerId) ?? [])]),
  )
  const billingV2 = billingV2TotalsOf(document.invoices)
  const receiptAnswer = (find: (id: string) => Receipt | undefined, id: string, subject: Subject) => {
    const receipt = withReceipts ? find(id) : undefined
    if (!receipt) return {}
    const whole = withEveryLine(receipt, subject, invoices)
    return { receipt: subject.instead ? withLinesInstead(whole, subject.instead) : whole }
  }
  return {
    events: events.map(({ event, receipts }) => ({
      ...eventAnswer(event),
      ...receiptAnswer(receipts.ofEvent, event.id, {
        at: event.occurredAt,
        invoiceId: event.invoiceId,
        ...(event.mrrStatus === 'Churn' && { instead: instead.get(event.subscriptionId) ?? [] }),
      }),
    })),
    subscriptions: states.map(({ state, receipts }) => ({
      ...stateAnswer(state, instead.get(state.subscriptionId)?.length ? billedByBillingV2 : null),
      ...receiptAnswer(receipts.ofSubscription, state.subscriptionId, { at: asOf, invoiceId: null }),
    })),
    currentMrr: currentMrrOf(states.map(({ state }) => state)),
    snapshots: snapshotsOf(ledger, first, asOf).map(({ mrrCents, ...rest }) => ({
      month: rest.month,
      currency: rest.currency,
      mrr: mrrCents,
      activeSubscriptions: rest.activeSubscriptions,
    })),
    ...(billingV2.invoices > 0 && { billedByBillingV2: billingV2Answer(billingV2) }),
  }
}

type Subject = ReceiptSubject & { instead?: PaymentInvoice[] }

function billingV2Answer({ invoices, amounts }: BillingV2Totals): object {
  const byCurrency = amounts.map(({ currency, amountCents }) => [currency, amountCents])
  return { invoices, amounts: Object.fromEntries(byCurrency) }
}

function rebuildAll(document: ReplayDocument): CustomerMrr[] {
  const { asOf, products, prices, subscriptions, invoices, customerDiscounts } = document
  const customerOf = (subscription: PaymentSubscription): string =>
    subscription.customerId === '' ? `of ${subscription.id}` : subscription.customerId
  const customerOfSubscription = new Map(subscriptions.map((entry) => [entry.id, customerOf(entry)]))
  const subscriptionsOf = Map.groupBy(subscriptions, customerOf)
  const invoicesOf = new Map<string, PaymentInvoice[]>()
  for (const invoice of invoices) {
    const ids = new Set([
      invoice.subscriptionId,
      ...invoice.lines.map(({ subscriptionId }) => subscriptionId),
    ])
    const customerIds = new Set([...ids].map((id) => customerOfSubscription.get(id ?? '')))
    if (invoice.lines.some(({ standsForAll }) => standsForAll))
      customerIds.add(invoice.customerId ?? undefined)
    for (const customerId of customerIds) {
      if (customerId === undefined) continue
      const list = invoicesOf.get(customerId)
      if (list) list.push(invoice)
      else invoicesOf.set(customerId, [invoice])
    }
  }
  return [...subscriptionsOf].map(([customerId, own]) =>
    rebuildCustomer({
      customerId,
      subscriptions: own,
      invoices: invoicesOf.get(customerId) ?? [],
      prices,
      products,
      policy: defaultPolicy,
      customerDiscounts: customerDiscounts.get(customerId) ?? [],
      asOf,
    }),
  )
}

function eventAnswer(event: MrrEvent): object {
  return {
    subscriptionId: event.subscriptionId,
    invoiceId: event.invoiceId,
    occurredAt: isoOfInstant(event.occurredAt),
    mrrStatus: event.mrrStatus,
    changeType: event.changeType,
    previousMrr: event.previousMrrCents,
    currentMrr: event.currentMrrCents,
    mrrChange: event.mrrChangeCents,
    previousQuantity: event.previousQuantity,
    currentQuantity: event.currentQuantity,
    currency: event.currency,
  }
}

function stateAnswer(state: SubscriptionMrr, otherReason: string | null): object {
  const unsupported = state.isUnsupported ?? otherReason
  return {
    subscriptionId: state.subscriptionId,
    status: state.status,
    currentMrr: state.currentMrrCents,
    quantity: state.quantity,
    currency: state.currency,
    ...(unsupported === null ? {} : { unsupported }),
  }
}
