import { describe, expect, test } from 'vitest'
import { createCatalogue } from '../catalogue/catalogue.ts'
import { generateWorld } from '../generate-world.ts'
import type { UnitOfParts } from '../model/books.ts'
import type { Coupon, Price, PriceScheme, Tier } from '../model/offer.ts'
import type { WorldObject } from '../model/stripe-object.ts'
import type { Discount, DraftLine } from '../model/subscription.ts'
import { decimalText, fraction, roundHalfUp, share, shareDown } from '../numbers/rational.ts'
import { changeStories } from '../stories/changes.ts'
import { priceStories } from '../stories/prices.ts'
import { discountCents, discountLines, isExactUnder, taxCents } from './discounting.ts'
import { oneOffLine } from './draft-lines.ts'
import { fullPeriodCents, monthlyFactor, ratePrice } from './rating.ts'

const catalogue = createCatalogue((prefix) => `${prefix}_1`, 0)

function got<T>(map: Map<string, T>, key: string): T {
  const value = map.get(key)
  if (value === undefined) throw new RangeError(key)
  return value
}

function priced(scheme: PriceScheme): Price {
  return { ...got(catalogue.prices, 'starter'), scheme }
}

/** The provider's published example: units 1-5 at $5, 6-10 at $4, then $3, $2, and $1 from unit 21 on. */
const published: Tier[] = [5, 10, 15, 20, null].map((upTo, n) => ({
  upTo,
  unitCents: 500 - 100 * n,
  flatCents: 0,
}))

describe('rating', () => {
  test.each([
    ['graduated', 6, 2900],
    ['volume', 6, 2400],
    ['volume', 25, 2500],
    ['graduated', 5, 2500],
  ] as const)('%s, %i units: the published total', (kind, quantity, cents) => {
    expect(fullPeriodCents(priced({ kind, tiers: published }), quantity)).toBe(cents)
  })

  test('a flat fee is a line of its own with quantity 0', () => {
    const lines = ratePrice(got(catalogue.prices, 'contacts'), 9)
    expect(lines.map(({ amount, quantity }) => ({ amount, quantity }))).toEqual([
      { amount: 4500, quantity: 9 },
      { amount: 2000, quantity: 0 },
    ])
  })

  test('packages are counted up or down, the line keeps the raw quantity', () => {
    const packs = { kind: 'package', unitCents: '2500', divideBy: 100 } as const
    expect(fullPeriodCents(priced({ ...packs, round: 'up' }), 101)).toBe(5000)
    expect(fullPeriodCents(priced({ ...packs, round: 'down' }), 199)).toBe(2500)
    expect(ratePrice(priced({ ...packs, round: 'up' }), 101)[0]?.quantity).toBe(101)
  })

  test('a week is 52/12 of a month, a day 365/12, metered nothing', () => {
    const factor = (key: string) => monthlyFactor(got(catalogue.prices, key))
    expect(factor('newsletter-week')).toEqual(fraction(52, 12))
    expect(factor('newsletter-day')).toEqual(fraction(365, 12))
    expect(factor('team-quarter')).toEqual(fraction(1, 3))
    expect(factor('scale-2-years')).toEqual(fraction(1, 24))
    expect(factor('api')).toEqual(fraction(0))
  })
})

describe('rounding', () => {
  test('halves go away from zero, so that a credit mirrors its debit', () => {
    expect([fraction(5, 2), fraction(-5, 2), fraction(7, 3), fraction(0, 9)].map(roundHalfUp)).toEqual([
      3, -3, 2, 0,
    ])
    expect(share(12_000, 1, 8)).toBe(1500)
  })

  test('prorations are rounded down, credits as well', () => {
    expect([
      shareDown(2000, 1, 3),
      shareDown(-2000, 1, 3),
      shareDown(-1998, 1, 3),
      shareDown(-0, 1, 3),
    ]).toEqual([666, -667, -666, 0])
  })

  test('decimals of a unit are plain text, twelve at most', () => {
    expect(
      [fraction(-1000, 6), fraction(500, 4), fraction(-1, 8), fraction(3)].map((one) => decimalText(one, 12)),
    ).toEqual(['-166.666666666667', '125', '-0.125', '3'])
    expect(decimalText(fraction(-1, 10n ** 13n), 12)).toBe('0')
  })
})

