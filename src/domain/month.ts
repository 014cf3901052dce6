import { addDays, type Day, type DayRange } from './date-range.ts'
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

/** The last day of a month. */
export function lastDayOf(month: Month): Day {
  return addDays(`${nextMonth(month)}-01`, -1)
}

/**
 * The months that lie wholly in some days, null at an end without a limit, and the days beside them. Together they are the
 * days of the range, each once. `months` is null where none is whole.
 */
export function wholeMonths({ from, to }: DayRange): {
  months: { from: Month | null; to: Month | null } | null
  beside: { from: Day; to: Day }[]
} {
  const isCutAtStart = from !== null && !from.endsWith('-01')
  const isCutAtEnd = to !== null && to !== lastDayOf(monthOfDay(to))
  const first = from === null ? null : isCutAtStart ? nextMonth(monthOfDay(from)) : monthOfDay(from)
  const last = to === null ? null : isCutAtEnd ? monthBefore(monthOfDay(to)) : monthOfDay(to)
  if (from !== null && to !== null && (first ?? '') > (last ?? ''))
    return { months: null, beside: [{ from, to }] }
  return {
    months: { from: first, to: last },
    beside: [
      ...(isCutAtStart ? [{ from, to: lastDayOf(monthOfDay(from)) }] : []),
      ...(isCutAtEnd ? [{ from: `${monthOfDay(to)}-01`, to }] : []),
    ],
  }
}

const monthOfDay = (day: Day): Month => day.slice(0, 7)
