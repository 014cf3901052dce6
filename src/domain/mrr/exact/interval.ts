import type { Instant } from '../../instant.ts'
import type { MrrPolicy } from './policy.ts'
import { type Rational, ratio } from './rational.ts'
import { renewalDriftSeconds } from './tolerances.ts'

/** How often a price is billed. */
export type Cadence = { interval: string; count: number }

export const daySeconds = 86_400

/** A month's length varies with the anchor day: 31 January, 28 February, 31 March are one month apart. */
const monthDriftSeconds = 3 * daySeconds + renewalDriftSeconds
/** Longest terms that are read out of a bare period: ten years, and of whole days one year. */
const inferredMonthsMax = 120
const inferredDaysMax = 366

/** Months that one billing interval stands for (R1, R2): the divisor of its amount. Undefined for an unknown interval. */
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

/** The instant some calendar months later (or earlier), the day cut to the end of a shorter month. */
export function monthsLater(instant: Instant, months: number): Instant {
  const date = new Date(instant * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return Math.floor(date.getTime() / 1000)
}

/** The end of the period that starts at the instant; with a negative sign the start of the one that ends there. */
export function periodsLater(instant: Instant, cadence: Cadence, sign: 1 | -1 = 1): Instant {
  const { interval, count } = cadence
  if (interval === 'day') return instant + sign * count * daySeconds
  if (interval === 'week') return instant + sign * count * 7 * daySeconds
  return monthsLater(instant, sign * count * (interval === 'year' ? 12 : 1))
}

/** Whether start to end is one whole billing period of the price, and no stub and no elapsed stretch (R32, R35). */
export function isWholePeriod(start: Instant, end: Instant, cadence: Cadence): boolean {
  const drift =
    cadence.interval === 'month' || cadence.interval === 'year' ? monthDriftSeconds : renewalDriftSeconds
  return Math.abs(periodsLater(start, cadence) - end) <= drift
}

/** The same to the second; of two months of unequal length the longer one tells, as from 28 February to 31 March. */
export function isExactPeriod(start: Instant, end: Instant, cadence: Cadence): boolean {
  return periodsLater(start, cadence) === end || periodsLater(end, cadence, -1) === start
}

/** A number of days or weeks, as a first period that is cut short has as well; alone it says nothing of how often (R35). */
export function isOddCadence({ interval, count }: Cadence): boolean {
  return count > 1 && (interval === 'day' || interval === 'week')
}

/** The cadence that a bare service period suggests, for lines whose price is gone. Undefined for an empty period. */
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
