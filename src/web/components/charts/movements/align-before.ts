import type { MovementsAnswer } from '#contract/mrr.ts'
import type { Day } from '#domain/date-range.ts'
import { type MovementInterval, periodNames } from '#domain/movement.ts'

type Period = MovementsAnswer['periods'][number]
type Asked = { days: { from: Day; to: Day }; periods: readonly Period[] }

/** The period beside each bar, or why there is none. */
export type Beside = readonly (Period | undefined)[] | 'nothing' | 'other bars'

/**
 * Puts the first month or quarter before beside the first bar asked for, the second beside the second, and so on. Where one
 * range touches more months than the other, nothing is compared.
 */
export function alignBefore(shown: Asked, before: Asked, interval: MovementInterval): Beside {
  if (before.periods.length === 0) return 'nothing'
  const [names, namesBefore] = [periodNames(shown.days, interval), periodNames(before.days, interval)]
  if (names.length !== namesBefore.length) return 'other bars'
  const beside = shown.periods.map(({ name }) => {
    const wanted = namesBefore[names.indexOf(name)]
    return before.periods.find((period) => period.name === wanted)
  })
  return beside.every((period) => period === undefined) ? 'other bars' : beside
}
