import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { currencyOfMost } from './default-currency.ts'

const mrr = (currency: string, mrrCents: number) => ({ currency, mrrCents })

it.each([
  ['the larger amount', [mrr('usd', 100_00), mrr('eur', 900_00)], 'eur'],
  ['not the larger number', [mrr('usd', 1_000_00), mrr('jpy', 13_455), mrr('idr', 1_000_000_00)], 'usd'],
  ['yen where most of it is in yen', [mrr('usd', 1_000_00), mrr('jpy', 1_300_000)], 'jpy'],
  ['shillings, which are counted in hundredths', [mrr('ugx', 900_000_00), mrr('usd', 1_000_00)], 'usd'],
  ['three digits of a dinar', [mrr('kwd', 900_000), mrr('usd', 800_00)], 'kwd'],
  ['the first by name of equals', [mrr('usd', 100), mrr('eur', 100)], 'eur'],
  ['none without MRR', [mrr('usd', 0)], null],
  ['none at all', [], null],
])('%s', (_, rows, chosen) => {
  expect(currencyOfMost(rows)).toBe(chosen)
})

it('guesses as the migration did', () => {
  const text = readFileSync('db/migrations/0006_reporting_currency.sql', 'utf8')
  const sizes = [...text.matchAll(/\('([a-z]{3})', (\d)\)/g)].map(
    ([, code = '', digits]) => [code, Number(digits)] as const,
  )
  expect(sizes.length).toBeGreaterThan(40)
  // The migration takes shillings for a currency without digits.
  for (const [code, digits] of sizes.filter(([code]) => code !== 'ugx')) {
    const [less, more] = [mrr(code, 0.999 * 10 ** digits), mrr(code, 1.001 * 10 ** digits)]
    expect([currencyOfMost([less, mrr('usd', 100)]), currencyOfMost([more, mrr('usd', 100)])]).toEqual([
      'usd',
      code,
    ])
  }
})
