import { changesBetween, type LedgerChanges } from '#domain/recount.ts'
import type { EventRow } from '../../store/ledger/events.ts'
import type { SubscriptionFigures } from '../../store/ledger/subscription-figures.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { loadCountedLedger } from '../../store/recount/note-changes.ts'

/** What a rebuild of these customers will change. */
export async function findChanges(
  tenant: Tenant,
  customerIds: readonly string[],
  rebuilt: { events: readonly EventRow[]; figures: readonly SubscriptionFigures[] },
): Promise<LedgerChanges> {
  const before = await loadCountedLedger(tenant, customerIds)
  const figuresOf = new Map(rebuilt.figures.map((figures) => [figures.id, figures]))
  const subscriptions = before.subscriptions.map((one) => {
    const figures = figuresOf.get(one.id)
    if (!figures) return one
    const { currentMrrCents: mrrCents, quantity, productName, billingIntervalDays } = figures
    const { periodStart, periodEnd, nextRenewalOn, unsupportedReason } = figures
    const counted = { mrrCents, quantity, productName, billingIntervalDays }
    return { ...one, ...counted, periodStart, periodEnd, nextRenewalOn, unsupportedReason }
  })
  return changesBetween(before, { subscriptions, events: rebuilt.events })
}
