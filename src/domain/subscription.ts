/** The provider's statuses; a value that it adds later is kept unchanged. */
export const subscriptionStatuses = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'paused',
] as const

/** A status or type in capitalized words: 'past_due' becomes 'Past Due'. */
export function labelOf(value: string): string {
  return value
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}

/** The days of an interval in the API, with a month as 30 and a year as 365; null when unknown or too large. */
export function billingIntervalDays(interval: string | null, intervalCount: number): number | null {
  const days = daysOf(interval, intervalCount)
  return Number.isSafeInteger(days) ? days : null
}

function daysOf(interval: string | null, intervalCount: number): number | null {
  switch (interval) {
    case 'day':
      return intervalCount
    case 'week':
      return 7 * intervalCount
    case 'month':
      return intervalCount === 12 ? 365 : 30 * intervalCount
    case 'year':
      return 365 * intervalCount
    default:
      return null
  }
}

/** 28 to 31 days Monthly, 90 Quarterly, 365 Annual, otherwise '{n} days'. */
export function billingIntervalLabel(days: number): string {
  if (days >= 28 && days <= 31) return 'Monthly'
  if (days === 90) return 'Quarterly'
  if (days === 365) return 'Annual'
  return `${days} days`
}

/** The interval of a price, as the provider states it. */
export type PriceCadence = { interval: string | null; count: number }

/**
 * Names a billing interval: by its days where they have a name, else as the price states it ('Every 6 months'), if a
 * price with this many days is known, else '{n} days'.
 */
export function billingIntervalText(days: number, cadences: readonly PriceCadence[]): string {
  const label = billingIntervalLabel(days)
  if (label !== `${days} days`) return label
  const known = cadences.find(({ interval, count }) => billingIntervalDays(interval, count) === days)
  return known === undefined ? label : cadenceText(known)
}

const single: Record<string, string> = { day: 'Daily', week: 'Weekly', month: 'Monthly', year: 'Annual' }

function cadenceText({ interval, count }: PriceCadence): string {
  return count === 1 ? (single[interval ?? ''] ?? `Every ${interval}`) : `Every ${count} ${interval}s`
}
