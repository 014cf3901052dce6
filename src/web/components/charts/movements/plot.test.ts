import { expect, test } from 'vitest'
import type { MovementsAnswer } from '#contract/mrr.ts'
import { movements } from '#domain/movement.ts'
import { fc } from '#test/fast-check.ts'
import { plotOf } from './plot.ts'

type Period = MovementsAnswer['periods'][number]
const change = fc.integer({ min: -1e9, max: 1e9 })

function periodOf(changes: readonly number[], fx: number): Period {
  const moves = movements.map((movement, at) => ({ movement, change: changes[at] ?? 0, events: 1 }))
  const net = moves.reduce((sum, one) => sum + one.change, 0)
  const days = { name: '2026-01', from: '2026-01-01', to: '2026-01-31', isRunning: false, paying: 0 }
  return { ...days, start: 0, moves, net, fx, end: net + fx }
}

test('pieces stand on each other from zero, as high as their changes, and nothing leaves the chart', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(change, { minLength: 5, maxLength: 5 }), change)), (given) => {
      const periods = given.map(([changes, fx]) => periodOf(changes, fx))
      const { bars, ticks } = plotOf(periods)
      const [low, high] = [ticks[0]?.value ?? 0, ticks.at(-1)?.value ?? 0]
      const cents = (share: number) => share * (high - low)
      const zero = ticks.find(({ value }) => value === 0)?.at ?? Number.NaN
      for (const { period, pieces, net } of bars) {
        const changes = new Map<string, number>([
          ...period.moves.map((move) => [move.movement, move.change] as const),
          ['Exchange rates', period.fx ?? 0],
        ])
        let [top, bottom] = [zero, zero]
        for (const { name, top: from, height } of pieces) {
          const moved = changes.get(name) ?? Number.NaN
          expect(cents(height)).toBeCloseTo(Math.abs(moved), -1)
          if (moved > 0) expect(from + height).toBeCloseTo(top)
          else expect(from).toBeCloseTo(bottom)
          if (moved > 0) top = from
          else bottom = from + height
          changes.delete(name)
        }
        expect([...changes.values()].every((rest) => rest === 0)).toBe(true)
        for (const place of [top, bottom, net]) {
          expect(place).toBeGreaterThanOrEqual(0)
          expect(place).toBeLessThanOrEqual(1 + 1e-9)
        }
      }
    }),
  )
})

test('the net of each period before has its place beside that of its period, within the chart', () => {
  const [high, low] = [periodOf([500], 0), periodOf([-300], 0)]
  const { bars, ticks } = plotOf([periodOf([100], 0), periodOf([100], 0)], [high, low])
  expect([ticks[0]?.value, ticks.at(-1)?.value]).toEqual([-400, 600])
  expect(bars.map(({ before }) => before)).toEqual([
    { period: high, net: 0.1 },
    { period: low, net: 0.9 },
  ])
  expect(plotOf([high, low], [undefined, low]).bars.map(({ before }) => before?.period)).toEqual([
    undefined,
    low,
  ])
})

test('a chart of nothing is a line in its middle', () =>
  expect(plotOf([periodOf([], 0)])).toMatchObject({
    bars: [{ pieces: [], net: 0.5 }],
    ticks: [{ value: 0, at: 0.5 }],
  }))
