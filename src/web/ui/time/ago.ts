import { formatDay } from '../dates.ts'

const units = [
  { name: 'min', ms: 60_000, most: 60 },
  { name: 'h', ms: 3_600_000, most: 24 },
  { name: 'day', ms: 86_400_000, most: 30 },
]

/** Writes 'just now', '3 min ago', '2 h ago', '5 days ago', and the day of what is older than 30 days. */
export function formatAgo(value: string, now: Date): string {
  const ageMs = now.getTime() - Date.parse(value)
  if (ageMs < 60_000) return 'just now'
  for (const { name, ms, most } of units) {
    const count = Math.floor(ageMs / ms)
    if (count < most) return `${count} ${name === 'day' && count !== 1 ? 'days' : name} ago`
  }
  return formatDay(value)
}

/** Writes 'in 1 min', 'in 3 h', 'in 5 days' for what will be; 'now' for what is due. */
export function formatAhead(value: string, now: Date): string {
  const leftMs = Date.parse(value) - now.getTime()
  if (leftMs <= 0) return 'now'
  for (const { name, ms, most } of units) {
    const count = Math.ceil(leftMs / ms)
    if (count < most || name === 'day') return `in ${count} ${name === 'day' && count !== 1 ? 'days' : name}`
  }
  return formatDay(value)
}

const fullFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long' })

/** Writes an instant to the second with the reader's zone: 'Nov 27, 2026, 1:43:14 PM UTC'. */
export function formatFullInstant(value: string): string {
  return fullFormat.format(new Date(value))
}
