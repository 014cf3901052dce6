import { expect, it } from 'vitest'
import { ratesPartMax } from '#contract/settings.ts'
import { partsOf, readRatesFile } from './rates-file.ts'

it('a long file is cut between lines, and each part begins with the first line', () => {
  const header = 'Date,USD,'
  const lines = Array.from({ length: 9_000 }, (_, index) => `row ${index},1.0843,`)
  const parts = partsOf(`${[header, ...lines].join('\n')}\n`)
  expect(parts.length).toBeGreaterThan(2)
  for (const part of parts) {
    expect(part.length).toBeLessThan(ratesPartMax + 100)
    expect(part.split('\n')[0]).toBe(header)
  }
  expect(parts.flatMap((part) => part.split('\n').slice(1)).filter((line) => line !== '')).toEqual(lines)
})

it.each([
  ['Date,USD,JPY,', 'ecb'],
  ['date,from,to,rate', 'csv'],
  ['From, To, Rate, Date\r', 'csv'],
])('%j is a file of %s', async (first, source) => {
  expect(await readRatesFile(new Blob([`${first}\n1`]))).toMatchObject({ source })
})
