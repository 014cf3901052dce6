import { paths } from '../../paths.ts'
import type { RowTarget } from './column.ts'

/** Where a row about a subscription leads; null when the row names none. */
export function subscriptionTarget(id: string | null, companyName: string | null): RowTarget | null {
  return id === null
    ? null
    : { to: paths.subscription(id), label: `Open the subscription of ${companyName ?? 'Unknown Company'}` }
}

export function customerTarget(id: string, title: string): RowTarget {
  return { to: paths.customer(id), label: `Open ${title}` }
}
