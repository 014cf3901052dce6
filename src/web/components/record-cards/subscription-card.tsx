import type { Subscription } from '#contract/subscriptions.ts'
import { formatDay } from '../../ui/dates.ts'
import { SubscriptionMrr } from '../customers/subscription-mrr.tsx'
import type { CardLines } from '../list-page/column.ts'
import { StatusBadge } from '../status-badge.tsx'

/** A subscription among those of other companies. */
export function subscriptionCard(row: Subscription): CardLines {
  return {
    title: row.companyName || row.customerEmail || 'Unknown Company',
    amount: <SubscriptionMrr subscription={row} />,
    amountName: 'MRR',
    badge: <StatusBadge status={row.status} />,
    date: dateOf(row),
    more: row.productName ?? undefined,
  }
}

function dateOf({ endedOn, endsOn, nextRenewalDate }: Subscription): string | null {
  if (endedOn !== null) return `Ended ${formatDay(endedOn)}`
  if (endsOn !== null) return `Ends ${formatDay(endsOn)}`
  return nextRenewalDate === null ? null : `Renews ${formatDay(nextRenewalDate)}`
}
