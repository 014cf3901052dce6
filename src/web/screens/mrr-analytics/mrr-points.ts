import type { DayRange } from '#domain/date-range.ts'
import type { CurrencyTotals } from '../../components/other-currencies.tsx'
import { formatDay, formatMonth } from '../../ui/dates.ts'

/**
 * One month of the chart, in minor units of the reporting currency. `activeSubscriptions` is set when it is known. Other currencies are listed
 * beside the amount.
 */
export type MrrPoint = {
  month: string
  mrrCents: number
  activeSubscriptions: number | null
  otherCurrencies: CurrencyTotals
  /** The last point of the trend; all others are the state at the start of their month. */
  isNow?: boolean
}

function ascending(points: MrrPoint[]): MrrPoint[] {
  return points.toSorted((a, b) => (a.month < b.month ? -1 : a.month > b.month ? 1 : 0))
}

/** Returns the snapshots in ascending order of month. */
export function snapshotPoints(
  snapshots: { month: string; mrr: number; activeSubscriptions: number; otherCurrencies: CurrencyTotals }[],
): MrrPoint[] {
  return ascending(snapshots.map(({ mrr, ...rest }) => ({ ...rest, mrrCents: mrr })))
}

/**
 * Returns the months of the trend. A line of zeros, as before the first import, is left out because it says nothing.
 */
export function trendPoints(trend: { date: string; mrr: number }[]): MrrPoint[] {
  if (trend.every(({ mrr }) => mrr === 0)) return []
  return ascending(
    trend.map(({ date, mrr }, at) => ({
      isNow: at === trend.length - 1,
      month: date,
      mrrCents: mrr,
      activeSubscriptions: null,
      otherCurrencies: [],
    })),
  )
}

/** The points within a range; a snapshot is the MRR of its month's first day. */
export function pointsWithin(points: MrrPoint[], { from, to }: DayRange): MrrPoint[] {
  const dayOf = ({ month }: MrrPoint) => (month.length > 'YYYY-MM'.length ? month : `${month}-01`)
  return points.filter(
    (point) => (from === null || dayOf(point) >= from) && (to === null || dayOf(point) <= to),
  )
}

/** When a point is true: at the start of its month, or today. */
export function momentOf({ month, isNow = false }: MrrPoint): string {
  return isNow ? formatDay(month) : `${formatDay(`${month.slice(0, 7)}-01`)}, 00:00 UTC`
}

/** Names ascending points on an axis by their months: 'Nov 2026', and 'Nov 28' for a later one of the same month. */
export function pointNames(points: readonly MrrPoint[]): ReadonlyMap<string, string> {
  return new Map(
    points.map(({ month }, index) => {
      const name = formatMonth(month)
      const before = points[index - 1]
      const isRepeated = before !== undefined && formatMonth(before.month) === name
      return [month, isRepeated ? (formatDay(month).split(',')[0] ?? name) : name]
    }),
  )
}
