const dayMs = 86_400_000

// A format takes longer to make than all dates of a screen to write.
const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const instantFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

function isValid(date: Date): boolean {
  return !Number.isNaN(date.getTime())
}

/** Writes the UTC day of an instant or day: 'Aug 1, 2026'; 'N/A' without a value. */
export function formatDay(value: string | null): string {
  if (value === null) return 'N/A'
  const date = new Date(value)
  return isValid(date) ? dayFormat.format(date) : value
}

/** Writes the day and time in the reader's own zone, for actions of the product itself; 'N/A' without a value. */
export function formatInstant(value: string | null): string {
  if (value === null) return 'N/A'
  const date = new Date(value)
  return isValid(date) ? instantFormat.format(date) : value
}

/** Writes 'YYYY-MM' as 'Aug 2026'. */
export function formatMonth(value: string): string {
  const date = new Date(`${value.slice(0, 7)}-01T00:00:00Z`)
  return isValid(date) ? monthFormat.format(date) : value
}

/** Counts whole days from the UTC day of `now` to a YYYY-MM-DD day; negative for a past day. */
export function daysUntil(day: string, now: Date): number {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  return Math.round((Date.parse(`${day}T00:00:00Z`) - today) / dayMs)
}

/** Writes '2026-08-20 (in 3 days)', with the bracket only for a future day. */
export function formatDayAhead(day: string, now: Date): string {
  const days = daysUntil(day, now)
  return days > 0 ? `${day} (in ${days} ${days === 1 ? 'day' : 'days'})` : day
}

/** Writes '{m}m {s}s', '{s}s' under a minute, and 'In progress' without an end. */
export function formatDuration(startedAt: string, endedAt: string | null): string {
  if (endedAt === null) return 'In progress'
  const seconds = Math.max(0, Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1_000))
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`
}
