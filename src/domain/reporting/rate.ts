import { minorDigits } from '../currency.ts'
import {
  one,
  over,
  type Rational,
  ratio,
  rationalOfDecimal,
  roundHalfUp,
  times,
  whole,
} from '../mrr/exact/rational.ts'
import { providerNames } from '../provider-names.ts'
import { roundedDigits } from './digits.ts'

/** Where rates come from: the European Central Bank, the organization's own file, or what people keep in the CRM. */
export const rateSources = ['ecb', 'csv', 'crm'] as const
export type RateSource = (typeof rateSources)[number]

/**
 * What a source says of one day, as decimal texts by lower-case currency. The ECB says how many units make one of the
 * base; the others how much of the base a unit is worth.
 */
export type DayRates = {
  day: string
  source: RateSource
  base: string
  rates: Readonly<Record<string, string>>
}

/** Units of the one currency for a unit of the other, and whose rate of which day that is. */
export type FoundRate = { rate: Rational; day: string; source: RateSource; isStale: boolean }

/** More days than this without a row, and the rate is old: the longest ordinary gap is Easter's. */
const staleDays = 5

/** Currencies that joined the euro: since when, and how many units made one euro for good. */
const joined: Record<string, { since: string; rate: string }> = {
  sit: { since: '2007-01-01', rate: '239.640' },
  cyp: { since: '2008-01-01', rate: '0.585274' },
  mtl: { since: '2008-01-01', rate: '0.429300' },
  skk: { since: '2009-01-01', rate: '30.1260' },
  eek: { since: '2011-01-01', rate: '15.6466' },
  lvl: { since: '2014-01-01', rate: '0.702804' },
  ltl: { since: '2015-01-01', rate: '3.45280' },
  hrk: { since: '2023-01-01', rate: '7.53450' },
  bgn: { since: '2026-01-01', rate: '1.95583' },
}

/** The rate from one currency to another by one row, both of the same day; null if the row lacks either. */
export function crossRate(row: DayRates, from: string, to: string, day: string): FoundRate | null {
  const [given, wanted] = [worthOf(row, from, day), worthOf(row, to, day)]
  if (!given || !wanted) return null
  const age = (Date.parse(day) - Date.parse(row.day)) / 86_400_000
  const isStale = row.source === 'ecb' && age > staleDays
  return { rate: over(given, wanted), day: row.day, source: row.source, isStale }
}

/** What one unit is worth in the row's base. */
function worthOf({ source, base, rates }: DayRates, currency: string, day: string): Rational | undefined {
  if (currency === base) return one
  const member = base === 'eur' && source === 'ecb' ? joined[currency] : undefined
  const text = member && day >= member.since ? member.rate : rates[currency]
  const rate = text === undefined ? undefined : rationalOfDecimal(text)
  if (!rate || rate.top <= 0n) return undefined
  return source === 'ecb' ? over(one, rate) : rate
}

/**
 * Converts minor units into minor units of another currency, exactly, and rounds once: half up, to ISO's digits. Null
 * for an amount that no number holds exactly.
 */
export function convertCents(cents: number, from: string, to: string, rate: Rational): number | null {
  const major = times(ratio(whole(cents).top, 10n ** BigInt(minorDigits(from))), rate)
  const converted = roundMinor(times(major, { top: 10n ** BigInt(minorDigits(to)), bottom: 1n }), to)
  return Number.isSafeInteger(converted) ? converted : null
}

/** Rounds minor units half up to ISO's digits, so that krónur, which are counted in hundredths, stay whole. */
export function roundMinor(cents: Rational, currency: string): number {
  const unit = 10n ** BigInt(minorDigits(currency) - roundedDigits(currency))
  return roundHalfUp(times(cents, { top: 1n, bottom: unit })) * Number(unit)
}

const sourceNames: Record<RateSource, string> = { ecb: 'ECB', csv: 'own file', crm: providerNames.crm }

const rateFormat = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6, useGrouping: false })

/** A rate in words: 'at 1.0843 USD/EUR of 2026-11-25, ECB'. */
export function rateText(found: FoundRate, from: string, to: string): string {
  const name = sourceNames[found.source]
  return `at ${figureText(found, from, to)} of ${found.day}, ${name}${found.isStale ? ', stale' : ''}`
}

/** A rate whose day is told beside it: '1.0843 USD/EUR, ECB'. */
export function rateWithoutDay(found: FoundRate, from: string, to: string): string {
  return `${figureText(found, from, to)}, ${sourceNames[found.source]}`
}

function figureText({ rate }: FoundRate, from: string, to: string): string {
  return `${rateFormat.format(Number(rate.top) / Number(rate.bottom))} ${to.toUpperCase()}/${from.toUpperCase()}`
}
