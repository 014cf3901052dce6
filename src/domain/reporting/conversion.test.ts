import { describe, expect, it } from 'vitest'
import { fc } from '#test/fast-check.ts'
import { dayOfInstant } from '../instant.ts'
import { type Conversion, type ConvertibleChange, convertSubscription } from './conversion.ts'
import { convertCents, crossRate, type DayRates, rateText } from './rate.ts'

const start = Date.parse('2026-01-01T00:00:00Z') / 1000
const days = 120
const dayAt = (index: number) => dayOfInstant(start + index * 86_400)

/** Seven currencies: of none, two and three digits, one whose digits are disputed, and one that no source has. */
const currencies = ['usd', 'eur', 'jpy', 'kwd', 'isk', 'gbp', 'xxx'] as const
const perEuro = { usd: 1.08, jpy: 168.03, kwd: 0.3321, isk: 150.3, gbp: 0.85643 }

/** A row for most days, by chance, with rates that move. */
const table = fc
  .array(
    fc.record({
      isThere: fc.boolean(),
      moves: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 5, maxLength: 5 }),
    }),
    { minLength: days, maxLength: days },
  )
  .map((given) =>
    given.flatMap(({ isThere, moves }, index): DayRates[] => {
      const rates = Object.entries(perEuro).map(([code, rate], at) => [
        code,
        (rate * (1 + (moves[at] ?? 0) / 100)).toPrecision(6),
      ])
      return isThere || index === 0
        ? [{ day: dayAt(index), source: 'ecb', base: 'eur', rates: Object.fromEntries(rates) }]
        : []
    }),
  )

const rateIn =
  (rows: readonly DayRates[], to: string): Conversion['rateOf'] =>
  (from, day) => {
    const row = rows.findLast((one) => one.day <= day)
    return row ? crossRate(row, from, to, day) : null
  }

/** A subscription: levels on days, from nothing on. */
const subscription = fc
  .record({
    currency: fc.constantFrom(...currencies),
    levels: fc.array(
      fc.record({
        day: fc.integer({ min: 0, max: days - 1 }),
        cents: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 900_000 })),
      }),
      { maxLength: 8 },
    ),
  })
  .map(({ currency, levels }) => {
    let level = 0
    const events = levels
      .toSorted((a, b) => a.day - b.day)
      .map(({ day, cents }): ConvertibleChange => {
        const event = {
          occurredAt: start + day * 86_400,
          currency,
          previousMrrCents: level,
          currentMrrCents: cents,
          mrrChangeCents: cents - level,
        }
        level = cents
        return event
      })
    return { currency, currentMrrCents: level, events }
  })
type Subscription = typeof subscription extends fc.Arbitrary<infer T> ? T : never

const reporting = fc.constantFrom('usd', 'eur', 'jpy', 'kwd', 'isk')
const sum = (values: readonly (number | null)[]) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)

/** The subscription as it was at the end of a day. */
function until({ currency, events }: Subscription, day: string) {
  const past = events.filter(({ occurredAt }) => dayOfInstant(occurredAt) <= day)
  return { currency, currentMrrCents: past.at(-1)?.currentMrrCents ?? 0, events: past }
}

describe('as booked', () => {
  it('start and movements are the end, to the cent, on every day and in every currency', () => {
    fc.assert(
      fc.property(
        table,
        fc.array(subscription, { maxLength: 12 }),
        reporting,
        fc.nat(days - 1),
        (rows, all, to, index) => {
          const conversion: Conversion = {
            currency: to,
            method: 'booked',
            today: dayAt(days - 1),
            rateOf: rateIn(rows, to),
          }
          const whole = all.map((one) => convertSubscription(conversion, one, one.events))
          const end = sum(whole.map(({ mrr }) => mrr.cents))
          const day = dayAt(index)
          const past = all.map((one) => until(one, day))
          const atStart = past.map((one) => convertSubscription(conversion, one, one.events))
          // What has no rate is in no level and in no movement.
          const moved = all.flatMap((one, at) =>
            (whole[at]?.changes ?? []).filter((_, of) => dayOfInstant(one.events[of]?.occurredAt ?? 0) > day),
          )
          expect(sum(atStart.map(({ mrr }) => mrr.cents)) + sum(moved.map(({ cents }) => cents))).toBe(end)
          for (const [at, { mrr }] of whole.entries())
            if (all[at]?.currentMrrCents === 0) expect(mrr.cents).toBe(0)
            else expect(mrr.cents === null).toBe(all[at]?.currency === 'xxx')
        },
      ),
    )
  })

  it('a level never has the other sign, and nothing is left of it when it is over', () => {
    fc.assert(
      fc.property(table, subscription, reporting, (rows, one, to) => {
        const conversion: Conversion = {
          currency: to,
          method: 'booked',
          today: dayAt(days - 1),
          rateOf: rateIn(rows, to),
        }
        const { changes } = convertSubscription(conversion, one, one.events)
        let level = 0
        for (const [index, { cents }] of changes.entries()) {
          if (cents === null) return
          level += cents
          expect(level).toBeGreaterThanOrEqual(0)
          // Krónur are whole, also what a decrease leaves of them.
          if (to === 'isk' && one.currency !== 'isk') expect(level % 100).toBe(0)
          if (one.events[index]?.currentMrrCents === 0) expect(level).toBe(0)
        }
      }),
    )
  })
})

