import type { Transaction } from '#contract/events.ts'
import { paths } from '../../paths.ts'
import type { RowTarget } from './column.ts'

/** Where a row about a subscription leads; null when the row names none. */
export function subscriptionTarget(id: string | null, companyName: string | null): RowTarget | null {
  return id === null
    ? null
    : { to: paths.subscription(id), label: `Open the subscription of ${companyName ?? 'Unknown Company'}` }
}

type ShownEvent = Pick<Transaction, 'transactionId' | 'relatedSubscriptionId' | 'companyName'>

/** Where a row about an event leads: to its subscription, which marks the event. */
export function eventTarget(event: ShownEvent): RowTarget | null {
  const target = subscriptionTarget(event.relatedSubscriptionId, event.companyName)
  return target && { ...target, to: `${target.to}?${new URLSearchParams({ event: event.transactionId })}` }
}

export function customerTarget(id: string, title: string): RowTarget {
  return { to: paths.customer(id), label: `Open ${title}` }
}
