import type { Day } from '#domain/date-range.ts'
import { bridgeOfRange, type MonthMovement, type MovementBridge } from '#domain/movement.ts'
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

type OwnPart<Row> = { currency: string; own: (Row & MonthMovement)[] }

/**
 * What stands beside totals by currency, each in its own: what has no rate. Of revalued totals, whose levels have rates of
 * their own, currencies without a rate at the end.
 */
export function besideOf<Row extends MovementTotal>(
  rows: readonly Row[],
  end: Day,
  worthOf: WorthOf | null,
): OwnPart<Row>[] {
  const without =
    worthOf === null
      ? rows
          .filter(({ unconvertedEvents }) => unconvertedEvents > 0)
          .map((row) => ({ ...row, change: row.unconvertedCents, events: row.unconvertedEvents }))
      : rows
          .filter(({ currency }) => worthOf(1, currency, end) === null)
          .map((row) => ({ ...row, change: row.ownCents }))
  return [...Map.groupBy(without, ({ currency }) => currency)]
    .map(([currency, own]) => ({ currency, own }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
}

/** What moved in each currency beside the totals, in that currency. */
export function bridgesOf(parts: readonly OwnPart<unknown>[]): (MovementBridge & { currency: string })[] {
  return parts.map(({ currency, own }) => ({ currency, ...bridgeOfRange(own) }))
}
