import { addDays, type Day, type DayRange } from '../date-range.ts'
import type { MovementBridge, MovementPeriod } from '../movement.ts'
import type { ReportedMrr } from '../mrr-by-currency.ts'
import type { RateOf } from './conversion.ts'
import { convertCents } from './rate.ts'

// Totals that are revalued: what each currency comes to, times the rate of the day, rounded once a currency. They are not
// sums of rounded rows, and no row has to be read for them.

/** What minor units of a currency are worth in the reporting currency on a day; null without a rate. */
export type WorthOf = (cents: number, currency: string, day: Day) => number | null

/** Values in a currency, by the rates that are known. */
export function worthIn(to: string, rateOf: RateOf): WorthOf {
  return (cents, currency, day) => {
    if (cents === 0 || currency === to) return cents
    const found = rateOf(currency, day)
    return found && convertCents(cents, currency, to, found.rate)
  }
}

/** MRR by currency at the rates of a day, in place of what its rows were converted to. */
export function revalueMrr<Row extends ReportedMrr>(rows: readonly Row[], day: Day, worthOf: WorthOf): Row[] {
  return rows.map((row) => {
    const cents = worthOf(row.mrrCents, row.currency, day)
    return cents === null
      ? {
          ...row,
          reportingCents: 0,
          unconvertedCents: row.mrrCents,
          unconvertedSubscriptions: row.activeSubscriptions,
        }
      : { ...row, reportingCents: cents, unconvertedCents: 0, unconvertedSubscriptions: 0 }
  })
}

/** What moved in one currency in one month, in its minor units; month '' is everything before. */
export type OwnMovement = { month: string; currency: string; ownCents: number }

/** What the sum of movements is worth on a day. Leaves out currencies without a rate then. */
export function levelOf(rows: readonly Omit<OwnMovement, 'month'>[], day: Day, worthOf: WorthOf): number {
  return ownSums(rows).reduce((sum, [currency, cents]) => sum + (worthOf(cents, currency, day) ?? 0), 0)
}

function ownSums(rows: readonly Omit<OwnMovement, 'month'>[]): [currency: string, cents: number][] {
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, own]) => [
    currency,
    own.reduce((sum, { ownCents }) => sum + ownCents, 0),
  ])
}

/** A bridge between two levels. What its movements do not explain, exchange rates did, and rounding. */
export function between<Bridge extends MovementBridge>(bridge: Bridge, start: number, end: number): Bridge {
  return { ...bridge, start, end, fx: end - start - bridge.net }
}

/** The bridge over a range whose levels have the rates of its days. */
export function revaluedBridge(
  bridge: MovementBridge,
  rows: readonly OwnMovement[],
  { start, end }: LevelDays,
  worthOf: WorthOf,
): MovementBridge {
  const before = rows.filter(({ month }) => month === '')
  return between(bridge, levelOf(before, start, worthOf), levelOf(rows, end, worthOf))
}

/** Periods whose levels have the rate of their last day, each from where the one before ended. */
export function revaluedPeriods(
  periods: readonly MovementPeriod[],
  rows: readonly OwnMovement[],
  worthOf: WorthOf,
): MovementPeriod[] {
  const upTo = (month: string, day: Day) =>
    levelOf(
      rows.filter((row) => row.month <= month),
      day,
      worthOf,
    )
  const [first] = periods
  let start = first === undefined ? 0 : upTo('', addDays(first.from, -1))
  return periods.map((period) => {
    const end = upTo(period.to.slice(0, 7), period.to)
    const bridge = between(period, start, end)
    start = end
    return bridge
  })
}

/** The days whose rates the levels at both ends of a range have. */
export type LevelDays = { start: Day; end: Day }

export function levelDays({ from, to }: DayRange, today: Day): LevelDays {
  return { start: from === null ? today : addDays(from, -1), end: to ?? today }
}

/**
 * The values of parts of a total, which add up to what the whole is worth; each differs from its own value by rounding
 * alone. Parts without a rate are worth nothing here.
 */
export function shareOut<Part extends Omit<OwnMovement, 'month'>>(
  parts: readonly Part[],
  day: Day,
  worthOf: WorthOf,
): { part: Part; cents: number }[] {
  return [...Map.groupBy(parts, ({ currency }) => currency)].flatMap(([currency, own]) => {
    let [sum, worth] = [0, 0]
    return own.map((part) => {
      sum += part.ownCents
      const next = worthOf(sum, currency, day) ?? 0
      const cents = next - worth
      worth = next
      return { part, cents }
    })
  })
}
