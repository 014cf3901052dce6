import { bridgeOfRange, type MonthMovement, type MovementBridge } from '#domain/movement.ts'
import type { MovementTotal } from '../../store/totals/read-movements.ts'

/** The part of totals that is in the reporting currency. */
export function convertedOf(rows: readonly MovementTotal[]): MonthMovement[] {
  return rows.map(({ month, movement, events, unconvertedEvents, reportingCents }) => ({
    month,
    movement,
    change: reportingCents,
    events: events - unconvertedEvents,
  }))
}

/** What moved in each currency without a rate, in that currency. */
export function otherBridges(rows: readonly MovementTotal[]): (MovementBridge & { currency: string })[] {
  const without = rows.filter(({ unconvertedEvents }) => unconvertedEvents > 0)
  return [...Map.groupBy(without, ({ currency }) => currency)]
    .map(([currency, own]) => ({
      currency,
      ...bridgeOfRange(
        own.map(({ month, movement, unconvertedEvents, unconvertedCents }) => ({
          month,
          movement,
          change: unconvertedCents,
          events: unconvertedEvents,
        })),
      ),
    }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
}
