/** One month of the chart. Cents; `activeSubscriptions` where it is known. */
export type MrrPoint = { month: string; mrrCents: number; activeSubscriptions: number | null }

function ascending(points: MrrPoint[]): MrrPoint[] {
  return points.toSorted((a, b) => (a.month < b.month ? -1 : a.month > b.month ? 1 : 0))
}

/** Snapshots in ascending order of month. */
export function snapshotPoints(
  snapshots: { month: string; mrr: number; activeSubscriptions: number }[],
): MrrPoint[] {
  return ascending(
    snapshots.map(({ month, mrr, activeSubscriptions }) => ({ month, mrrCents: mrr, activeSubscriptions })),
  )
}

export function trendPoints(trend: { date: string; mrr: number }[]): MrrPoint[] {
  return ascending(trend.map(({ date, mrr }) => ({ month: date, mrrCents: mrr, activeSubscriptions: null })))
}
