import type { Transaction } from '#contract/events.ts'
import { formatDay } from '../../ui/dates.ts'
import { EventBadge } from '../event-badge.tsx'
import { EventChange } from '../figures/event-change.tsx'
import type { CardLines } from '../list-page/column.ts'

/** An event among those of other companies. */
export function eventCard(event: Transaction): CardLines {
  const isNameless = !event.companyName && !event.customerEmail
  return {
    title: event.companyName || event.customerEmail || 'Unknown Company',
    amount: <EventChange event={event} />,
    amountName: 'MRR change',
    badge: <EventBadge mrrStatus={event.mrrStatus} />,
    date: formatDay(event.transactionDate),
    more: isNameless ? event.customerId : undefined,
  }
}
