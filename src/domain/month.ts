import { type Instant, isoOfInstant } from './instant.ts'

/** A calendar month in UTC as 'YYYY-MM'; text order is time order. */
export type Month = string

export function monthOfInstant(instant: Instant): Month {
  return isoOfInstant(instant).slice(0, 7)
}

/** The instant at which the month begins: the 1st at 00:00 UTC. */
export function startOfMonth(month: Month): Instant {
  return Date.parse(`${month}-01T00:00:00Z`) / 1000
}

export function nextMonth(month: Month): Month {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${String(year).padStart(4, '0')}-${String(number + 1).padStart(2, '0')}`
}

export function monthBefore(month: Month): Month {
  return isoOfInstant(startOfMonth(month) - 1).slice(0, 7)
}

/** Every month from the first to the last, both included; empty when the first is later. */
export function monthsBetween(first: Month, last: Month): Month[] {
  const months: Month[] = []
  for (let month = first; month <= last; month = nextMonth(month)) months.push(month)
  return months
}
