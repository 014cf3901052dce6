import { expect, it } from 'vitest'
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
  ['25000/3', '', '25000/3 '],
])('%s %s reads %s', (text, currency, shown) => {
  expect(formatExact(text, currency).replaceAll('\u00a0', ' ')).toBe(shown)
})

it.each([
  ['12', '÷ 12'],
  ['3/13', '× 13/3'],
])('%s months are %s', (months, factor) => expect(monthlyFactor(months)).toBe(factor))
