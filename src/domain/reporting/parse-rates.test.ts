import { describe, expect, it } from 'vitest'
import { mergeRates, parseEcbFile, parseRatesCsv, RatesFileError } from './parse-rates.ts'

const today = '2026-11-27'
const header = 'Date,USD,JPY,BGN,XAU,'

describe('the history of the European Central Bank', () => {
  it('is read by the names of its columns, without what is not there', () => {
    const text = `\uFEFF${header}\r\n2026-11-25,1.0843,168.03,N/A,,\r\n2026-11-24,1.08,,1.9558,N/A,\r\n\r\n`
    expect(parseEcbFile(text, today)).toEqual([
      { day: '2026-11-25', source: 'ecb', base: 'eur', rates: { usd: '1.0843', jpy: '168.03' } },
      { day: '2026-11-24', source: 'ecb', base: 'eur', rates: { usd: '1.08', bgn: '1.9558' } },
    ])
  })

  it('may be the file of one day, with its spaces and its date in words', () => {
    expect(parseEcbFile('Date, USD, JPY, \n14 December 2018, 1.1285, 128.16, \n', today)).toEqual([
      { day: '2018-12-14', source: 'ecb', base: 'eur', rates: { usd: '1.1285', jpy: '128.16' } },
    ])
  })

  it('passes over a column that is no currency', () => {
    expect(parseEcbFile('Date,Remark,USD\n2026-11-25,closing,1.0843', today)[0]?.rates).toEqual({
      usd: '1.0843',
    })
  })

  it.each([
    ['', "The first cell has to be 'Date'"],
    ['PK\u0003\u0004', 'zip file. Unpack it'],
    ['<html>', "The first cell has to be 'Date'"],
    ['USD,Date\n1,2026-11-25', "The first cell has to be 'Date'"],
    ['Date,Remark\n2026-11-25,x', 'names no currency'],
    ['Date,USD,USD\n2026-11-25,1,2', 'names a currency twice'],
    [header, 'no day with rates'],
    [`${header}\n2026-11-25,1.08`, 'Line 2 has 2 cells, the first line has 6.'],
    ['Date,USD\n2026-11-25,0', 'Line 2, USD: a rate has to be above 0, not 0.'],
    ['Date,USD\n2026-11-25,-1.1', 'Line 2, USD: a rate has to be above 0, not -1.1.'],
    [
      'Date,USD\n2026-11-25,1000000000.1',
      'Line 2, USD: a rate has to lie between 0.000000001 and 1000000000, not 1000000000.1.',
    ],
    ['Date,USD\n2026-11-25,0.0000000009', 'Line 2, USD: a rate has to lie between'],
    ['Date,USD\n2026-11-25,1e3', "Line 2, USD: '1e3' is no number"],
    ['Date,USD\n2026-11-25,1;08', "Line 2, USD: '1;08' is no number"],
    ['Date,USD\n25.11.2026,1.08', "Line 2: '25.11.2026' is no day"],
    ['Date,USD\n2026-02-30,1.08', "Line 2: '2026-02-30' is no day"],
    ['Date,USD\n0000-01-01,1.08', "Line 2: '0000-01-01' is no day"],
    ['Date,USD\n2026-11-28,1.08', 'Line 2: 2026-11-28 has not come yet.'],
    ['Date,USD\n2026-11-24,1.08\n2026-11-25,1.08', 'Line 3: days have to fall'],
    ['Date,USD\n2026-11-25,1.08\n2026-11-25,1.09', 'Line 3: days have to fall'],
  ])('%j is refused: %s', (text, why) => {
    const read = () => parseEcbFile(text, today)
    expect(read).toThrow(RatesFileError)
    expect(read).toThrow(why)
  })
})

describe('an own file', () => {
  it('says what a unit is worth, by day and target', () => {
    const text =
      'Date,From,To,Rate\n2026-11-25,EUR,USD,1.0843\n2026-11-25,jpy,usd,0.00645\n2026-10-01,EUR,USD,1.1\n'
    expect(parseRatesCsv(text, today)).toEqual([
      { day: '2026-11-25', source: 'csv', base: 'usd', rates: { eur: '1.0843', jpy: '0.00645' } },
      { day: '2026-10-01', source: 'csv', base: 'usd', rates: { eur: '1.1' } },
    ])
  })

  it.each([
    ['', 'has to be date,from,to,rate'],
    ['date,from,rate\n2026-11-25,EUR,1', 'has to be date,from,to,rate'],
    ['date,from,to,rate', 'no rate below'],
    ['date,from,to,rate\n2026-11-25,Euro,USD,1', "Line 2: 'Euro' is no currency"],
    ['date,from,to,rate\n2026-11-25,EUR,EUR,1', 'Line 2: from and to are both EUR.'],
    ['date,from,to,rate\n2026-11-25,EUR,USD,0', 'above 0'],
    [
      `date,from,to,rate\n2026-11-25,EUR,USD,1\n2026-11-24,EUR,USD,1${'0'.repeat(24)}`,
      'Line 3: a rate has to lie between',
    ],
    ['date,from,to,rate\n2026-11-25,EUR,USD,1\n2026-11-25,EUR,USD,2', 'Line 3 has another rate'],
    ['date,from,to,rate\n2027-01-01,EUR,USD,1', 'has not come yet'],
  ])('%j is refused: %s', (text, why) => {
    expect(() => parseRatesCsv(text, today)).toThrow(why)
  })
})

describe('a corrected rate', () => {
  const known = { usd: '1.08', jpy: '168' }
  const stated = { usd: '1.09', jpy: '168', gbp: '0.85' }

  it.each([
    ['2026-11-25', '2026-11-27', { usd: '1.09', jpy: '168', gbp: '0.85' }, 0],
    ['2026-10-31', '2026-11-03', { usd: '1.09', jpy: '168', gbp: '0.85' }, 0],
    ['2026-10-31', '2026-11-04', { usd: '1.08', jpy: '168', gbp: '0.85' }, 1],
    ['2025-12-31', '2026-01-02', { usd: '1.09', jpy: '168', gbp: '0.85' }, 0],
    ['2026-09-30', '2026-11-01', { usd: '1.08', jpy: '168', gbp: '0.85' }, 1],
  ])('of %s, on %s, changes open months only', (day, now, rates, ignored) => {
    expect(mergeRates(day, known, stated, now)).toEqual({ rates, ignored })
  })
})
