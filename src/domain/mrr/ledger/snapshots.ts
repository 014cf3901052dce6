import type { MrrEvent } from '../../event.ts'
import type { Instant } from '../../instant.ts'
import { type Month, monthOfInstant, monthsBetween, startOfMonth } from '../../month.ts'

/** MRR of one currency at 00:00 UTC on the 1st of the month (R38). */
export type Snapshot = { month: Month; currency: string; mrrCents: number; activeSubscriptions: number }

/**
 * Snapshots of every 1st from an instant to the as-of instant, by month and currency. Events of exactly that second are
 * included. A currency appears from its first event on.
 */
export function snapshotsOf(events: readonly MrrEvent[], from: Instant, asOf: Instant): Snapshot[] {
  const inTime = [...events].sort((a, b) => a.occurredAt - b.occurredAt)
  const mrr = new Map<string, Map<string, number>>()
  const snapshots: Snapshot[] = []
  let next = 0
  for (const month of monthsBetween(monthOfInstant(from), monthOfInstant(asOf))) {
    const at = startOfMonth(month)
    if (at < from || at > asOf) continue
    for (let event = inTime[next]; event && event.occurredAt <= at; event = inTime[++next]) {
      const ofCurrency = mrr.get(event.currency) ?? new Map<string, number>()
      mrr.set(event.currency, ofCurrency)
      if (event.currentMrrCents > 0) ofCurrency.set(event.subscriptionId, event.currentMrrCents)
      else ofCurrency.delete(event.subscriptionId)
    }
    for (const currency of [...mrr.keys()].sort()) {
      const values = [...(mrr.get(currency)?.values() ?? [])]
      const mrrCents = values.reduce((sum, cents) => sum + cents, 0)
      snapshots.push({ month, currency, mrrCents, activeSubscriptions: values.length })
    }
  }
  return snapshots
}
