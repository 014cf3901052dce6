import { expect, test } from 'vitest'
import { momentOf, pointNames, pointsWithin, snapshotPoints, trendPoints } from './mrr-points.ts'

test('snapshots ascend by month across years', () => {
  const snapshots = ['2026-02', '2025-12', '2026-01'].map((month) => ({
    month,
    mrr: 1,
    activeSubscriptions: 2,
    otherCurrencies: [],
  }))
  expect(snapshotPoints(snapshots).map((point) => point.month)).toEqual(['2025-12', '2026-01', '2026-02'])
})

test('a trend has no number of subscriptions', () => {
  expect(trendPoints([{ date: '2026-02-01', mrr: 500 }])).toEqual([
    { month: '2026-02-01', mrrCents: 500, activeSubscriptions: null, otherCurrencies: [], isNow: true },
  ])
})

test('a trend of nothing but zeros is none', () => {
  const zero = { date: '2026-02-01', mrr: 0 }
  expect(trendPoints([zero])).toEqual([])
  expect(trendPoints([zero, { date: '2026-03-01', mrr: 5 }])).toHaveLength(2)
})

test('days keep the snapshots of their months and the days of the trend between them', () => {
  const points = ['2026-01', '2026-02', '2026-02-15', '2026-03'].map((month) => ({
    month,
    mrrCents: 1,
    activeSubscriptions: null,
    otherCurrencies: [],
  }))
  const kept = (from: string | null, to: string | null) =>
    pointsWithin(points, { from, to }).map(({ month }) => month)
  expect(kept(null, null)).toHaveLength(4)
  expect(kept('2026-02-01', '2026-02-28')).toEqual(['2026-02', '2026-02-15'])
  expect(kept('2026-02-02', null)).toEqual(['2026-02-15', '2026-03'])
  expect(kept(null, '2026-01-31')).toEqual(['2026-01'])
})

test('two points of one month have two names', () => {
  const points = trendPoints(['2026-10-01', '2026-11-01', '2026-11-28'].map((date) => ({ date, mrr: 1 })))
  expect([...pointNames(points).values()]).toEqual(['Oct 2026', 'Nov 2026', 'Nov 28'])
})

test('a month is told as it begins, and the last point of the trend today, also on a 1st', () => {
  const months = snapshotPoints([{ month: '2026-10', mrr: 1, activeSubscriptions: 1, otherCurrencies: [] }])
  const days = trendPoints(['2026-10-01', '2026-11-01'].map((date) => ({ date, mrr: 1 })))
  const asOf = ['Oct 1, 2026, 00:00 UTC', 'Oct 1, 2026, 00:00 UTC', 'Nov 1, 2026']
  expect([...months, ...days].map(momentOf)).toEqual(asOf)
})
