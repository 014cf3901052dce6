import { expect, test } from 'vitest'
import { formatMoney, formatMoneyChange, formatWhole } from './format-money.ts'

test.each([
  [123456, 'usd', '$1,234.56'],
  [5, 'usd', '$0.05'],
  [0, 'usd', '$0.00'],
  [-0, 'usd', '$0.00'],
  [-500, 'usd', '-$5.00'],
  [900719925474099, 'usd', '$9,007,199,254,740.99'],
  [123456, 'eur', '€1,234.56'],
  [5000, 'jpy', '¥5,000'],
  [12345, 'kwd', 'KWD\u00a012.345'],
  [150_000, 'isk', 'ISK\u00a01,500.00'],
  [10_050, 'huf', 'HUF\u00a0100.50'],
  [700, 'not a currency', '700 NOT A CURRENCY'],
])('%i %s is %s', (amountCents, currency, text) => expect(formatMoney(amountCents, currency)).toBe(text))

test.each([
  [20_000, 'usd', '$200'],
  [19_950, 'usd', '$199.50'],
  [5000, 'jpy', '¥5,000'],
])('as a bound, %i %s is %s', (amountCents, currency, text) =>
  expect(formatWhole(amountCents, currency)).toBe(text),
)

test.each([
  [500, '+$5.00'],
  [-500, '-$5.00'],
  [0, '$0.00'],
  [-0, '$0.00'],
])('a change of %i reads %s', (amountCents, text) => expect(formatMoneyChange(amountCents, 'usd')).toBe(text))