describe('the unit amount of lines for a part of a period', () => {
  type Line = { amount: number; quantity: number; pricing: { unit_amount_decimal: string | null } }
  const told = changeStories.filter(({ name }) => /^seats (up|down)/.test(name))
  const stub = priceStories.filter(({ name }) => name === 'first of the month')
  const parts = (unitOfParts: UnitOfParts): Line[] => {
    const { world } = generateWorld({
      seed: 8,
      customers: 10,
      asOf: Date.UTC(2026, 9, 31) / 1000,
      stories: [...told, ...stub],
      unitOfParts,
    })
    const lines = world.invoices.flatMap(
      ({ lines: list }) => (list as unknown as { data: (Line & WorldObject)[] }).data,
    )
    return lines.filter(({ parent }) => JSON.stringify(parent).includes('"proration":true'))
  }
  const units = (unitOfParts: UnitOfParts) =>
    parts(unitOfParts).map(({ pricing }) => pricing.unit_amount_decimal)

  test('is empty unless the world is told otherwise', () => {
    expect(units('empty').length).toBeGreaterThan(10)
    expect(new Set(units('empty'))).toEqual(new Set([null]))
  })

  test('is what a unit was charged for the part, or what the price asks', () => {
    for (const { amount, quantity, pricing } of parts('charged'))
      expect(Math.round(Number(pricing.unit_amount_decimal) * quantity)).toBe(amount)
    expect(new Set(units('listed'))).toEqual(new Set(['1200']))
  })

  test('changes nothing else', () => {
    const rest = (unitOfParts: UnitOfParts) => parts(unitOfParts).map(({ pricing: _, ...line }) => line)
    expect(rest('charged')).toEqual(rest('empty'))
    expect(rest('listed')).toEqual(rest('empty'))
  })
})

describe('discounting', () => {
  const line = (cents: number, rest: Partial<DraftLine> = {}): DraftLine => ({
    ...oneOffLine({ id: 'sub_1' }, got(catalogue.prices, 'onboarding'), cents, 'ii_1', 0),
    ...rest,
  })
  const discount = (rest: Partial<Coupon>): Discount => {
    const coupon = { ...got(catalogue.coupons, 'FIVEOFF'), amountOff: null, percentOff: null, ...rest }
    return {
      id: 'di_1',
      coupon,
      customer: 'cus_1',
      subscription: null,
      item: null,
      start: 0,
      end: null,
      spent: false,
    }
  }
  const taken = (lines: DraftLine[], ...discounts: Discount[]): number[] => {
    discountLines(lines, discounts, 0)
    return lines.map(discountCents)
  }

  test('an amount off is spread to the last cent, the largest rest first', () => {
    expect(taken([line(100), line(100), line(100)], discount({ amountOff: 100 }))).toEqual([34, 33, 33])
    expect(taken([line(9900), line(25_000)], discount({ amountOff: 6000 }))).toEqual([1702, 4298])
  })

  test('never takes more than there is', () => {
    expect(taken([line(300), line(100)], discount({ amountOff: 1000 }))).toEqual([300, 100])
  })

  test('a second discount sees what the first has left, and prorations see none', () => {
    const lines = [line(1000), line(1000, { kind: 'proration' })]
    expect(taken(lines, discount({ percentOff: 50 }), discount({ percentOff: 10 }))).toEqual([550, 0])
  })

  test('tax inside a price and on top of it', () => {
    expect(taxCents(got(catalogue.taxRates, 'moms'), 4800)).toBe(960)
    expect(taxCents(got(catalogue.taxRates, 'vat'), 9500)).toBe(1805)
    expect(taxCents(got(catalogue.taxRates, 'jct'), 14_800)).toBe(1345)
  })

  test('only whole cents under a lasting percentage can be changed mid-cycle', () => {
    expect(isExactUnder([discount({ percentOff: 25 })], null, 12_000)).toBe(true)
    expect(isExactUnder([discount({ percentOff: 33.33 })], null, 999)).toBe(false)
    expect(isExactUnder([discount({ amountOff: 500 })], null, 12_000)).toBe(false)
    expect(isExactUnder([], got(catalogue.taxRates, 'jct'), 14_800)).toBe(false)
  })
})
