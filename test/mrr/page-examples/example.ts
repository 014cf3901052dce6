import { decimalOfCents } from '#domain/currency.ts'
import { isoOfInstant } from '#domain/instant.ts'
import { currentMrrOf } from '#domain/mrr/events/subscription-mrr.ts'
import { snapshotsOf } from '#domain/mrr/ledger/snapshots.ts'
import type { PaymentPrice } from '#domain/payments.ts'
import { type ExampleAccount, item, on, price, rebuild, renewals, subscription } from '../examples.ts'

/** An example of docs/mrr.md: its rule, the situation in words, and its account. */
export type PageExample = { rule: string; words: string; account: ExampleAccount; withSnapshots?: boolean }

/** The $20 plan of most examples. */
export const plan = price('pro', 2000)

/** A plan with one item that began on 1 January and was billed once. */
export function billed(of: PaymentPrice, quantity = 1, more: Partial<ExampleAccount> = {}): ExampleAccount {
  return {
    subscriptions: [subscription([item(of, quantity)])],
    invoices: renewals(of, quantity, ['2025-01-01']),
    asOf: '2025-01-20',
    ...more,
  }
}

/** The engine's result for the account as lines: one for each event, the snapshots if requested, and the current MRR. */
export function outcomeOf({ account, withSnapshots }: PageExample): string[] {
  const made = rebuild(account)
  const isOne = account.subscriptions.length === 1
  const events = made.events.map((event) => {
    const { previousMrrCents: from, currentMrrCents: to, currency } = event
    const seats = [event.previousQuantity, event.currentQuantity].join(' → ')
    return [
      isoOfInstant(event.occurredAt).replace('T00:00:00Z', ''),
      event.mrrStatus,
      event.changeType,
      `${money(from, currency)} → ${money(to, currency)}`,
      `seats ${seats}`,
      ...(isOne ? [] : [`of ${event.subscriptionId}`]),
    ].join(', ')
  })
  const from = made.events[0]?.occurredAt ?? on(account.asOf)
  const snapshots = withSnapshots
    ? snapshotsOf(made.events, from, on(account.asOf)).map(
        ({ month, currency, mrrCents }) => `snapshot of ${month}: ${money(mrrCents, currency)}`,
      )
    : []
  const now = Object.entries(currentMrrOf(made.subscriptions))
  const totals = now.map(([currency, cents]) => money(cents, currency)).join(' and ')
  return [...events, ...snapshots, `now: ${totals}`]
}

function money(cents: number, currency: string): string {
  const text = decimalOfCents(cents, currency)
  return currency === 'usd' ? `$${text}` : `${text} ${currency.toUpperCase()}`
}
