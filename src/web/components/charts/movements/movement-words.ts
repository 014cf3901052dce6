import { type Movement, type MovementPeriod, missingDays } from '#domain/movement.ts'
import { formatDay, formatMonth } from '../../../ui/dates.ts'

export type MovementColor = { color: string; isStriped?: boolean }

/** Of two kinds on the same side of zero whose colors some people cannot tell apart, one has stripes. */
export const movementColors: Record<Movement, MovementColor> = {
  New: { color: 'blue.7' },
  Reactivation: { color: 'violet.5', isStriped: true },
  Upgrade: { color: 'green.8' },
  Downgrade: { color: 'orange.8', isStriped: true },
  Churn: { color: 'red.8' },
}

/** What exchange rates moved, which is no movement of a customer. */
export const fxName = 'Exchange rates'
export const fxColor: MovementColor = { color: 'gray.6' }

/** Stripes over a color, as a background image; the bars of the chart have the same. */
export const movementStripes =
  'repeating-linear-gradient(135deg, transparent 0 2px, var(--mantine-color-body) 2px 4px)'

/** Writes '2026-10' as 'Oct 2026', and '2026-Q4' as 'Q4 2026'. */
export function periodLabel(name: string): string {
  const [year, quarter] = name.split('-Q')
  return quarter === undefined ? formatMonth(name) : `Q${quarter} ${year}`
}

type Period = Pick<MovementPeriod, 'name' | 'from' | 'to' | 'isRunning'>

/** Says that a period is not whole: 'so far', 'from Oct 29', 'until Oct 3', 'Oct 5 to Oct 9'; null for a whole one. */
export function partText(period: Period): string | null {
  const { atStart, atEnd } = missingDays(period)
  const [first, last] = [period.from, period.to].map((day) => formatDay(day).split(',')[0])
  if (atStart && atEnd) return first === last ? `${first} only` : `${first} to ${last}`
  if (atStart) return period.isRunning ? `from ${first}, so far` : `from ${first}`
  if (atEnd) return `until ${last}`
  return period.isRunning ? 'so far' : null
}

/** Writes a period with what is not whole about it: 'Oct 2026 (from Oct 29)'. */
export function periodText(period: Period): string {
  const part = partText(period)
  return part === null ? periodLabel(period.name) : `${periodLabel(period.name)} (${part})`
}
