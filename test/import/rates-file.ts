import { addDays } from '#domain/date-range.ts'

/** Currencies of none, two and three digits. No file has a rate of the last one. */
export const currencyCodes = ['usd', 'eur', 'jpy', 'kwd', 'isk', 'gbp', 'ars']

/** What a euro is worth about. */
export const perEuro: Record<string, number> = {
  usd: 1.08,
  jpy: 168.03,
  kwd: 0.3321,
  isk: 150.3,
  gbp: 0.85643,
}

/** A file of rates with a row for every ninth day, whose rates rise and fall; the newest is that of today. */
export function ratesFile(today: string, scale: (day: string) => number = () => 1): string {
  const lines = Array.from({ length: 70 }, (_, index) => {
    const day = addDays(today, -9 * index)
    const wave = 1 + 0.2 * Math.sin(index)
    return [day, ...Object.values(perEuro).map((rate) => (rate * wave * scale(day)).toPrecision(6))].join(',')
  })
  return [`Date,${Object.keys(perEuro).join(',').toUpperCase()}`, ...lines].join('\n')
}

/** The same without the rates of one currency after a day. */
export function ratesFileUntil(today: string, currency: string, lastDay: string): string {
  const place = Object.keys(perEuro).indexOf(currency) + 1
  const without = (line: string) => {
    const cells = line.split(',')
    const isEnded = (cells[0] ?? '') > lastDay && cells[0] !== 'Date'
    return cells.map((cell, at) => (isEnded && at === place ? '' : cell)).join(',')
  }
  return ratesFile(today).split('\n').map(without).join('\n')
}
