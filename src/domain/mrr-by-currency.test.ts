import { expect, it } from 'vitest'
import { mrrTrend, splitByCurrency } from './mrr-by-currency.ts'

const row = (currency: string, mrrCents: number) => ({ currency, mrrCents, activeSubscriptions: 1 })

it('shows other currencies beside the total, and adds none of them up', () => {
  expect(splitByCurrency([row('eur', 700), row('usd', 500), row('gbp', 300)])).toEqual({
    total: row('usd', 500),
    others: [row('eur', 700), row('gbp', 300)],
  })
})

it('has a total of 0 where nothing is counted in its currency', () => {
  const total = { currency: 'usd', mrrCents: 0, activeSubscriptions: 0 }
  expect(splitByCurrency([])).toEqual({ total, others: [] })
  expect(splitByCurrency([row('eur', 700)])).toEqual({ total, others: [row('eur', 700)] })
})

it('ends the trend with today, once, and leaves other currencies out', () => {
  const months = [
    { month: '2026-03', ...row('usd', 100) },
    { month: '2026-04', ...row('eur', 900) },
    { month: '2026-04', ...row('usd', 200) },
    { month: '2026-05', ...row('usd', 300) },
  ]
  expect(mrrTrend(months, '2026-05-01', 400)).toEqual([
    { date: '2026-03-01', mrrCents: 100 },
    { date: '2026-04-01', mrrCents: 200 },
    { date: '2026-05-01', mrrCents: 400 },
  ])
  expect(mrrTrend(months, '2026-05-02', 400).map(({ date }) => date)).toEqual([
    '2026-03-01',
    '2026-04-01',
    '2026-05-01',
    '2026-05-02',
  ])
  expect(mrrTrend([], '2026-05-02', 0)).toEqual([{ date: '2026-05-02', mrrCents: 0 }])
})