it('a decrease takes out its share of what was booked, whatever its own day has for a rate', () => {
  const rates: DayRates[] = [
    { day: '2025-01-01', source: 'ecb', base: 'eur', rates: { usd: '2' } },
    { day: '2025-01-02', source: 'ecb', base: 'eur', rates: { usd: '3' } },
  ]
  const conversion: Conversion = {
    currency: 'usd',
    method: 'booked',
    today: '2025-01-02',
    rateOf: rateIn(rates, 'usd'),
  }
  const change = (day: string, previousMrrCents: number, currentMrrCents: number): ConvertibleChange => ({
    occurredAt: Date.parse(`${day}T00:00:00Z`) / 1000,
    currency: 'eur',
    previousMrrCents,
    currentMrrCents,
    mrrChangeCents: currentMrrCents - previousMrrCents,
  })
  const { changes, mrr } = convertSubscription(conversion, { currency: 'eur', currentMrrCents: 6_000 }, [
    change('2025-01-01', 0, 10_000),
    change('2025-01-02', 10_000, 6_000),
  ])
  expect(changes.map(({ cents }) => cents)).toEqual([20_000, -8_000])
  expect(mrr).toEqual({ cents: 12_000, rate: 'at 2 USD/EUR of 2025-01-01, ECB' })
})

describe('revalued', () => {
  it('the rest beside start, movements and end is zero while no rate moves, but for rounding', () => {
    fc.assert(
      fc.property(table, subscription, reporting, (rows, one, to) => {
        const still = rows.slice(0, 1)
        const conversion: Conversion = {
          currency: to,
          method: 'revalued',
          today: dayAt(days - 1),
          rateOf: rateIn(still, to),
        }
        const { changes, mrr } = convertSubscription(conversion, one, one.events)
        if (mrr.cents === null) return
        // Krónur are whole, in a unit of a hundredth.
        const unit = to === 'isk' ? 100 : 1
        const rest = mrr.cents - sum(changes.map(({ cents }) => cents))
        expect(Math.abs(rest)).toBeLessThanOrEqual(unit * (one.events.length + 1))
      }),
    )
  })
})

it.each(['booked', 'revalued'] as const)(
  '%s: amounts of the reporting currency are what they are',
  (method) => {
    fc.assert(
      fc.property(subscription, (one) => {
        const conversion: Conversion = { currency: one.currency, method, today: dayAt(0), rateOf: () => null }
        const { changes, mrr } = convertSubscription(conversion, one, one.events)
        expect(changes.map(({ cents }) => cents)).toEqual(
          one.events.map(({ mrrChangeCents }) => mrrChangeCents),
        )
        expect([mrr.cents, mrr.rate]).toEqual([one.currentMrrCents, null])
      }),
    )
  },
)

const row: DayRates = {
  day: '2026-11-25',
  source: 'ecb',
  base: 'eur',
  rates: { usd: '1.0843', jpy: '168.03', kwd: '0.3321', isk: '150.3', bgn: '1.9558' },
}

it.each([
  // 100.00 USD / 1.0843 * 168.03 = 15496.63 JPY
  [10_000, 'usd', 'jpy', 15_497],
  [100, 'eur', 'usd', 108],
  // 1.05 EUR * 1.0843 = 1.138515
  [105, 'eur', 'usd', 114],
  // 1000 JPY / 168.03 * 0.3321 = 1.9764 KWD
  [1_000, 'jpy', 'kwd', 1_976],
  // 10.00 EUR * 150.3 = 1503 ISK, in hundredths
  [1_000, 'eur', 'isk', 150_300],
  // 0.33 EUR * 150.3 = 49.599 ISK: whole krónur
  [33, 'eur', 'isk', 5_000],
  [-105, 'eur', 'usd', -114],
])('%d %s are %d in %s, rounded once', (cents, from, to, expected) => {
  const found = crossRate(row, from, to, '2026-11-25')
  expect(found && convertCents(cents, from, to, found.rate)).toBe(expected)
})

it('an amount that is too large for a number has no rate', () => {
  const huge: DayRates = {
    day: '2026-11-25',
    source: 'csv',
    base: 'usd',
    rates: { eur: `1${'0'.repeat(24)}` },
  }
  const conversion: Conversion = {
    currency: 'usd',
    method: 'booked',
    today: '2026-11-25',
    rateOf: rateIn([huge], 'usd'),
  }
  const event = { occurredAt: Date.parse('2026-11-25T00:00:00Z') / 1000, currency: 'eur' }
  const amounts = { previousMrrCents: 0, currentMrrCents: 100, mrrChangeCents: 100 }
  expect(
    convertSubscription(conversion, { currency: 'eur', currentMrrCents: 100 }, [{ ...event, ...amounts }]),
  ).toEqual({ changes: [{ cents: null, rate: null }], mrr: { cents: null, rate: null } })
})

describe('the words of a rate', () => {
  const words = (from: string, to: string, day: string) => {
    const found = crossRate(row, from, to, day)
    return found && rateText(found, from, to)
  }

  it.each([
    ['eur', 'usd', '2026-11-25', 'at 1.0843 USD/EUR of 2026-11-25, ECB'],
    ['eur', 'usd', '2026-11-29', 'at 1.0843 USD/EUR of 2026-11-25, ECB'],
    ['eur', 'usd', '2026-12-01', 'at 1.0843 USD/EUR of 2026-11-25, ECB, stale'],
    ['jpy', 'usd', '2026-11-25', 'at 0.00645301 USD/JPY of 2026-11-25, ECB'],
    // It joined the euro: the fixed rate, whatever a file says.
    ['bgn', 'eur', '2026-11-25', 'at 0.511292 EUR/BGN of 2026-11-25, ECB'],
    ['hrk', 'usd', '2026-11-25', 'at 0.143911 USD/HRK of 2026-11-25, ECB'],
    ['kwd', 'xxx', '2026-11-25', null],
    ['rub', 'usd', '2026-11-25', null],
  ])('%s in %s on %s: %s', (from, to, day, text) => {
    expect(words(from, to, day)).toBe(text)
  })
})
