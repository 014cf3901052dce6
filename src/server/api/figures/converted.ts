import type { Day } from '#domain/date-range.ts'
import type { MonthMovement } from '#domain/movement.ts'
import type { WorthOf } from '#domain/reporting/revalued.ts'
import type { MovementTotal } from '../../store/totals/read-movements.ts'

/** The part of totals that is in the reporting currency. */
export function convertedOf<Row extends MovementTotal>(rows: readonly Row[]): (Row & MonthMovement)[] {
  return rows.map((row) => ({
    ...row,
    change: row.reportingCents,
    events: row.events - row.unconvertedEvents,
  }))
}

/** What one currency has beside the totals, as `change` and `events`, and how its levels there are valued. */
type OwnPart<Row> = { currency: string; own: (Row & MonthMovement)[]; worthOf: WorthOf | null }

/**
 * What stands beside totals by currency, each in its own: what has no rate. Of revalued totals, currencies without a
 * rate at the end; their level is there whole, and what was converted before is left to the totals.
 */
export function besideOf<Row extends MovementTotal>(
  rows: readonly Row[],
  end: Day,
  worthOf: WorthOf | null,
): OwnPart<Row>[] {
  const without = rows
    .map((row) => ({ ...row, change: row.unconvertedCents, events: row.unconvertedEvents }))
    .filter(({ currency, events }) => (worthOf === null ? events > 0 : worthOf(1, currency, end) === null))
  return [...Map.groupBy(without, ({ currency }) => currency)]
    .map(([currency, own]) => ({ currency, own, worthOf: worthOf && worthBeside(worthOf) }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
}

/** The worth of a level beside revalued totals: all of it on days without a rate, on others the totals have it. */
function worthBeside(worthOf: WorthOf): WorthOf {
  return (cents, currency, day) => (worthOf(1, currency, day) === null ? cents : 0)
}
