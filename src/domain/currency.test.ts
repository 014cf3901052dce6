import { describe, expect, it } from 'vitest'
import { decimalOfCents } from './currency.ts'

describe('decimalOfCents', () => {
  it.each([
    [123456, 'usd', '1234.56'],
    [5, 'usd', '0.05'],
    [0, 'EUR', '0.00'],
    [-7, 'usd', '-0.07'],
    [500, 'jpy', '500'],
    [-500, 'JPY', '-500'],
    [1234, 'kwd', '1.234'],
    [100, 'isk', '1.00'],
    [Number.MAX_SAFE_INTEGER, 'usd', '90071992547409.91'],
  ])('writes %d %s as %s', (cents, currency, text) => {
    expect(decimalOfCents(cents, currency)).toBe(text)
  })

  it.each([0.5, Number.NaN, 2 ** 53])('refuses %d', (cents) => {
    expect(() => decimalOfCents(cents, 'usd')).toThrow(RangeError)
  })
})
