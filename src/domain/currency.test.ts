import { describe, expect, it } from 'vitest'
import { centsOfDecimal, decimalOfCents } from './currency.ts'

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
    [500, 'ugx', '5.00'],
    [Number.MAX_SAFE_INTEGER, 'usd', '90071992547409.91'],
  ])('writes %d %s as %s', (cents, currency, text) => {
    expect(decimalOfCents(cents, currency)).toBe(text)
  })

  it.each([0.5, Number.NaN, 2 ** 53])('refuses %d', (cents) => {
    expect(() => decimalOfCents(cents, 'usd')).toThrow(RangeError)
  })
})

describe('centsOfDecimal', () => {
  it.each([
    ['1,234.5', 'usd', 123_450],
    ['1234.56', 'usd', 123_456],
    ['$1,200', 'usd', 120_000],
    ['-€0.07', 'eur', -7],
    ['-0', 'usd', 0],
    ['1,000,000', 'jpy', 1_000_000],
    ['1.234', 'kwd', 1_234],
    ['CA$50.00', 'cad', 5_000],
    ['-CHF 50', 'chf', -5_000],
    ['50 €', 'eur', 5_000],
    [' $ 50 ', 'usd', 5_000],
    ['.5', 'usd', 50],
    ['5.', 'usd', 500],
  ])('reads %s %s as %d', (text, currency, cents) => {
    expect(centsOfDecimal(text, currency)).toBe(cents)
  })

  it.each([
    '',
    '-',
    '99,50',
    '1,20',
    '1.200,50',
    '1.005',
    '5e3',
    '12 000',
    'ten',
    '5k',
    '.',
    'EUR 5',
    '1,2345',
    '9'.repeat(14),
  ])("refuses '%s', which may mean something else", (text) => {
    expect(centsOfDecimal(text, 'usd')).toBeNull()
  })

  it('takes no fraction of a currency without one', () => {
    expect(centsOfDecimal('1.5', 'jpy')).toBeNull()
  })
})
