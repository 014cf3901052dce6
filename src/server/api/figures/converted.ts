import { bridgeOfRange, type MonthMovement, type MovementBridge } from '#domain/movement.ts'
import type { MovementTotal } from '../../store/totals/read-movements.ts'

/** The part of totals that is in the reporting currency. */
export function convertedOf<Row extends MovementTotal>(rows: readonly Row[]): (Row & MonthMovement)[] {
  return rows.map((row) => ({
    ...row,
    change: row.reportingCents,
    events: row.events - row.unconvertedEvents,
  }))
}

/** What moved in each currency without a rate, in that currency. */
export function otherBridges(rows: readonly MovementTotal[]): (MovementBridge & { currency: string })[] {
  return unconvertedOf(rows).map(({ currency, own }) => ({ currency, ...bridgeOfRange(own) }))
}

/** The part of totals without a rate, by currency, each in its own. */
export function unconvertedOf<Row extends MovementTotal>(
  rows: readonly Row[],
): { currency: string; own: (Row & MonthMovement)[] }[] {
  const without = rows.filter(({ unconvertedEvents }) => unconvertedEvents > 0)
  return [...Map.groupBy(without, ({ currency }) => currency)]
    .map(([currency, own]) => ({
      currency,
      own: own.map((row) => ({ ...row, change: row.unconvertedCents, events: row.unconvertedEvents })),
    }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
}
