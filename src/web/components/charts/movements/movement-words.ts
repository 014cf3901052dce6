import { type Movement, type MovementPeriod, missingDays } from '#domain/movement.ts'
import { formatDay, formatMonth } from '../../../ui/dates.ts'

/** What exchange rates moved, which is no movement of a customer. */
export const fxName = 'Exchange rates'

export type PartName = Movement | typeof fxName
export type PartColor = { color: string; isStriped?: boolean }

/** Of two kinds on the same side of zero whose colors some people cannot tell apart, one has stripes. */
export const partColors: Record<PartName, PartColor> = {
  New: { color: 'var(--mantine-color-blue-7)' },
  Reactivation: { color: 'var(--mantine-color-violet-5)', isStriped: true },
  Upgrade: { color: 'var(--mantine-color-green-8)' },
  Downgrade: { color: 'var(--mantine-color-orange-8)', isStriped: true },
  Churn: { color: 'var(--mantine-color-red-8)' },
  [fxName]: { color: 'var(--mantine-color-gray-6)' },
}

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
