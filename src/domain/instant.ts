/** A moment as Unix seconds in UTC, the resolution that the payment provider uses. */
export type Instant = number

/** An instant as 'YYYY-MM-DDTHH:MM:SSZ'. */
export function isoOfInstant(instant: Instant): string {
  return new Date(instant * 1000).toISOString().replace('.000Z', 'Z')
}

/** The calendar day in UTC, 'YYYY-MM-DD', that contains the instant. */
export function dayOfInstant(instant: Instant): string {
  return isoOfInstant(instant).slice(0, 10)
}

/** The calendar day in UTC, 'YYYY-MM-DD', of a Date in the years 0 to 9999. */
export function dayOfDate(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** A Date in whole seconds, rounded down. */
export function instantOfDate(date: Date): Instant {
  return Math.floor(date.getTime() / 1000)
}

/** The last second of the year 9999: a later instant does not fit the usual text form. */
export const latestInstant: Instant = 253_402_300_799

/** Guards arithmetic and texts against instants outside the years 1970 to 9999. */
export function isInstant(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value <= latestInstant
}
