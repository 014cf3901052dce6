import { expect, it } from 'vitest'
import { mrrTrend, splitByCurrency } from './mrr-by-currency.ts'

const amount = (currency: string, mrrCents: number) => ({ currency, mrrCents, activeSubscriptions: 1 })
const converted = (currency: string, mrrCents: number, reportingCents = mrrCents) => ({
  ...amount(currency, mrrCents),
  ...{ reportingCents, unconvertedCents: 0, unconvertedSubscriptions: 0 },
})
const apart = (currency: string, mrrCents: number) => ({
  ...amount(currency, mrrCents),
  ...{ reportingCents: 0, unconvertedCents: mrrCents, unconvertedSubscriptions: 1 },
})

it('adds up what is converted, and shows what has no rate beside the total', () => {
  const rows = [apart('eur', 700), converted('usd', 500), converted('gbp', 300, 390)]
  expect(splitByCurrency(rows, 'usd')).toEqual({
    total: { currency: 'usd', mrrCents: 890, activeSubscriptions: 2 },
    others: [amount('eur', 700)],
  })
})

it('splits a currency of which only a part has a rate', () => {
  const rows = [
    {
      ...amount('rub', 900),
      activeSubscriptions: 3,
      reportingCents: 7,
      unconvertedCents: 300,
      unconvertedSubscriptions: 1,
    },
  ]
  expect(splitByCurrency(rows, 'usd')).toEqual({
    total: { currency: 'usd', mrrCents: 7, activeSubscriptions: 2 },
    others: [amount('rub', 300)],
  })
})

it('has a total of 0 where nothing is counted in its currency', () => {
  const total = { currency: 'usd', mrrCents: 0, activeSubscriptions: 0 }
  expect(splitByCurrency([], 'usd')).toEqual({ total, others: [] })
  expect(splitByCurrency([apart('eur', 700)], 'usd')).toEqual({ total, others: [amount('eur', 700)] })
})

it('ends the trend with today, once, and leaves what has no rate out', () => {
  const months = [
    { month: '2026-02', ...apart('eur', 900) },
    { month: '2026-03', ...converted('usd', 100) },
    { month: '2026-04', ...apart('eur', 900) },
    { month: '2026-04', ...converted('usd', 200) },
    { month: '2026-05', ...converted('usd', 300) },
  ]
  expect(mrrTrend(months, 'usd', '2026-05-01', 400)).toEqual([
    { date: '2026-03-01', mrrCents: 100 },
    { date: '2026-04-01', mrrCents: 200 },
    { date: '2026-05-01', mrrCents: 400 },
  ])
  expect(mrrTrend(months, 'usd', '2026-05-02', 400).map(({ date }) => date)).toEqual([
    '2026-03-01',
    '2026-04-01',
    '2026-05-01',
    '2026-05-02',
  ])
  expect(mrrTrend([], 'usd', '2026-05-02', 0)).toEqual([{ date: '2026-05-02', mrrCents: 0 }])
})
