import { dayOfDate } from '../instant.ts'
import { compare, type Rational, rationalOfDecimal } from '../mrr/exact/rational.ts'
import type { DayRates } from './rate.ts'

/** Says in one sentence why a file of rates cannot be used, and where. */
export class RatesFileError extends Error {}

type Line = { number: number; cells: string[] }

function linesOf(text: string): Line[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, cells: line.split(',').map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
}

/**
 * Reads the European Central Bank's file `eurofxref-hist.csv`, or its one-day file, by the names of the columns. Cells
 * without a rate and columns that are no currency are passed over. Throws a RatesFileError. `today` bounds the days.
 */
export function parseEcbFile(text: string, today: string): DayRates[] {
  if (text.startsWith('PK'))
    throw new RatesFileError('This is a zip file. Unpack it, and take the .csv file inside.')
  const [header, ...lines] = linesOf(text)
  if (header?.cells[0] !== 'Date')
    throw new RatesFileError(
      "The first cell has to be 'Date', as in eurofxref-hist.csv of the European Central Bank.",
    )
  const codes = header.cells.map((name) => (/^[A-Z]{3}$/.test(name) ? name.toLowerCase() : null))
  const named = codes.filter((code) => code !== null)
  if (named.length === 0) throw new RatesFileError('The first line names no currency.')
  if (new Set(named).size < named.length) throw new RatesFileError('The first line names a currency twice.')
  if (lines.length === 0) throw new RatesFileError('The file has no day with rates.')
  const days = lines.map((line) => ecbDay(line, codes, today))
  for (const [index, { day }] of days.entries()) {
    const before = days[index - 1]
    if (before && day >= before.day)
      throw new RatesFileError(
        `Line ${lines[index]?.number}: days have to fall, the newest first, but ${day} follows ${before.day}.`,
      )
  }
  return days
}

function ecbDay({ number, cells }: Line, codes: readonly (string | null)[], today: string): DayRates {
  if (cells.length !== codes.length)
    throw new RatesFileError(`Line ${number} has ${cells.length} cells, the first line has ${codes.length}.`)
  const day = dayOf(cells[0] ?? '', number, today)
  const rates: Record<string, string> = {}
  for (const [index, code] of codes.entries()) {
    const cell = cells[index] ?? ''
    if (code === null || cell === '' || cell === 'N/A') continue
    rates[code] = positive(cell, `Line ${number}, ${code.toUpperCase()}`)
  }
  return { day, source: 'ecb', base: 'eur', rates }
}

/** Reads an own file with the columns date, from, to and rate: one unit of `from` is worth `rate` of `to`. */
export function parseRatesCsv(text: string, today: string): DayRates[] {
  const [header, ...lines] = linesOf(text)
  const names = header?.cells.map((name) => name.toLowerCase()) ?? []
  const places = ['date', 'from', 'to', 'rate'].map((name) => names.indexOf(name))
  if (places.includes(-1))
    throw new RatesFileError(
      'The first line has to be date,from,to,rate, for example: 2026-11-25,EUR,USD,1.0843',
    )
  if (lines.length === 0) throw new RatesFileError('The file has no rate below its first line.')
  const byDay = new Map<string, DayRates & { rates: Record<string, string> }>()
  for (const { number, cells } of lines) {
    const [date = '', from = '', to = '', rate = ''] = places.map((place) => cells[place] ?? '')
    const day = dayOf(date, number, today)
    const [given, base] = [codeOf(from, number), codeOf(to, number)]
    if (given === base) throw new RatesFileError(`Line ${number}: from and to are both ${from}.`)
    const row = byDay.get(`${day} ${base}`) ?? { day, source: 'csv' as const, base, rates: {} }
    const worth = positive(rate, `Line ${number}`)
    if (row.rates[given] !== undefined && row.rates[given] !== worth)
      throw new RatesFileError(
        `Line ${number} has another rate for ${from} to ${to} on ${day} than a line above.`,
      )
    row.rates[given] = worth
    byDay.set(`${day} ${base}`, row)
  }
  return [...byDay.values()]
}

function codeOf(text: string, number: number): string {
  if (/^[a-z]{3}$/i.test(text)) return text.toLowerCase()
  throw new RatesFileError(
    `Line ${number}: '${text.slice(0, 20)}' is no currency, which has three letters such as EUR.`,
  )
}

function positive(text: string, where: string): string {
  const rate = rationalOfDecimal(text)
  if (!rate) throw new RatesFileError(`${where}: '${text.slice(0, 20)}' is no number such as 1.0843.`)
  if (rate.top <= 0n) throw new RatesFileError(`${where}: a rate has to be above 0, not ${text}.`)
  if (!isPossibleRate(text))
    throw new RatesFileError(`${where}: a rate has to lie between 0.000000001 and 1000000000, not ${text}.`)
  return text
}

/** Whether a text is a rate that can be. */
export function isPossibleRate(text: string): boolean {
  const rate = rationalOfDecimal(text)
  return rate !== undefined && compare(rate, lowestRate) >= 0 && compare(rate, highestRate) <= 0
}

const lowestRate: Rational = { top: 1n, bottom: 1_000_000_000n }
const highestRate: Rational = { top: 1_000_000_000n, bottom: 1n }

/** An earlier day is a slip, and the year 0000 is no day for PostgreSQL. */
const firstDay = '1900-01-01'

const months = 'january february march april may june july august september october november december'.split(
  ' ',
)

/** The ECB writes '2026-11-25' in its history, and '25 November 2026' in its file of one day. */
function dayOf(text: string, number: number, today: string): string {
  const [, date = '', month = '', year = ''] = /^(\d{1,2}) ([A-Za-z]+) (\d{4})$/.exec(text) ?? []
  const place = months.indexOf(month.toLowerCase()) + 1
  const day = place === 0 ? text : `${year}-${String(place).padStart(2, '0')}-${date.padStart(2, '0')}`
  const read = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : undefined
  if (!read || Number.isNaN(read.getTime()) || dayOfDate(read) !== day || day < firstDay)
    throw new RatesFileError(`Line ${number}: '${text.slice(0, 20)}' is no day such as 2026-11-25.`)
  if (day > today) throw new RatesFileError(`Line ${number}: ${day} has not come yet.`)
  return day
}

/**
 * What counts of a day's rates after a source states them again. Values of open months are replaced: of the running
 * month, and until the 3rd of the month before. In closed months only currencies without a rate get one.
 */
export function mergeRates(
  day: string,
  known: Readonly<Record<string, string>>,
  stated: Readonly<Record<string, string>>,
  today: string,
): { rates: Record<string, string>; ignored: number } {
  if (isOpen(day.slice(0, 7), today)) return { rates: { ...known, ...stated }, ignored: 0 }
  const ignored = Object.entries(stated).filter(
    ([code, rate]) => known[code] !== undefined && known[code] !== rate,
  )
  return { rates: { ...stated, ...known }, ignored: ignored.length }
}

/** Until the 3rd of a month, the month before is open too. */
const openUntilDay = 3

function isOpen(month: string, today: string): boolean {
  if (month >= today.slice(0, 7)) return true
  const before = new Date(`${today.slice(0, 7)}-01T00:00:00Z`)
  before.setUTCMonth(before.getUTCMonth() - 1)
  return Number(today.slice(8)) <= openUntilDay && month === before.toISOString().slice(0, 7)
}
