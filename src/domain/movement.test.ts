import { expect, test } from 'vitest'
import { fc } from '#test/fast-check.ts'
import { addDays } from './date-range.ts'
import { monthsBetween } from './month.ts'
import { bridgeOfRange, type MonthMovement, missingDays, movements, periodsOf } from './movement.ts'

const months = monthsBetween('2024-11', '2026-02')
const anyRow = fc.record({
  month: fc.constantFrom('', ...months),
  movement: fc.constantFrom(...movements),
  change: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  events: fc.integer({ min: 1, max: 9 }),
  subscriptions: fc.integer({ min: -9, max: 9 }),
})
const anyInterval = fc.constantFrom('month' as const, 'quarter' as const)
const runs = { numRuns: Number(process.env['ACCOUNTS'] ?? 1_000) }
const range = { from: '2024-11-01', to: '2026-02-10' }
const sum = (rows: readonly { change: number }[]) => rows.reduce((all, { change }) => all + change, 0)

test('start + moves = end in every period, each starts where the one before ended, and the last ends at the end', () => {
  fc.assert(
    fc.property(fc.array(anyRow), anyInterval, (rows, interval) => {
      const whole = bridgeOfRange(rows)
      const periods = periodsOf(rows, range, interval, range.to)
      let level = sum(rows.filter(({ month }) => month === ''))
      expect(whole.start).toBe(level)
      for (const { start, moves, net, end } of periods) {
        expect([start, sum(moves), start + net]).toEqual([level, net, end])
        level = end
      }
      expect([whole.end, sum(rows)]).toEqual([level, level])
      const moved = rows.filter(({ month }) => month !== '')
      expect(periods.reduce((all, { paying }) => all + paying, 0)).toBe(
        moved.reduce((all, { subscriptions }) => all + subscriptions, 0),
      )
      for (const movement of movements)
        expect(periods.flatMap(({ moves }) => moves.filter((move) => move.movement === movement))).toSatisfy(
          (own: MonthMovement[]) =>
            sum(own) === sum(whole.moves.filter((move) => move.movement === movement)),
        )
    }),
    runs,
  )
})

test('periods follow each other day by day and cover the range', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 900 }),
      fc.integer({ min: 0, max: 900 }),
      anyInterval,
      (skip, length, interval) => {
        const from = addDays('2023-01-01', skip)
        const to = addDays(from, length)
        const periods = periodsOf([], { from, to }, interval, to)
        expect([periods[0]?.from, periods.at(-1)?.to]).toEqual([from, to])
        for (const [index, period] of periods.entries())
          if (index > 0) expect(period.from).toBe(addDays(periods[index - 1]?.to ?? '', 1))
        expect(periods.filter(({ isRunning }) => isRunning)).toHaveLength(1)
      },
    ),
  )
})

test('a quarter gathers its months, and the running one is marked', () => {
  const row = { movement: 'New', change: 100, events: 1, subscriptions: 1 } as const
  const rows = ['2025-12', '2026-01', '2026-02'].map((month) => ({ ...row, month }))
  expect(
    periodsOf(rows, { from: '2025-12-15', to: '2026-02-10' }, 'quarter', '2026-02-10').map(
      ({ name, from, to, net, isRunning }) => [name, from, to, net, isRunning],
    ),
  ).toEqual([
    ['2025-Q4', '2025-12-15', '2025-12-31', 100, false],
    ['2026-Q1', '2026-01-01', '2026-02-10', 200, true],
  ])
})

test('a month or quarter of which only a part was asked for lacks its other days, the running one no later ones', () => {
  const lacking = (from: string, to: string, interval: 'month' | 'quarter', today = '2026-02-10') =>
    periodsOf([], { from, to }, interval, today).map((period) => {
      const { atStart, atEnd } = missingDays(period)
      return [period.name, atStart, atEnd]
    })
  expect(lacking('2025-12-15', '2026-02-10', 'month')).toEqual([
    ['2025-12', true, false],
    ['2026-01', false, false],
    ['2026-02', false, false],
  ])
  expect(lacking('2025-11-01', '2026-02-10', 'quarter')).toEqual([
    ['2025-Q4', true, false],
    ['2026-Q1', false, false],
  ])
  expect(lacking('2025-10-01', '2025-12-30', 'quarter')).toEqual([['2025-Q4', false, true]])
  expect(lacking('2025-12-02', '2025-12-02', 'month')).toEqual([['2025-12', true, true]])
  expect(lacking('2025-12-01', '2025-12-31', 'month')).toEqual([['2025-12', false, false]])
})
