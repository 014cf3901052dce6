import type { Instant } from '../../instant.ts'
import type { PaymentInvoice, PaymentSubscription } from '../../payments.ts'
import type { IgnoredLine } from '../bills/bill.ts'
import { belongsTo } from '../bills/line-owner.ts'
import { sameRequestSeconds } from '../exact/tolerances.ts'
import type { SubscriptionRebuild } from '../timeline/subscription-rebuild.ts'
import type { SubscriptionState } from '../timeline/subscription-state.ts'
import { lastChangeAt } from './rules-of-now.ts'

/** A receipt shows the lines of only the latest few invoices that do not count. */
const passedOverMax = 12

/**
 * The lines that do not count toward an event's figure: those of its own invoices, and those of invoices that were no
 * evidence then.
 */
export function ignoredOfEvent(rebuild: SubscriptionRebuild, state: SubscriptionState): IgnoredLine[] {
  const { at } = state
  const isThen = (invoice: PaymentInvoice): boolean => Math.abs(startOf(invoice) - at) <= sameRequestSeconds
  return ignoredOf(rebuild, state, isThen)
}

/** The lines that do not count toward a subscription's current value. */
export function ignoredOfNow(rebuild: SubscriptionRebuild): IgnoredLine[] {
  const { now, states, ignored } = rebuild
  const changedAt = lastChangeAt(states)
  const lines = ignoredOf(rebuild, now, (invoice) => startOf(invoice) >= changedAt)
  if (lines.length > 0 || now.items.length > 0 || now.cause === 'end') return lines
  return [...ignored.values()].slice(-passedOverMax).flat()
}

function ignoredOf(
  { subscription, ignored, passedOver, moneyBack }: SubscriptionRebuild,
  state: SubscriptionState,
  isShown: (invoice: PaymentInvoice) => boolean,
): IgnoredLine[] {
  const invoiceIds = new Set([
    state.invoiceId,
    state.notPaid?.id ?? null,
    ...state.items.map(({ source }) => (source.kind === 'charge' ? source.charge.invoice.id : null)),
    ...passedOver
      .filter(isShown)
      .slice(-passedOverMax)
      .map(({ id }) => id),
  ])
  const lines = [...invoiceIds].flatMap((id) => (id === null ? [] : (ignored.get(id) ?? [])))
  if (state.cause !== 'end') return lines
  const back = moneyBackWith(state, moneyBack)
  const isBack = new Set(back.map(({ lineId }) => lineId))
  const all = [...lines.filter(({ lineId }) => !isBack.has(lineId)), ...back]
  return [...all, ...notPaidLines(state, subscription, new Set(all.map(({ lineId }) => lineId)))]
}

/** When the first period of an invoice begins; its creation when it has no lines. */
function startOf({ lines, createdAt }: PaymentInvoice): Instant {
  return lines.length === 0 ? createdAt : Math.min(...lines.map(({ periodStart }) => periodStart))
}

/** The lines of the invoice that was not paid and so dates the end: without them nobody could look it up. */
function notPaidLines(
  { notPaid }: SubscriptionState,
  subscription: PaymentSubscription,
  told: ReadonlySet<string>,
): IgnoredLine[] {
  if (!notPaid) return []
  const isGivenUp = notPaid.status === 'uncollectible'
  return notPaid.lines
    .filter((line) => !told.has(line.id) && belongsTo(line, notPaid, subscription))
    .map(({ id: lineId, amountCents }) => ({
      invoiceId: notPaid.id,
      lineId,
      amountCents,
      reason: isGivenUp ? 'Of the invoice that was given up' : 'Of the invoice that was not paid',
      rule: 'R17',
    }))
}

/** What was given back when the subscription ended; the Churn still carries the full MRR (R29). */
function moneyBackWith(
  { at }: SubscriptionState,
  moneyBack: SubscriptionRebuild['moneyBack'],
): IgnoredLine[] {
  return moneyBack
    .filter(({ invoice }) => invoice.createdAt >= at - sameRequestSeconds)
    .map(({ invoice, line }) => ({
      invoiceId: invoice.id,
      lineId: line.id,
      amountCents: line.amountCents,
      reason: 'Money back when the subscription ended',
      rule: 'R29',
    }))
}
