import { type DayRange, daysOfRange } from '#domain/date-range.ts'

/** The input of the call that reads the movements of some days. */
export function movementsOf({ from, to }: DayRange): { query: { from?: string; to?: string } } {
  return { query: { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) } }
}

/** The same for the running month and the eleven before it, which the cards of the dashboard compare. */
export function yearOfMovements(now: Date) {
  return movementsOf(daysOfRange({ name: '12m' }, now.toISOString().slice(0, 10)))
}
