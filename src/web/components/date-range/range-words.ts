import type { DayRange, RangeName } from '#domain/date-range.ts'
import { formatDay } from '../../ui/dates.ts'

export const rangeLabels: Record<RangeName, string> = {
  '30d': '30 days',
  '90d': '90 days',
  '12m': '12 months',
  ytd: 'Year to date',
  all: 'All time',
}

/** Writes a range: 'Dec 1, 2025 to Nov 27, 2026', or 'All time' without limits. */
export function rangeText({ from, to }: DayRange): string {
  if (from === null && to === null) return rangeLabels.all
  if (from === null) return `Until ${formatDay(to)}`
  if (to === null) return `From ${formatDay(from)}`
  return from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`
}
