import type { Instant } from '../../instant.ts'
import type { MrrPolicy } from './policy.ts'
import { type Rational, ratio } from './rational.ts'
import { renewalDriftSeconds } from './tolerances.ts'

/** How often a price is billed. */
export type Cadence = { interval: string; count: number }

export const daySeconds = 86_400

/** Month lengths vary with the anchor day: 31 January, 28 February and 31 March are one month apart. */
const monthDriftSeconds = 3 * daySeconds + renewalDriftSeconds
/** Longest terms that we infer from a period alone: ten years, or one year when counted in days. */
const inferredMonthsMax = 120
const inferredDaysMax = 366

/** Months in one billing interval (R1, R2): the divisor of its amount. Undefined for an unknown interval. */
export function monthsOf(cadence: Cadence, policy: MrrPolicy): Rational | undefined {
  const { interval, count } = cadence
  if (!Number.isSafeInteger(count) || count < 1) return undefined
  const size = BigInt(count)
  switch (interval) {
    case 'month':
      return { top: size, bottom: 1n }
    case 'year':
      return { top: 12n * size, bottom: 1n }
    case 'week':
      return ratio(size * BigInt(policy.weeksPerMonth[1]), BigInt(policy.weeksPerMonth[0]))
    case 'day':
      return ratio(size * BigInt(policy.daysPerMonth[1]), BigInt(policy.daysPerMonth[0]))
    default:
      return undefined
  }
}

/** The instant a number of calendar months later (or earlier); the day is capped at the end of a shorter month. */
export function monthsLater(instant: Instant, months: number): Instant {
  const date = new Date(instant * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return Math.floor(date.getTime() / 1000)
}

/** The end of the period that starts at the instant; with sign -1, the start of the period that ends there. */
export function periodsLater(instant: Instant, cadence: Cadence, sign: 1 | -1 = 1): Instant {
  const { interval, count } = cadence
  if (interval === 'day') return instant + sign * count * daySeconds
  if (interval === 'week') return instant + sign * count * 7 * daySeconds
  return monthsLater(instant, sign * count * (interval === 'year' ? 12 : 1))
}

/**
 * The start of the billing period that ends at the instant. Only the anchor tells the 31st of January from the 28th when a
 * period ends on 28 February.
 */
export function startOfPeriod(end: Instant, cadence: Cadence, anchorAt: Instant | null): Instant {
  const start = periodsLater(end, cadence, -1)
  if (anchorAt === null || (cadence.interval !== 'month' && cadence.interval !== 'year')) return start
  const anchored = (at: Instant): Instant => monthsLater(anchorAt, monthOf(at) - monthOf(anchorAt))
  return anchored(end) === end ? anchored(start) : start
}

/** The number of a calendar month, counted from year 0. */
function monthOf(instant: Instant): number {
  const date = new Date(instant * 1000)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** Whether start to end is exactly one billing period of the price, not a shortened or longer stretch (R32, R35). */
export function isWholePeriod(start: Instant, end: Instant, cadence: Cadence): boolean {
  const drift =
    cadence.interval === 'month' || cadence.interval === 'year' ? monthDriftSeconds : renewalDriftSeconds
  return Math.abs(periodsLater(start, cadence) - end) <= drift
}

/** The same to the second; of two months of unequal length the longer one decides, as from 28 February to 31 March. */
export function isExactPeriod(start: Instant, end: Instant, cadence: Cadence): boolean {
  return periodsLater(start, cadence) === end || periodsLater(end, cadence, -1) === start
}

/**
 * A number of days or weeks. A shortened first period has such a length too, so alone it does not show how often is
 * billed (R35).
 */
export function isOddCadence({ interval, count }: Cadence): boolean {
  return count > 1 && (interval === 'day' || interval === 'week')
}

/** The cadence that a service period alone suggests, for lines with a deleted price. Undefined for an empty period. */
export function cadenceOfPeriod(start: Instant, end: Instant): Cadence | undefined {
  const seconds = end - start
  if (!(seconds >= daySeconds / 2)) return undefined
  for (let months = 1; months <= inferredMonthsMax; months++) {
    const drift = Math.abs(monthsLater(start, months) - end)
    if (drift <= (months % 12 === 0 || months === 1 ? monthDriftSeconds : renewalDriftSeconds)) {
      return months % 12 === 0
        ? { interval: 'year', count: months / 12 }
        : { interval: 'month', count: months }
    }
  }
  const days = Math.round(seconds / daySeconds)
  if (days > inferredDaysMax) return undefined
  return days % 7 === 0 ? { interval: 'week', count: days / 7 } : { interval: 'day', count: days }
}
