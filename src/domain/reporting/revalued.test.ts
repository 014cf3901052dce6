import { expect, it } from 'vitest'
import { fc } from '#test/fast-check.ts'
import { addDays } from '../date-range.ts'
import { bridgeOfRange, movements, periodsOf } from '../movement.ts'
import { crossRate, type DayRates } from './rate.ts'
import { between, levelOf, revaluedBridge, revaluedPeriods, shareOut, worthIn } from './revalued.ts'

/** Seven currencies: of none, two and three digits, one whose digits are disputed, and one that no source has. */
const currencies = ['usd', 'eur', 'jpy', 'kwd', 'isk', 'gbp', 'xxx'] as const
const perEuro = { usd: 1.08, jpy: 168.03, kwd: 0.3321, isk: 150.3, gbp: 0.85643 }
const firstDay = '2026-01-01'
const today = '2026-11-20'
const dayAt = (index: number) => addDays(firstDay, index)
const dayCount = 324

/** A row of rates every ninth day. */
const table = fc
  .array(fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 5, maxLength: 5 }), {
    minLength: 36,
    maxLength: 36,
  })
  .map((moves) =>
    moves.map((own, index): DayRates => {
      const rates = Object.entries(perEuro).map(([code, rate], at) => [
        code,
        (rate * (1 + (own[at] ?? 0) / 100)).toPrecision(6),
      ])
      return { day: dayAt(index * 9), source: 'ecb', base: 'eur', rates: Object.fromEntries(rates) }
    }),
  )

const event = fc.record({
  day: fc.integer({ min: 0, max: dayCount - 1 }).map(dayAt),
  currency: fc.constantFrom(...currencies),
  movement: fc.constantFrom(...movements),
  ownCents: fc.integer({ min: -900_000, max: 900_000 }),
  part: fc.constantFrom('a', 'b', 'c'),
})
const range = fc
  .tuple(fc.nat(dayCount - 1), fc.nat(dayCount - 1))
  .map(([a, b]) => ({ from: dayAt(Math.min(a, b)), to: dayAt(Math.max(a, b)) }))
const reporting = fc.constantFrom('usd', 'eur', 'jpy', 'kwd', 'isk')

function worthBy(rows: readonly DayRates[], to: string) {
  return worthIn(to, (from, day) => {
    const row = rows.findLast((one) => one.day <= day)
    return row ? crossRate(row, from, to, day) : null
  })
}

it('start, movements and exchange rates are the end, in whole, partial and quarterly periods and in parts', () => {
  fc.assert(
    fc.property(
      table,
      fc.array(event, { maxLength: 40 }),
      range,
      reporting,
      fc.constantFrom('month', 'quarter'),
      (rates, events, { from, to }, currency, interval) => {
        const worthOf = worthBy(rates, currency)
        const rows = events
          .filter(({ day }) => day <= to)
          .map(({ day, ...row }) => ({
            ...row,
            month: day < from ? '' : day.slice(0, 7),
            change: worthOf(row.ownCents, row.currency, day) ?? 0,
            events: 1,
            subscriptions: 0,
          }))
        const booked = periodsOf(rows, { from, to }, interval === 'month' ? 'month' : 'quarter', today)
        const periods = revaluedPeriods(booked, rows, worthOf)
        const ends = { start: addDays(from, -1), end: to }
        const total = revaluedBridge(bridgeOfRange(rows), rows, ends, worthOf)
        for (const { start, moves, fx = 0, end, ...period } of periods) {
          expect(start + moves.reduce((sum, { change }) => sum + change, 0) + fx).toBe(end)
          const until = events.filter(({ day }) => day <= period.to)
          expect(end).toBe(levelOf(until, period.to, worthOf))
        }
        for (const [index, { start }] of periods.entries())
          if (index > 0) expect(start).toBe(periods[index - 1]?.end)
        expect([periods[0]?.start, periods.at(-1)?.end]).toEqual([total.start, total.end])
        expect(periods.reduce((sum, { fx = 0 }) => sum + fx, 0)).toBe(total.fx)
        const shares = shareOut(rows, to, worthOf)
        expect(shares.reduce((sum, { cents }) => sum + cents, 0)).toBe(total.end)
      },
    ),
  )
})

it('while no rate moves, exchange rates are rounding alone', () => {
  fc.assert(
    fc.property(table, fc.array(event, { maxLength: 20 }), reporting, (rates, events, currency) => {
      const worthOf = worthBy(rates.slice(0, 1), currency)
      const rows = events.map(({ day, ...row }) => ({
        ...row,
        month: day.slice(0, 7),
        change: worthOf(row.ownCents, row.currency, day) ?? 0,
        events: 1,
        subscriptions: 0,
      }))
      const bridge = bridgeOfRange(rows)
      const { fx = 0 } = between(bridge, 0, levelOf(rows, today, worthOf))
      const unit = currency === 'isk' ? 100 : 1
      expect(Math.abs(fx)).toBeLessThanOrEqual((unit * (events.length + currencies.length)) / 2)
    }),
  )
})

it('a part is worth what it would be alone, but for rounding', () => {
  fc.assert(
    fc.property(table, fc.array(event, { maxLength: 30 }), reporting, (rates, events, currency) => {
      const worthOf = worthBy(rates, currency)
      const unit = currency === 'isk' ? 100 : 1
      for (const { part, cents } of shareOut(events, today, worthOf))
        expect(Math.abs(cents - (worthOf(part.ownCents, part.currency, today) ?? 0))).toBeLessThanOrEqual(
          unit,
        )
    }),
  )
})
