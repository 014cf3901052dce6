import type { Movement } from '#domain/movement.ts'
import { formatMonth } from '../../../ui/dates.ts'

export const movementColors: Record<Movement, string> = {
  New: 'blue.6',
  Reactivation: 'teal.6',
  Upgrade: 'green.6',
  Downgrade: 'orange.6',
  Churn: 'red.6',
}

/** What exchange rates moved, which is no movement of a customer. */
export const fxName = 'Exchange rates'
export const fxColor = 'gray.6'

/** Writes '2026-10' as 'Oct 2026', and '2026-Q4' as 'Q4 2026'. */
export function periodLabel(name: string): string {
  const [year, quarter] = name.split('-Q')
  return quarter === undefined ? formatMonth(name) : `Q${quarter} ${year}`
}
