export type Interval = 'day' | 'week' | 'month' | 'year'

const minuteSeconds = 60
export const hourSeconds = 60 * minuteSeconds
export const daySeconds = 24 * hourSeconds

/**
 * The instant `months` after `from` (Unix seconds, UTC); in a shorter month, its last day.
 * Source: docs.stripe.com/billing/subscriptions/billing-cycle (31 January bills on 28 or 29 February, then 31 March).
 */
export function addMonths(from: number, months: number): number {
  const date = new Date(from * 1000)
  const target = date.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), target + 1, 0)).getUTCDate()
  const day = Math.min(date.getUTCDate(), lastDay)
  const midnight = Date.UTC(date.getUTCFullYear(), target, day) / 1000
  return midnight + (from % daySeconds)
}

/**
 * The start of period number `index` of a billing cycle; counting from the anchor keeps short months from shifting
 * it.
 */
export function periodBoundary(anchor: number, interval: Interval, count: number, index: number): number {
  if (interval === 'day') return anchor + index * count * daySeconds
  if (interval === 'week') return anchor + index * count * 7 * daySeconds
  return addMonths(anchor, index * count * (interval === 'year' ? 12 : 1))
}

/** '3 Mar 2026', as the provider writes dates in line descriptions. */
export function dateInWords(at: number): string {
  const [, day, month, year] = new Date(at * 1000).toUTCString().split(' ')
  return `${Number(day)} ${month} ${year}`
}
