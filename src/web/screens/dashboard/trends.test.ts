import { expect, test } from 'vitest'
import type { MovementsAnswer } from '#contract/mrr.ts'
import { bridgeOf } from '#domain/movement.ts'
import { averageOf, trendsOf } from './trends.ts'

type Moved = [change: number, events: number]
/** `free`: how many subscriptions fell to 0 without a Churn. */
type Month = { new: Moved; churn: Moved; free?: number }

function answerOf(start: number, months: readonly Month[]): MovementsAnswer {
  let level = start
  const periods = months.map((month, at) => {
    const bridge = bridgeOf(level, [
      { movement: 'New', change: month.new[0], events: month.new[1] },
      { movement: 'Churn', change: month.churn[0], events: month.churn[1] },
    ])
    level = bridge.end
    const name = `2026-${String(at + 1).padStart(2, '0')}`
    const paying = month.new[1] - month.churn[1] - (month.free ?? 0)
    const days = { from: `${name}-01`, to: `${name}-28`, isRunning: at === months.length - 1 }
    return { ...bridge, name, ...days, paying }
  })
  const total = bridgeOf(start, [])
  return { currency: 'usd', from: '2026-01-01', to: null, periods, total, otherCurrencies: [] }
}

test('each figure ends at what it is now, and its change is that of the running month', () => {
  const answer = answerOf(1_000, [
    { new: [500, 2], churn: [0, 0] },
    { new: [900, 3], churn: [-600, 1] },
  ])
  expect(trendsOf(answer, 9)).toMatchObject({
    mrr: { values: [1_000, 1_500, 1_800], sinceMonthStart: 300 },
    subscriptions: { values: [5, 7, 9], sinceMonthStart: 2 },
    perSubscription: { values: [200, 214, 200], sinceMonthStart: -14 },
    month: { from: '2026-02-01' },
  })
})

test('a month for free takes a subscription from those that pay, and no Churn tells it', () => {
  const answer = answerOf(1_000, [{ new: [500, 2], churn: [0, 0], free: 3 }])
  expect(trendsOf(answer, 9)?.subscriptions).toEqual({ values: [10, 9], sinceMonthStart: -1 })
})

test('without any movement there is nothing to draw, and no average without subscriptions', () => {
  expect(trendsOf(answerOf(0, []), 0)).toBeNull()
  expect([averageOf(500, 0), averageOf(500, 3)]).toEqual([0, 167])
})
