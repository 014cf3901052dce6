import { expect, it } from 'vitest'
import { formatMoney } from '../../../components/figures/format-money.ts'
import { formatExact, monthlyFactor } from './exact-amount.ts'

it.each([
  ['8333', 'usd', '$83.33'],
  ['25000/3', 'usd', '$83.3333…'],
  ['-1/3', 'usd', '-$0.0033…'],
  ['25/2', 'usd', '$0.125'],
  ['0', 'usd', '$0.00'],
  ['500', 'jpy', '¥500'],
  ['1000/3', 'jpy', '¥333.33…'],
  ['12345', 'kwd', 'KWD 12.345'],
  ['1200000', 'huf', 'HUF 12,000.00'],
  ['1000000/3', 'isk', 'ISK 3,333.3333…'],
  ['25000/3', '', '25000/3 '],
])('%s %s reads %s', (text, currency, shown) => {
  expect(formatExact(text, currency).replaceAll('\u00a0', ' ')).toBe(shown)
})

it.each(Intl.supportedValuesOf('currency'))(
  'whole minor units of %s read as on every other screen',
  (code) => {
    expect(formatExact('1234500', code.toLowerCase())).toBe(formatMoney(1_234_500, code.toLowerCase()))
  },
)

it.each([
  ['12', '÷ 12'],
  ['3/13', '× 13/3'],
])('%s months are %s', (months, factor) => expect(monthlyFactor(months)).toBe(factor))
